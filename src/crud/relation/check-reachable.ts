import { isDeepStrictEqual } from 'node:util'
import type { Checked } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { may } from '../call/allow.js'
import type { Call } from '../call/call.js'

/**
 * Refuses a relation to a resource that the caller may neither list nor view, as if the record did not exist. The initial value is exempt,
 * since nobody chose it.
 */
export function checkReachable(
  { realm, identity }: Pick<Call, 'realm' | 'identity'>,
  field: Bound,
  checked: Checked,
  begins: unknown = field.default,
): Checked {
  const target = checked.ok && checked.value !== null ? realm.links.get(field) : undefined
  if (!checked.ok || !target || may(realm, identity, target, 'viewAny') || may(realm, identity, target, 'view')) return checked
  return isDeepStrictEqual(checked.value, begins) ? checked : { ok: false, texts: [realm.t('field.noRelated', { label: field.label })] }
}
