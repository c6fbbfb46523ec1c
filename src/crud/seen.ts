import type { Row } from '../store/store.js'
import { may, maySee } from './allow.js'
import type { Call } from './call.js'
import { type Lens, lensOf } from './lens.js'
import { isWritable } from './sent.js'

/**
 * What to show of a record to a user who may write it: all that the lens shows if they may view it, else the key and the fields that they
 * may write.
 *
 * @param lens a whole-row lens; returned itself if all may be shown
 */
export function seenBy(call: Pick<Call, 'realm' | 'identity' | 'resource'>, lens: Lens, row: Row, created = false): Lens {
  const { realm, identity, resource } = call
  if (maySee(realm, identity, resource, lens.columns, row)) return lens
  const writes = may(realm, identity, resource, created ? 'create' : 'update')
  const within = [...resource.fields.values()].filter((field) => writes && isWritable(call, field, created)).map(({ key }) => key)
  return lensOf(identity, resource, { name: 'form', whole: true, within })
}
