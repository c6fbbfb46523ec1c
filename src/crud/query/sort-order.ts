import type { Identity } from '../../auth/identity.js'
import type { Resource } from '../../resource/resource.js'
import type { Order } from '../../store/store.js'
import type { Lens } from '../call/lens.js'
import type { Preset } from '../call/preset.js'
import type { QueryReader } from '../input/query-reader.js'
import { alongOf } from './filter-fields.js'
import { queryNames } from './query-names.js'

// The SQL of an order nests parentheses per step, and SQLite limits their depth.
export const mostSortSteps = 8

/** The order that `sort` asks for, or the list's own. */
export function readSort(reader: QueryReader, identity: Identity, lens: Lens, preset: Preset | undefined): readonly Order[] {
  const steps = reader.names('sort', queryNames(lens).sort, 'query.unknownSort')
  if (steps.length > mostSortSteps) reader.report('sort', reader.t('query.tooManySteps', { max: mostSortSteps }))
  return sortOf(lens, steps.slice(0, mostSortSteps), preset).map((step) => {
    const through = lens.throughs.get(step.column)
    return through ? { ...step, along: alongOf(identity, through) } : step
  })
}

function sortOf({ resource, readable, throughs }: Lens, names: readonly string[], preset: Preset | undefined): readonly Order[] {
  if (names.length > 0) {
    const steps = new Map<string, Order>()
    for (const name of names) {
      const column = name.replace(/^-/, '')
      if (!steps.has(column)) steps.set(column, { column, direction: name.startsWith('-') ? 'DESC' : 'ASC' })
    }
    return [...steps.values()]
  }
  const declared = preset?.sort?.filter(({ column }) => readable.has(column)) ?? []
  if (declared.length > 0) return declared
  const { sortColumn, sortDirection, model } = resource
  const isThere = readable.has(sortColumn) || throughs.has(sortColumn)
  return [{ column: isThere ? sortColumn : model.key.key, direction: sortDirection }]
}

/** An order made total by the key, which takes the direction of the step before it, so that one index serves both. */
export function totalOrder({ model }: Resource, sort: readonly Order[]): readonly Order[] {
  const key = model.key.key
  const end = sort.findIndex(({ column }) => column === key)
  // Steps after the key, which is unique, never matter.
  if (end >= 0) return sort.slice(0, end + 1)
  return [...sort, { column: key, direction: sort.at(-1)?.direction ?? 'DESC' }]
}

/** The columns of the list's own records that an order is by. */
export const ownColumns = (order: readonly Order[]): readonly string[] => order.filter(({ along }) => !along).map(({ column }) => column)
