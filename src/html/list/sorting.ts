import type { PresenterContext } from '../../face/face.js'
import type { Order } from '../../store/store.js'
import type { SortView } from '../components/table.js'
import type { AnyList } from './any-list.js'
import { listUrl } from './list-url.js'

/** The sort order of a list, with links to other orders. */
export interface SortingView {
  readonly steps: readonly {
    readonly label: string
    readonly direction: SortView['direction']
    /** The URL with this step reversed. */
    readonly turn: string
    /** The URL without this step; null for the only one. */
    readonly remove: string | null
  }[]
  /** Further columns to sort by. */
  readonly also: readonly { readonly label: string; readonly href: string }[]
}

/** The sort links of a column, alone or in addition to the current order; null if it is not sortable. */
export function sortBy({ lens, listing: { sort } }: AnyList, at: PresenterContext, key: string): SortView | null {
  const field = lens.readable.get(key) ?? lens.throughs.get(key)?.shown
  if (!field || !(field.sortable || key === lens.resource.model.key.key)) return null
  const place = sort.findIndex(({ column }) => column === key)
  const step = sort[place]
  // People look for the largest numbers first, but for names in alphabetical order.
  const fresh: Order = { column: key, direction: field.kind.align === 'end' ? 'DESC' : 'ASC' }
  return {
    direction: step ? directionOf(step) : null,
    place: place < 0 ? null : place + 1,
    several: sort.length > 1,
    href: sortUrl(at, [place === 0 && step ? turned(step) : fresh]),
    also: sortUrl(at, step ? sort.map((one) => (one === step ? turned(one) : one)) : [...sort, fresh]),
  }
}

/** The full sort order, for a menu. */
export function sortingOf(list: AnyList, at: PresenterContext): SortingView | null {
  const { lens, listing } = list
  const { sort } = listing
  const fields = new Map([...lens.readable, ...[...lens.throughs].map(([key, { shown }]) => [key, shown] as const)])
  const all = [...fields.values()].flatMap(({ key, label }) => {
    const way = sortBy(list, at, key)
    return way ? [{ label, way }] : []
  })
  if (all.length < 2) return null
  return {
    steps: sort.map((step) => ({
      label: fields.get(step.column)?.label ?? step.column,
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

function sortUrl(at: PresenterContext, steps: readonly Order[]): string {
  return listUrl(at, { sort: steps.map(({ column, direction }) => (direction === 'DESC' ? `-${column}` : column)).join(',') })
}

function turned({ column, direction }: Order): Order {
  return { column, direction: direction === 'ASC' ? 'DESC' : 'ASC' }
}

function directionOf({ direction }: Order): 'ascending' | 'descending' {
  return direction === 'ASC' ? 'ascending' : 'descending'
}
