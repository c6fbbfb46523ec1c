import { isDeepStrictEqual } from 'node:util'
import type { Checked } from '../field/check.js'
import type { Bound } from '../field/field.js'
import { may } from './allow.js'
import type { Call } from './call.js'

/**
 * What was sent for a field, where its relation leads to what this caller may list or see; else it names no record, be there one or not. What a field begins
 * with is nobody's choice.
 */
export function withinReach(
  { realm, identity }: Pick<Call, 'realm' | 'identity'>,
  field: Bound,
  checked: Checked,
  begins: unknown = field.default,
): Checked {
  const target = checked.ok && checked.value !== null ? realm.links.get(field) : undefined
  if (!checked.ok || !target || may(realm, identity, target, 'viewAny') || may(realm, identity, target, 'view')) return checked
  return isDeepStrictEqual(checked.value, begins) ? checked : { ok: false, texts: [realm.t('field.noRelated', { label: field.label })] }
}
