import type { Bound } from '../../field/field.js'
import type { Condition } from '../../resource/condition/condition.js'
import { both } from '../../resource/condition/condition.js'
import type { Board } from '../../resource/pages/view.js'
import type { BoardColumn, Listed } from '../outcomes/lists.js'
import { countCap as cap } from '../query/list-query.js'
import { whereToQuery } from '../query/where-query.js'
import type { ViewRows, ViewSource } from './view-source.js'

type Total = Listed['total']

/** A board: a column of cards for each option, one for records without a value, and one for values that are no options any more. */
export async function readBoard(source: ViewSource, view: Board): Promise<ViewRows> {
  const { call, lens, listing } = source
  const field = lens.readable.get(view.field) as Bound
  const { key } = field
  const options = field.kind.options(field) ?? []
  const values = field.nullable ? [...options, null] : options
  const has = (value: unknown): Condition => ({ op: 'eq', column: key, value })
  const counts = await countsOf(source, key, options, values)
  const columnOf = async (value: unknown, where: Condition, count: Total): Promise<BoardColumn> => {
    const rows = count?.count === 0 ? [] : await source.rows(where, listing.order, view.limit + 1)
    return {
      value,
      rows: rows.slice(0, view.limit),
      count,
      goesOn: rows.length > view.limit,
      query: value === undefined ? null : whereToQuery({ [key]: value }, lens, call.realm),
    }
  }
  const found = await Promise.all([
    ...values.map((value) => columnOf(value, has(value), counts?.of.get(value) ?? null)),
    ...(counts && counts.others > 0 ? [columnOf(undefined, otherThan(key, options), { count: counts.others, exact: true })] : []),
  ])
  const columns = found.filter(({ value, rows }) => value !== null || rows.length > 0 || view.none)
  const isExact = counts !== null && [...counts.of.values()].every(({ exact }) => exact)
  const total = isExact ? [...counts.of.values()].reduce((sum, { count }) => sum + count, counts.others) : null
  return {
    drawn: { is: 'board', view, field, columns },
    rows: columns.flatMap(({ rows }) => rows),
    total: total === null ? null : { count: total, exact: true },
  }
}

interface Counts {
  /** How many records have each value. */
  readonly of: ReadonlyMap<unknown, NonNullable<Total>>
  /** How many have a value that is no option. */
  readonly others: number
}

/** Counts what columns hold, as far as the list itself counts; null: not at all. */
async function countsOf(
  source: ViewSource,
  column: string,
  options: readonly unknown[],
  values: readonly unknown[],
): Promise<Counts | null> {
  const { call, listing } = source
  const { resource, store } = call
  if (resource.simplePaginate) return null
  const countEach = (most?: number) =>
    Promise.all(values.map((value) => store.count(resource.model, both(listing.where, { op: 'eq', column, value }), most)))
  if (resource.count === 'capped' && !listing.exactTotal) {
    const found = await countEach(cap + 1)
    const of = found.map((count, i) => [values[i], count > cap ? { count: cap, exact: false } : { count, exact: true }] as const)
    // Whether there are any others could only be found out by looking at all records.
    return { of: new Map(of), others: 0 }
  }
  const [groups, others] = await Promise.all([
    store.aggregate(resource.model, {
      of: 'count',
      column: null,
      where: both(listing.where, among(column, options, values.includes(null))),
      by: [{ column }],
      order: 'group',
      limit: values.length,
      shared: true,
    }),
    store.count(resource.model, both(listing.where, otherThan(column, options))),
  ])
  const known = new Map(groups.map(({ by: [value], value: count }) => [value, count ?? 0]))
  // To a column that compares without case, as `citext` does, a value may be an option that is written otherwise.
  const found = groups.every(({ by: [value] }) => values.includes(value)) ? values.map((value) => known.get(value) ?? 0) : await countEach()
  return { of: new Map(values.map((value, i) => [value, { count: found[i] ?? 0, exact: true }])), others }
}

function among(column: string, options: readonly unknown[], orNone: boolean): Condition {
  const some: Condition = { op: 'in', column, values: options }
  return orNone ? { op: 'or', all: [{ op: 'eq', column, value: null }, some] } : some
}

function otherThan(column: string, options: readonly unknown[]): Condition {
  return {
    op: 'and',
    all: [
      { op: 'ne', column, value: null },
      { op: 'not', of: { op: 'in', column, values: options } },
    ],
  }
}
