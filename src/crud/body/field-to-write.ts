import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { allow, may } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { isWritable } from '../call/field-access.js'
import { lensOf } from '../call/lens.js'

/**
 * The field that a path names, for a caller who may write it in a new record or a stored one.
 *
 * @param fits whether the route is for fields of this kind
 * @throws DaymarkError `forbidden` for a caller who may not write, or not this field; `notFound` for a field that they may not see, or that
 *   does not fit
 */
export function fieldToWrite(call: Call, fits: (kind: Bound['kind']) => boolean): Bound {
  const { realm, identity, resource, input } = call
  const creating = may(realm, identity, resource, 'create')
  if (!creating) allow(realm, identity, resource, 'update')
  const field = lensOf(identity, resource, { name: 'record', whole: true }).readable.get(input.params?.get('field') ?? '')
  if (!field || !fits(field.kind)) throw new DaymarkError('notFound', realm.t('page.none'))
  if (!isWritable(call, field, creating)) throw new DaymarkError('forbidden', realm.t('field.readOnly', { label: field.label }))
  return field
}
