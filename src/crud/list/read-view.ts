import { both } from '../../resource/condition/condition.js'
import type { ListView } from '../../resource/pages/view.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import type { Listed } from '../outcomes/lists.js'
import type { Listing } from '../query/list-query.js'
import { ownColumns } from '../query/sort-order.js'
import { readRelated } from '../relation/related.js'
import { relationsOf } from '../relation/relation.js'
import { withAllTrashed } from '../relation/trashed.js'
import { noFilterRelations, readFilterRelations } from './filter-relations.js'
import { readBoard } from './read-board.js'
import { readCalendar } from './read-calendar.js'
import type { ViewSource } from './view-source.js'

/** A list as one of its views. The statements that it takes depend on the declaration alone. */
export async function readView(call: Call, listing: Listing, view: ListView): Promise<Listed> {
  const { identity, realm, resource, store, wants } = call
  const lens = viewLens(call, listing, view)
  const source: ViewSource = {
    call,
    listing,
    lens,
    rows: (where, order, limit) => store.list(resource.model, { columns: lens.columns, where: both(listing.where, where), order, limit }),
  }
  const { drawn, rows, total } = await (view.is === 'board' ? readBoard(source, view) : readCalendar(source, view))
  const related = await readRelated(realm, identity, lens, rows, relationsOf(realm, identity, lens))
  return {
    is: 'listed',
    resource,
    lens,
    listing,
    asked: wants.labels ? await readFilterRelations(call, listing) : noFilterRelations,
    preset: null,
    rows,
    written: null,
    total,
    goesOn: false,
    nextCursor: null,
    prevCursor: null,
    related: await withAllTrashed(call, lens, rows, related),
    moves: null,
    summary: null,
    drawn,
  }
}

/** What a view reads: what its cards show, the label of records, the fields that place and colour them, and what the list is sorted by. */
function viewLens({ identity, resource, wants }: Call, { order }: Listing, view: ListView): Lens {
  const { card, field } = view
  const only = [...new Set([...card, field, ...(view.is === 'calendar' && view.tone !== null ? [view.tone] : [])])]
  const also = [...(resource.label?.needs ?? [resource.column.key]), ...ownColumns(order)]
  return lensOf(identity, resource, { name: 'index', whole: wants.wholeRows, only, also })
}
