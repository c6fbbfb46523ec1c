import type { ListQuery, Position, Row } from '../store/store.js'
import { allow, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { shownColumns } from './columns.js'
import { writeCursor } from './cursor.js'
import { noFilterRelations, readFilterRelations } from './filter-relations.js'
import { findByKey, keyOf, notThere } from './key.js'
import { handsOutRecords, lensOf } from './lens.js'
import { listQuery } from './list-query.js'
import type { Listed, ListedRow, Streamed } from './outcome.js'
import { readRelated, relationsOf } from './related.js'
import { readChunks } from './stream.js'

// Beyond this many rows a capped count stops.
const cap = 10_000

/** The listing: one page of rows, counted unless the resource says not to; or all of them, where it has no pages. */
export async function list(call: Call): Promise<Listed | Streamed> {
  const { identity, realm, resource, store, preset = null } = call
  const { lens, listing, relations } = viewOf(call)
  const { where, order, perPage, position } = listing
  const asked = call.wants.labels ? await readFilterRelations(call, lens, listing) : noFilterRelations
  // A part of a page is never read on and on.
  if (!resource.usePagination && (preset?.name ?? null) === null)
    return { is: 'streamed', resource, lens, listing, asked, preset, chunks: await readChunks(call, lens, listing, relations) }
  const { page } = listing
  const limited = typeof preset?.limit === 'number'
  const skipped = ((page ?? 1) - 1) * perPage
  // One row more tells whether there is a next page, where nothing is counted.
  const counted = page !== null && !resource.simplePaginate && !limited
  // What code of the user's own gets, it may change.
  const shared = !handsOutRecords(resource) && lens.shown.every((one) => 'field' in one)
  const seen = call.seen ?? (counted && shared ? store.version?.() : undefined)
  const read = (which: Pick<ListQuery, 'position' | 'offset' | 'limit' | 'fromEnd'>) =>
    store.list(resource.model, { columns: lens.columns, where, order, shared, ...(seen !== undefined && { seen }), ...which })
  const [total, rows] = counted ? await countedPage() : [null, await read(uncounted())]
  const back = position?.side === 'before'
  const more = rows.length > perPage
  const shown = !more ? rows : part(rows, back ? 1 : 0, back ? rows.length : perPage)
  // An empty page leads back to the end that it lies beyond.
  const cursor = (row: Row | undefined, side: 'after' | 'before') =>
    writeCursor(resource, order, listing.hash, side, row ? order.map(({ column }) => row[lens.at.get(column) as number]) : null)
  const related = readRelated(realm, identity, lens, shown, relations)
  const [next, prev] = back ? [!isEnd(position), more] : [more, position ? !isEnd(position) : page !== null && page > 1]
  return {
    is: 'listed',
    resource,
    lens,
    listing,
    asked,
    preset,
    rows: shown,
    total,
    // The first page is read before anybody knows that there are more than are counted.
    goesOn: more || (total !== null && !total.exact && skipped === 0 && rows.length === perPage),
    nextCursor: !counted && next ? cursor(shown.at(-1), 'after') : null,
    prevCursor: !counted && prev ? cursor(shown[0], 'before') : null,
    related: related instanceof Promise ? await related : related,
  }

  /** The first page begins at the start whatever there is: it need not wait for the count. */
  async function countedPage() {
    if (skipped === 0) return Promise.all([count(), read({ offset: 0, limit: perPage })])
    const total = await count()
    return [total, await read(total.exact ? nearer(total.count) : { offset: skipped, limit: perPage + 1 })] as const
  }

  function uncounted() {
    if (limited) return { offset: 0, limit: perPage }
    return position ? positioned(position, perPage + 1) : { offset: skipped, limit: perPage + 1 }
  }

  /** A page is counted from the end that is nearer: what is skipped is read all the same. */
  function nearer(total: number) {
    const behind = total - skipped - perPage
    if (skipped <= behind) return { offset: skipped, limit: perPage }
    return { offset: Math.max(0, behind), limit: Math.max(0, Math.min(perPage, total - skipped)), fromEnd: true }
  }

  async function count() {
    if (resource.count === 'exact' || listing.exactTotal)
      return { count: await store.count(resource.model, where, undefined, seen), exact: true }
    const found = await store.count(resource.model, where, cap + 1, seen)
    return found > cap ? { count: cap, exact: false } : { count: found, exact: true }
  }
}

/** One row as the listing shows it, wherever in the list it stands: for who looks at that row and has it brought up to date. */
export async function listRow(call: Call, number: number): Promise<ListedRow> {
  const { identity, realm, resource, store, preset = null } = call
  const { lens, relations } = viewOf(call)
  const row = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!row) throw notThere(call)
  return { is: 'row', resource, lens, preset, row, number, related: await readRelated(realm, identity, lens, [row], relations) }
}

/** What a list was asked for, and what this caller sees of it. */
export function viewOf({ identity, realm, resource, input, wants, chosen, preset }: Call) {
  allow(realm, identity, resource, 'viewAny')
  const view = { name: wants.view, whole: wants.wholeRows, ...(preset?.fields && { only: preset.fields }) } as const
  const plain = lensOf(identity, resource, view)
  const listing = listQuery(realm, identity, plain, input.query, wants.strict, preset)
  const also = [...listing.order.map(({ column }) => column), ...listing.include.map(({ field }) => field.key)]
  // The address first: a link shows what it says to whoever follows it.
  const only = listing.fields ?? (preset ? preset.fields : shownColumns(identity, resource, chosen.columns.get(resource.uriKey)))
  const enough = only === null && also.every((column) => plain.at.has(column))
  const lens = enough ? plain : lensOf(identity, resource, { ...view, ...(only && { only }), also })
  return { lens, listing, relations: wants.labels ? [...relationsOf(realm, identity, lens).values()] : listing.include }
}

const parts = new WeakMap<readonly Row[], readonly Row[]>()

/** Some of what was read. Of a page that may be given again, which is frozen then, so is its part, and it is the very same: what others have made of it, they find by it. */
function part(rows: readonly Row[], start: number, end: number): readonly Row[] {
  const last = parts.get(rows)
  if (last?.length === end - start && last[0] === rows[start]) return last
  const some = rows.slice(start, end)
  if (Object.isFrozen(rows)) parts.set(rows, Object.freeze(some))
  return some
}

/** Before the end of the list, or after its start: what a cursor without values means. */
function isEnd({ values }: Position): boolean {
  return values.length === 0
}

function positioned(position: Position, limit: number) {
  return isEnd(position) ? { limit, fromEnd: position.side === 'before' } : { limit, position }
}
