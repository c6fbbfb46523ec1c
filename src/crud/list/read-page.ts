import type { ListQuery, Position, Row } from '../../store/store.js'
import { type WrittenPage, writerOf } from '../../store/written.js'
import type { Call } from '../call/call.js'
import { callbacksGetRecords, type Lens } from '../call/lens.js'
import type { Listed } from '../outcomes/lists.js'
import { countCap as cap, type Listing } from '../query/list-query.js'
import { columnsRead } from '../query/through-values.js'
import type { Relation } from '../relation/relation.js'
import { jsonFields } from './json-fields.js'

/** One page of a list, as it was read. */
interface Page extends Pick<Listed, 'total' | 'written' | 'rows' | 'goesOn'> {
  /** Whether there is a row beyond the page, in the direction in which it was read. */
  readonly more: boolean
}

type Which = Pick<ListQuery, 'position' | 'offset' | 'limit' | 'fromEnd'>

// Skipping so many rows takes less time than to wait for the count, which would tell from which end fewer are skipped.
const near = 1000

/** Reads the page of a list that was asked for, by its number or by a cursor, and counts the list where it is counted. */
export async function readPage(call: Call, lens: Lens, listing: Listing, relations: readonly Relation[]): Promise<Page> {
  const { resource, store, preset } = call
  const { where, order, page, perPage, position } = listing
  const limited = typeof preset?.limit === 'number'
  const skipped = ((page ?? 1) - 1) * perPage
  const counted = page !== null && !resource.simplePaginate && !limited
  // User code may modify the rows that it gets, so these are not shared.
  const shared = !callbacksGetRecords(resource) && lens.shown.every((one) => 'field' in one)
  const columns = columnsRead(lens, order)
  const fields = jsonFields(call, lens, listing, relations, !counted)
  // Asked once for all that is read.
  const seen = call.seen ?? (shared && (counted || fields) ? store.version?.() : undefined)
  const countUpTo = resource.count === 'exact' || listing.exactTotal ? undefined : cap + 1
  const [total, found] = counted ? await countedPage() : [null, await read(uncounted())]
  if ('records' in found) return { total, written: found, rows: [], more: found.more, goesOn: goesOn(found.count, found.more) }
  const back = position?.side === 'before'
  const more = found.length > perPage
  const rows = more ? part(found, back ? 1 : 0, back ? found.length : perPage) : found
  return { total, written: null, rows, more, goesOn: goesOn(found.length, more) }

  /** The first page is read along with the count, without an extra row: if it is full and the count was capped, more rows follow. */
  function goesOn(count: number, more: boolean): boolean {
    return more || (total !== null && !total.exact && skipped === 0 && count === perPage)
  }

  function queryOf(which: Which): ListQuery {
    return { columns, where, order, shared, ...(seen !== undefined && { seen }), ...which }
  }

  /** The page as the database wrote it, or its rows. */
  async function read(which: Which): Promise<WrittenPage | readonly Row[]> {
    const query = queryOf(which)
    return (fields && (await writerOf(store)?.page(resource.model, query, fields, perPage))) || store.list(resource.model, query)
  }

  /** The first page does not depend on the count, so both are read at once; nor does one that is not far from the start. */
  async function countedPage() {
    // Where nobody counts to the end, one row more tells whether there is a next page.
    const fromStart = { offset: skipped, limit: countUpTo === undefined ? perPage : perPage + 1 }
    const both =
      fields && skipped <= near ? await writerOf(store)?.counted?.(resource.model, queryOf(fromStart), fields, perPage, countUpTo) : null
    if (both) return [totalOf(both.total), both.page] as const
    if (skipped === 0) return Promise.all([counting(), read({ offset: 0, limit: perPage })])
    const total = await counting()
    return [total, await read(total.exact ? nearer(total.count) : { offset: skipped, limit: perPage + 1 })] as const
  }

  /** Without a count, one row more tells whether there is a next page. */
  function uncounted(): Which {
    if (limited) return { offset: 0, limit: perPage }
    return position ? positioned(position, perPage + 1) : { offset: skipped, limit: perPage + 1 }
  }

  /** Reads the page from the nearer end, since the database reads all rows that an offset skips. */
  function nearer(total: number): Which {
    const behind = total - skipped - perPage
    if (skipped <= behind) return { offset: skipped, limit: perPage }
    return { offset: Math.max(0, behind), limit: Math.max(0, Math.min(perPage, total - skipped)), fromEnd: true }
  }

  async function counting() {
    return totalOf(await store.count(resource.model, where, countUpTo, seen))
  }

  function totalOf(count: number) {
    return countUpTo !== undefined && count > cap ? { count: cap, exact: false } : { count, exact: true }
  }
}

const parts = new WeakMap<readonly Row[], readonly Row[]>()

/**
 * A slice of rows. A frozen page may be returned again, and then gives the same frozen slice: what was derived from it is found by its
 * identity.
 */
function part(rows: readonly Row[], start: number, end: number): readonly Row[] {
  const last = parts.get(rows)
  if (last?.length === end - start && last[0] === rows[start]) return last
  const some = rows.slice(start, end)
  if (Object.isFrozen(rows)) parts.set(rows, Object.freeze(some))
  return some
}

/** Whether a position is an end of the list: a cursor without values. */
export function isEnd({ values }: Position): boolean {
  return values.length === 0
}

function positioned(position: Position, limit: number): Which {
  return isEnd(position) ? { limit, fromEnd: position.side === 'before' } : { limit, position }
}
