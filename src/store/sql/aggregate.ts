import { type SQL, sql } from 'drizzle-orm'
import { both, type Condition, isAlways } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { Aggregation, Grouping } from '../store.js'
import { columnsAsked, conditionSql, namesRead, readCondition } from './condition.js'
import type { Codec, Mapped } from './dialect.js'
import { Draft, type Slot } from './draft.js'
import type { Planned, Planner } from './plan.js'

/** A statement whose rows are the values of the groupings, in the order of `columnsFirst`, and then the number. */
export function planAggregate(planner: Planner, model: Model, { of, column, where, by, order, limit }: Aggregation): Planned {
  const { dialect } = planner
  const table = planner.table(model)
  const draft = new Draft('aggregate', table)
  const groupings = columnsFirst(by)
  const columns = groupings.filter(({ bounds }) => bounds === undefined).map((one) => table.column(one.column))
  const over = column === null ? null : table.column(column)
  const within = groupings.reduce((met, one) => both(met, inBounds(one)), where)
  draft.shape += `${of}${over?.id ?? ''}${order}(${by.map((one) => groupings.indexOf(one))}:`
  for (const { column: key, bounds } of groupings) {
    const codec = table.column(key)
    draft.shape += `${codec.id}/${bounds?.length ?? ''},`
    for (const bound of bounds?.slice(1, -1) ?? []) draft.values.push(codec.compare(bound, 'lt'))
  }
  readCondition(draft, dialect, within)
  draft.values.push(limit)
  const plan = planner.plan(
    draft,
    (slot) => {
      const groups = groupings.map((one) => groupSql(table, one, slot))
      const value = valueSql(of, over)
      const sorted = by.map((one) => {
        const { sortable, tally, nullable } = table.column(one.column)
        const place = number(groupings.indexOf(one))
        // What is written twice with a bound value in it is not the same for PostgreSQL.
        return one.bounds ? place : dialect.orderBy(tally ? place : sortable, 'ASC', nullable, false)
      })
      const steps = order === 'value' ? [dialect.orderBy(number(groupings.length), 'DESC', true, false), ...sorted] : sorted
      const grouped =
        groupings.length > 0
          ? sql` group by ${sql.join(
              groupings.map((_, index) => number(index)),
              sql`, `,
            )} order by ${sql.join(steps, sql`, `)}`
          : sql``
      const met = isAlways(within) ? sql`` : sql` where ${conditionSql(table, dialect, within, slot)}`
      return sql`select ${sql.join([...groups, value], sql`, `)} from ${table.model.table}${met}${grouped} limit ${slot()}`
    },
    { columns, about: () => aboutColumns(table, [...columns, ...(over ? [over] : [])], within) },
  )
  return { plan, values: draft.values, grouped: true }
}

/** Those of intervals are part of the condition, too. */
function aboutColumns(table: Mapped, codecs: readonly Codec[], where: Condition): readonly string[] | null {
  const [read, asked] = [namesRead(codecs), columnsAsked(table, where)]
  return read && asked && [...read, ...asked]
}

/** Columns come before intervals, since only they are decoded. */
export function columnsFirst(by: readonly Grouping[]): readonly Grouping[] {
  return [...by.filter(({ bounds }) => bounds === undefined), ...by.filter(({ bounds }) => bounds !== undefined)]
}

/** The condition that a value lies in one of the intervals. */
function inBounds({ column, bounds }: Grouping): Condition {
  if (!bounds) return { op: 'and', all: [] }
  return {
    op: 'and',
    all: [
      { op: 'gte', column, value: bounds[0] },
      { op: 'lt', column, value: bounds.at(-1) },
    ],
  }
}

function groupSql(table: Mapped, { column, bounds }: Grouping, slot: Slot): SQL {
  const codec = table.column(column)
  if (!bounds) return codec.sql
  const inner = bounds.slice(1, -1).map(() => slot())
  return intervalSql(codec, inner, 0, inner.length)
}

/** The number of the interval that a value lies in. Halved at each step, so that 365 intervals take nine comparisons of a row. */
function intervalSql(codec: Codec, bounds: readonly SQL[], from: number, to: number): SQL {
  if (from === to) return sql.raw(String(from))
  const middle = Math.floor((from + to) / 2)
  const [below, above] = [intervalSql(codec, bounds, from, middle), intervalSql(codec, bounds, middle + 1, to)]
  return sql`case when ${codec.sortable} < ${bounds[middle]} then ${below} else ${above} end`
}

/** Computed as doubles, since a sum of integers may overflow the database's largest. */
function valueSql(of: Aggregation['of'], over: Codec | null): SQL {
  return over === null ? sql`count(*)` : sql`${functions[of]}(${over.sql} * 1.0)`
}

const functions = { count: sql`count`, sum: sql`sum`, average: sql`avg`, smallest: sql`min`, largest: sql`max` } as const

/** A column of the result, by its number. */
function number(index: number): SQL {
  return sql.raw(String(index + 1))
}
