import type { Around } from '../face/face.js'
import type { Order } from '../store/store.js'
import type { AnyList } from './any-list.js'
import type { SortView } from './components/table.js'
import { listUrl } from './list-url.js'

/** What a list is sorted by, with the ways to other orders. */
export interface SortingView {
  readonly steps: readonly {
    readonly label: string
    readonly direction: SortView['direction']
    /** The other way round. */
    readonly turn: string
    /** Without it; null where it is the only one. */
    readonly remove: string | null
  }[]
  /** What decides where all of these are equal. */
  readonly also: readonly { readonly label: string; readonly href: string }[]
}

/** The way to sort a list by one of its columns, alone or after those that it is sorted by; null where it cannot be. */
export function sortBy({ lens, listing: { sort } }: AnyList, at: Around, key: string): SortView | null {
  const field = lens.readable.get(key)
  if (!field || !(field.sortable || key === lens.resource.model.key.key)) return null
  const place = sort.findIndex(({ column }) => column === key)
  const step = sort[place]
  // Numbers are asked for from the top, names from the beginning.
  const fresh: Order = { column: key, direction: field.kind.align === 'end' ? 'DESC' : 'ASC' }
  return {
    direction: step ? directionOf(step) : null,
    place: place < 0 ? null : place + 1,
    several: sort.length > 1,
    href: sortUrl(at, [place === 0 && step ? turned(step) : fresh]),
    also: sortUrl(at, step ? sort.map((one) => (one === step ? turned(one) : one)) : [...sort, fresh]),
  }
}

/** All of it, for a menu. */
export function sortingOf(list: AnyList, at: Around): SortingView | null {
  const { lens, listing } = list
  const { sort } = listing
  const all = [...lens.readable.values()].flatMap(({ key, label }) => {
    const way = sortBy(list, at, key)
    return way ? [{ label, way }] : []
  })
  if (all.length < 2) return null
  return {
    steps: sort.map((step) => ({
      label: lens.readable.get(step.column)?.label ?? step.column,
      direction: directionOf(step),
      turn: sortUrl(
        at,
        sort.map((one) => (one === step ? turned(one) : one)),
      ),
      remove:
        sort.length === 1
          ? null
          : sortUrl(
              at,
              sort.filter((one) => one !== step),
            ),
    })),
    also: all.filter(({ way }) => way.place === null).map(({ label, way }) => ({ label, href: way.also })),
  }
}

function sortUrl(at: Around, steps: readonly Order[]): string {
  return listUrl(at, { sort: steps.map(({ column, direction }) => (direction === 'DESC' ? `-${column}` : column)).join(',') })
}

function turned({ column, direction }: Order): Order {
  return { column, direction: direction === 'ASC' ? 'DESC' : 'ASC' }
}

function directionOf({ direction }: Order): 'ascending' | 'descending' {
  return direction === 'ASC' ? 'ascending' : 'descending'
}
