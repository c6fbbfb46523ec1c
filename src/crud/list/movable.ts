import type { Row } from '../../store/store.js'
import { may } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { meetsEditableWhen } from '../call/editable-when.js'
import { type Lens, lensOf, meets } from '../call/lens.js'

/**
 * Whether a user may put records in another order: they may update them, see the column, and change it, if its field says who may. A field
 * that is read-only is changed by this alone.
 */
export function mayMove({ realm, identity, resource }: Pick<Call, 'realm' | 'identity' | 'resource'>): boolean {
  const { reorderable } = resource
  if (!reorderable || !may(realm, identity, resource, 'update')) return false
  const field = lensOf(identity, resource, { name: 'index', whole: false }).readable.get(reorderable.key)
  return field !== undefined && meets(field.editable, identity)
}

/** Whether a record lets those who may move records have it moved, as `editableWhen` of the column says. */
export function isMovable({ realm, resource }: Pick<Call, 'realm' | 'resource'>, { at }: Lens, row: Row): boolean {
  const field = resource.fields.get(resource.reorderable?.key ?? '')
  return field !== undefined && meetsEditableWhen(resource, field, realm.timeZone, at, row)
}
