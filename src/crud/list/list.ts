import type { Row } from '../../store/store.js'
import { allow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, type LensView, lensOf } from '../call/lens.js'
import { findByKey, keyOf, notFoundError } from '../input/key.js'
import type { FilterRelations, Listed, ListedRow, Streamed } from '../outcomes/lists.js'
import { writeCursor } from '../query/cursor.js'
import { throughFields } from '../query/filter-fields.js'
import { type Listing, listQuery } from '../query/list-query.js'
import { namingFilters } from '../query/refused-filters.js'
import { ownColumns } from '../query/sort-order.js'
import { withThroughValues } from '../query/through-values.js'
import { subjectRelations } from '../relation/history-subjects.js'
import { readRelated } from '../relation/related.js'
import { columnsOfRelation, type Relation, relationsOf } from '../relation/relation.js'
import { withAllTrashed } from '../relation/trashed.js'
import { shownColumns } from './columns.js'
import { noFilterRelations, readFilterRelations } from './filter-relations.js'
import { jsonFields } from './json-fields.js'
import { movesBeside, movesIn } from './moves.js'
import { isEnd, readPage } from './read-page.js'
import { readView } from './read-view.js'
import { readChunks } from './stream.js'
import { readSummary } from './summary.js'

/** A list: one page of rows, counted unless the resource declares otherwise; or all rows, if it has no pages. */
export async function list(call: Call): Promise<Listed | Streamed> {
  const view = viewOf(call)
  return namingFilters(call, view.listing, () => read(call, view))
}

async function read(call: Call, view: View): Promise<Listed | Streamed> {
  const { resource, preset = null } = call
  const { lens, listing, relations } = view
  if (call.wants.views && listing.view) return readView(call, listing, listing.view)
  const asked = call.wants.labels ? await readFilterRelations(call, listing) : noFilterRelations
  // A table within a page is never streamed.
  if (resource.usePagination || (preset?.name ?? null) !== null) return paged(call, view, asked)
  const fields = jsonFields(call, lens, listing, relations, true)
  const chunks = await readChunks(call, lens, listing, relations, call.wants.labels, fields)
  const summary = await readSummary(call, lens, listing)
  return { is: 'streamed', resource, lens, listing, asked, preset, chunks, moves: movesIn(call, listing), summary }
}

async function paged(call: Call, { lens, listing, relations }: View, asked: FilterRelations): Promise<Listed> {
  const { identity, realm, resource, preset = null } = call
  const { order } = listing
  const { total, written, rows, more, goesOn } = await readPage(call, lens, listing, relations)
  const shown = lens.throughs.size === 0 ? rows : await withThroughValues(identity, lens, rows, realm.storeOf, order)
  const related = readRelated(realm, identity, lens, shown, relations)
  const cursors = total === null ? cursorsOf(lens, listing, written ? (written.ends() ?? []) : [shown[0], shown.at(-1)], more) : noCursors
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
    goesOn,
    nextCursor: cursors.next,
    prevCursor: cursors.prev,
    related: call.wants.labels
      ? await withAllTrashed(call, lens, shown, await related)
      : related instanceof Promise
        ? await related
        : related,
    moves: resource.reorderable ? await movesBeside(call, listing, lens, shown) : null,
    summary: resource.summary.length > 0 ? await readSummary(call, lens, listing) : null,
    drawn: null,
  }
}

const noCursors = { next: null, prev: null } as const

/** The cursors beside a page that nobody counted, made of its first and its last row. */
function cursorsOf(lens: Lens, { order, hash, page, position }: Listing, ends: readonly (Row | undefined)[], more: boolean) {
  const [first, last] = ends
  const back = position?.side === 'before'
  const [next, prev] = back ? [!isEnd(position), more] : [more, position ? !isEnd(position) : page !== null && page > 1]
  // The cursor of an empty page leads back to the end of the list beyond which it lies.
  const cursor = (row: Row | undefined, side: 'after' | 'before') =>
    writeCursor(lens, order, hash, side, row ? order.map(({ column }) => row[lens.at.get(column) as number]) : null)
  return { next: next ? cursor(last, 'after') : null, prev: prev ? cursor(first, 'before') : null }
}

/** One row as the list shows it, wherever it is in the list: to refresh a row on the screen. */
export async function listRow(call: Call, number: number): Promise<ListedRow> {
  const { identity, realm, resource, store, preset = null } = call
  const { lens, listing, relations } = viewOf(call)
  const found = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!found) throw notFoundError(call)
  const [row = found] = await withThroughValues(identity, lens, [found], realm.storeOf)
  const related = await withAllTrashed(call, lens, [row], await readRelated(realm, identity, lens, [row], relations))
  return { is: 'row', resource, lens, preset, row, number, related, moves: await movesBeside(call, listing, lens, [row]) }
}

/** What a list was asked for, as its caller may see it. */
interface View {
  readonly lens: Lens
  readonly listing: Listing
  /** The relations whose records are read, too. */
  readonly relations: readonly Relation[]
}

/** What a list was asked for, and the lens of the caller. */
export function viewOf({ identity, realm, resource, input, wants, chosen: preferences, preset }: Call): View {
  allow(realm, identity, resource, 'viewAny')
  const throughs = throughFields(realm, identity, resource)
  const view: LensView = { name: wants.view, whole: wants.wholeRows, ...(preset?.fields && { only: preset.fields }), throughs }
  const plain = lensOf(identity, resource, view)
  const listing = listQuery(realm, identity, plain, input.query, wants.strict, preset)
  const also = [...ownColumns(listing.order), ...listing.include.flatMap(columnsOfRelation)]
  // The URL takes precedence over preferences: a link shows the same columns to everybody.
  const only =
    listing.fields ?? (preset ? preset.fields : shownColumns(realm, identity, resource, preferences.columns.get(resource.uriKey)))
  const enough = only === null && also.every((column) => plain.at.has(column))
  const lens = enough ? plain : lensOf(identity, resource, { ...view, ...(only && { only }), also })
  return {
    lens,
    listing,
    relations: wants.labels ? [...relationsOf(realm, identity, lens), ...subjectRelations(realm, identity, lens)] : listing.include,
  }
}
