import type { Position, Row } from '../store/store.js'
import type { Call } from './call.js'
import { columnsRead, withFollowed } from './followed.js'
import type { Lens } from './lens.js'
import type { Listing } from './list-query.js'
import type { Chunk } from './outcome.js'
import { type Relation, readRelated } from './related.js'
import { chunk } from './selection.js'
import { withAllTrashed } from './trashed.js'

/**
 * All rows of a list, in chunks by keyset, each read by a short statement of its own: no cursor stays open while a slow client reads. The
 * first chunk is read at once, so that an early error still gets a proper answer; each further one when it is asked for.
 *
 * @param trashed whether related records in the trash are told by their labels
 */
export async function readChunks(
  call: Call,
  lens: Lens,
  listing: Listing,
  relations: readonly Relation[],
  trashed: boolean,
): Promise<AsyncIterable<Chunk>> {
  const first = await readChunk(null)
  return chunks()

  async function* chunks(): AsyncGenerator<Chunk> {
    let some = first
    while (some.rows.length > 0) {
      yield some
      if (some.rows.length < chunk) return
      some = await readChunk(some.rows.at(-1) as Row)
    }
  }

  async function readChunk(after: Row | null): Promise<Chunk> {
    const { identity, realm, resource, store } = call
    const { where, order } = listing
    const position: Position | null = after && { side: 'after', values: order.map(({ column }) => after[lens.at.get(column) as number]) }
    const stored = await store.list(resource.model, {
      columns: columnsRead(lens, order),
      where,
      order,
      limit: chunk,
      ...(position && { position }),
    })
    const rows = await withFollowed(identity, lens, stored, realm.storeOf, order)
    const related = await readRelated(realm, identity, lens, rows, relations)
    return { rows, related: trashed ? await withAllTrashed(call, lens, rows, related) : related }
  }
}
