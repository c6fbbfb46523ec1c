import type { Row } from '../store/store.js'
import { may, maySee } from './allow.js'
import type { Call } from './call.js'
import { type Lens, lensOf } from './lens.js'
import { isWritable } from './sent.js'

/**
 * What is told of a record to who may write it: all that a lens shows where they may view it, too; else its key and what they may write themselves.
 *
 * @param lens a whole-row lens; the answer is this very one where all may be told
 */
export function seenBy(call: Pick<Call, 'realm' | 'identity' | 'resource'>, lens: Lens, row: Row, created = false): Lens {
  const { realm, identity, resource } = call
  if (maySee(realm, identity, resource, lens.columns, row)) return lens
  const writes = may(realm, identity, resource, created ? 'create' : 'update')
  const within = [...resource.fields.values()].filter((field) => writes && isWritable(call, field, created)).map(({ key }) => key)
  return lensOf(identity, resource, { name: 'form', whole: true, within })
}
