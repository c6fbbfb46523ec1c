import type { ListQuery, Position, Row } from '../store/store.js'
import { type WrittenPage, writerOf } from '../store/written.js'
import { allow, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { shownColumns } from './columns.js'
import { writeCursor } from './cursor.js'
import { drawList } from './draw.js'
import { followedFields } from './filter-fields.js'
import { noFilterRelations, readFilterRelations } from './filter-relations.js'
import { columnsRead, withFollowed } from './followed.js'
import { findByKey, keyOf, notThere } from './key.js'
import { handsOutRecords, lensOf } from './lens.js'
import { countCap as cap, listQuery, ownColumns } from './list-query.js'
import { movesBeside, movesIn } from './moves.js'
import type { Listed, ListedRow, Streamed } from './outcomes/lists.js'
import { readRelated, relationsOf } from './related.js'
import { readChunks } from './stream.js'
import { summarized } from './summarized.js'
import { withAllTrashed } from './trashed.js'
import { writtenFields } from './written-fields.js'

// Skipping so many rows takes less time than to wait for the count, which would tell from which end fewer are skipped.
const near = 1000

type Which = Pick<ListQuery, 'position' | 'offset' | 'limit' | 'fromEnd'>

/** A list: one page of rows, counted unless the resource declares otherwise; or all rows, if it has no pages. */
export async function list(call: Call): Promise<Listed | Streamed> {
  const { identity, realm, resource, store, preset = null } = call
  const { lens, listing, relations } = viewOf(call)
  if (call.wants.views && listing.view) return drawList(call, listing, listing.view)
  const { where, order, perPage, position } = listing
  const asked = call.wants.labels ? await readFilterRelations(call, listing) : noFilterRelations
  // A table within a page is never streamed.
  if (!resource.usePagination && (preset?.name ?? null) === null) {
    const fields = writtenFields(call, lens, listing, relations, true)
    const chunks = await readChunks(call, lens, listing, relations, call.wants.labels, fields)
    const summary = await summarized(call, lens, listing)
    return { is: 'streamed', resource, lens, listing, asked, preset, chunks, moves: movesIn(call, listing), summary }
  }
  const { page } = listing
  const limited = typeof preset?.limit === 'number'
  const skipped = ((page ?? 1) - 1) * perPage
  // Without a count, one row more tells whether there is a next page.
  const counted = page !== null && !resource.simplePaginate && !limited
  // User code may modify the rows that it gets, so these are not shared.
  const shared = !handsOutRecords(resource) && lens.shown.every((one) => 'field' in one)
  const columns = columnsRead(lens, order)
  const fields = writtenFields(call, lens, listing, relations, !counted)
  // Asked once for all that is read.
  const seen = call.seen ?? (shared && (counted || fields) ? store.version?.() : undefined)
  const countUpTo = resource.count === 'exact' || listing.exactTotal ? undefined : cap + 1
  // Where nobody counts to the end, one row more tells whether there is a next page.
  const fromStart = { offset: skipped, limit: countUpTo === undefined ? perPage : perPage + 1 }
  const [total, found] = counted ? await countedPage() : [null, await read(uncounted())]
  const written = 'records' in found ? found : null
  const rows = 'records' in found ? [] : found
  const back = position?.side === 'before'
  const more = written?.more ?? rows.length > perPage
  const some = written || !more ? rows : part(rows, back ? 1 : 0, back ? rows.length : perPage)
  const shown = lens.followed.size === 0 ? some : await withFollowed(identity, lens, some, realm.storeOf, order)
  // The cursor of an empty page leads back to the end of the list beyond which it lies.
  const cursor = (row: Row | undefined, side: 'after' | 'before') =>
    writeCursor(lens, order, listing.hash, side, row ? order.map(({ column }) => row[lens.at.get(column) as number]) : null)
  const related = readRelated(realm, identity, lens, shown, relations)
  const [first, last] = counted ? [] : written ? (written.ends() ?? []) : [shown[0], shown.at(-1)]
  const [next, prev] = back ? [!isEnd(position), more] : [more, position ? !isEnd(position) : page !== null && page > 1]
  return {
    is: 'listed',
    resource,
    lens,
    listing,
    asked,
    preset,
    rows: shown,
    written,
    total,
    // The first page is read along with the count, without an extra row: if it is full and the count was capped, more rows follow.
    goesOn: more || (total !== null && !total.exact && skipped === 0 && (written?.count ?? rows.length) === perPage),
    nextCursor: !counted && next ? cursor(last, 'after') : null,
    prevCursor: !counted && prev ? cursor(first, 'before') : null,
    related: call.wants.labels
      ? await withAllTrashed(call, lens, shown, await related)
      : related instanceof Promise
        ? await related
        : related,
    moves: resource.reorderable ? await movesBeside(call, listing, lens, shown) : null,
    summary: resource.summary.length > 0 ? await summarized(call, lens, listing) : null,
    drawn: null,
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
    const both =
      fields && skipped <= near ? await writerOf(store)?.counted?.(resource.model, queryOf(fromStart), fields, perPage, countUpTo) : null
    if (both) return [totalOf(both.total), both.page] as const
    if (skipped === 0) return Promise.all([counting(), read({ offset: 0, limit: perPage })])
    const total = await counting()
    return [total, await read(total.exact ? nearer(total.count) : { offset: skipped, limit: perPage + 1 })] as const
  }

  function uncounted() {
    if (limited) return { offset: 0, limit: perPage }
    return position ? positioned(position, perPage + 1) : { offset: skipped, limit: perPage + 1 }
  }

  /** Reads the page from the nearer end, since the database reads all rows that an offset skips. */
  function nearer(total: number) {
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

/** One row as the list shows it, wherever it is in the list: to refresh a row on the screen. */
export async function listRow(call: Call, number: number): Promise<ListedRow> {
  const { identity, realm, resource, store, preset = null } = call
  const { lens, listing, relations } = viewOf(call)
  const found = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!found) throw notThere(call)
  const [row = found] = await withFollowed(identity, lens, [found], realm.storeOf)
  const related = await withAllTrashed(call, lens, [row], await readRelated(realm, identity, lens, [row], relations))
  return { is: 'row', resource, lens, preset, row, number, related, moves: await movesBeside(call, listing, lens, [row]) }
}

/** What a list was asked for, and the lens of the caller. */
export function viewOf({ identity, realm, resource, input, wants, chosen, preset }: Call) {
  allow(realm, identity, resource, 'viewAny')
  const followed = followedFields(realm, identity, resource)
  const view = { name: wants.view, whole: wants.wholeRows, ...(preset?.fields && { only: preset.fields }), followed } as const
  const plain = lensOf(identity, resource, view)
  const listing = listQuery(realm, identity, plain, input.query, wants.strict, preset)
  const also = [...ownColumns(listing.order), ...listing.include.map(({ field }) => field.key)]
  // The URL takes precedence over preferences: a link shows the same columns to everybody.
  const only = listing.fields ?? (preset ? preset.fields : shownColumns(realm, identity, resource, chosen.columns.get(resource.uriKey)))
  const enough = only === null && also.every((column) => plain.at.has(column))
  const lens = enough ? plain : lensOf(identity, resource, { ...view, ...(only && { only }), also })
  return { lens, listing, relations: wants.labels ? relationsOf(realm, identity, lens) : listing.include }
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
function isEnd({ values }: Position): boolean {
  return values.length === 0
}

function positioned(position: Position, limit: number) {
  return isEnd(position) ? { limit, fromEnd: position.side === 'before' } : { limit, position }
}
