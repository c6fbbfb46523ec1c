import { type KeyValue, keyText } from '../../field/key.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Order, Reads, Row } from '../../store/store.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { Moves } from '../outcomes/lists.js'
import type { Listing } from '../query/list-query.js'
import { mayMove } from './movable.js'

/** Which records a list has, in which order. */
type SortedList = Pick<Listing, 'where' | 'order' | 'sort'>

/** How the rows of a list can be moved, if it is sorted by their places alone and nothing beyond them is known; null: they cannot. */
export function movesIn(call: Call, { sort }: SortedList): Moves | null {
  const [step, ...more] = sort
  const { reorderable } = call.resource
  if (!call.wants.moves || !reorderable || step?.column !== reorderable.key || more.length > 0 || !mayMove(call)) return null
  return { direction: step.direction, before: null, after: null }
}

/** The same, with the neighbours of the rows. The rows have the columns of the order. */
export async function movesBeside(call: Call, listing: SortedList, lens: Lens, rows: readonly Row[]): Promise<Moves | null> {
  const moves = movesIn(call, listing)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!moves || !first || !last) return moves
  const [before, after] = await Promise.all([
    neighbour(call.store, listing, lens, first, 'before'),
    neighbour(call.store, listing, lens, last, 'after'),
  ])
  return { ...moves, before, after }
}

async function neighbour(
  reads: Reads,
  { where, order }: { readonly where: Condition; readonly order: readonly Order[] },
  lens: Lens,
  row: Row,
  side: 'before' | 'after',
): Promise<string | null> {
  const { model } = lens.resource
  const values = order.map(({ column }) => row[lens.at.get(column) as number])
  const [found] = await reads.list(model, { columns: [model.key.key], where, order, position: { values, side }, limit: 1 })
  return found ? keyText(found[0] as KeyValue) : null
}
