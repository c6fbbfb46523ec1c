import type { Bound } from '../../field/field.js'
import type { Row } from '../../store/store.js'
import { may, mayRow, maySee } from './allow.js'
import type { Call } from './call.js'
import { fieldAccess } from './field-access.js'
import { type Lens, lensOf } from './lens.js'

/**
 * What to show of a record to a user who may write it, or who is told that they may not: all that the lens shows if they may view it, else
 * the key and the fields that they may write in it.
 *
 * @param lens a whole-row lens; returned itself if all may be shown
 */
export function visibleLens(call: Pick<Call, 'realm' | 'identity' | 'resource'>, lens: Lens, row: Row, created = false): Lens {
  const { realm, identity, resource } = call
  if (maySee(realm, identity, resource, lens.columns, row)) return lens
  const writes = created
    ? may(realm, identity, resource, 'create')
    : may(realm, identity, resource, 'update') && mayRow(identity, resource, 'update', lens.columns, row)
  const isWritten = (field: Bound) => writes && fieldAccess(call, lens, field, created ? null : row).writable
  const within = [...resource.fields.values()].filter(isWritten).map(({ key }) => key)
  return lensOf(identity, resource, { name: 'form', whole: true, within })
}
