import type { Position, Row } from '../../store/store.js'
import { type WrittenField, writerOf } from '../../store/written.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { Chunk } from '../outcomes/lists.js'
import type { Listing } from '../query/list-query.js'
import { chunkSize } from '../query/selection.js'
import { columnsRead, withThroughValues } from '../query/through-values.js'
import { readRelated } from '../relation/related.js'
import type { Relation } from '../relation/relation.js'
import { withAllTrashed } from '../relation/trashed.js'

/**
 * All rows of a list, in chunks by keyset, each read by a short statement of its own: no cursor stays open while a slow client reads. The
 * first chunk is read at once, so that an early error still gets a proper answer; each further one when it is asked for.
 *
 * @param trashed whether related records in the trash are told by their labels
 * @param fields the fields that the database may write; null: rows are read
 */
export async function readChunks(
  call: Call,
  lens: Lens,
  listing: Listing,
  relations: readonly Relation[],
  trashed: boolean,
  fields: readonly WrittenField[] | null = null,
): Promise<AsyncIterable<Chunk>> {
  const first = await readChunk(null)
  return chunks()

  async function* chunks(): AsyncGenerator<Chunk> {
    let some = first
    for (let last = lastOf(some); last; last = lastOf(some)) {
      yield some
      if (some.written ? !some.written.more : some.rows.length < chunkSize) return
      some = await readChunk(last)
    }
  }

  async function readChunk(after: Row | null): Promise<Chunk> {
    const { identity, realm, resource, store } = call
    const { where, order } = listing
    const position: Position | null = after && { side: 'after', values: order.map(({ column }) => after[lens.at.get(column) as number]) }
    const query = { columns: columnsRead(lens, order), where, order, ...(position && { position }) }
    // Asked for one more than it writes, the database tells of the last one.
    const written = fields && (await writerOf(store)?.page(resource.model, { ...query, limit: chunkSize + 1 }, fields, chunkSize))
    if (written) return { rows: [], written, related: none }
    const stored = await store.list(resource.model, { ...query, limit: chunkSize })
    const rows = await withThroughValues(identity, lens, stored, realm.storeOf, order)
    const related = await readRelated(realm, identity, lens, rows, relations)
    return { rows, related: trashed ? await withAllTrashed(call, lens, rows, related) : related }
  }
}

const none: Chunk['related'] = new Map()

function lastOf({ rows, written }: Chunk): Row | undefined {
  return written ? written.ends()?.[1] : rows.at(-1)
}
