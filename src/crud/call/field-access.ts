import type { Bound } from '../../field/field.js'
import type { Row } from '../../store/store.js'
import type { Call } from './call.js'
import { closedReason } from './closed-reason.js'
import { meetsEditableWhen } from './editable-when.js'
import { type Lens, meets } from './lens.js'

/**
 * Whether the caller may write a field: it is on the form page, not read-only, `editable` for them, and if it is the key, the record is
 * new.
 */
export function isWritable({ identity, resource }: Pick<Call, 'identity' | 'resource'>, field: Bound, creating: boolean): boolean {
  if (field.readOnly || !resource.pages.form.includes(field.key) || !meets(field.editable, identity)) return false
  return creating || field.key !== resource.model.key.key
}

/**
 * What the caller may do with a field of one record.
 *
 * @param row the record as it is stored; null: it is new
 */
export function fieldAccess(
  call: Pick<Call, 'realm' | 'identity' | 'resource'>,
  { at }: Pick<Lens, 'at'>,
  field: Bound,
  row: Row | null,
): { readonly writable: boolean; readonly closed: string | null } {
  const may = isWritable(call, field, row === null)
  const isClosed = may && row !== null && !meetsEditableWhen(call.resource, field, call.realm.timeZone, at, row)
  return { writable: may && !isClosed, closed: isClosed ? closedReason(call, field) : null }
}
