import { type SQL, sql } from 'drizzle-orm'
import type { Order, Position } from '../store.js'
import type { Codec, Dialect, Mapped } from './dialect.js'
import type { Draft, Slot } from './draft.js'

/** Adds the shape and values of an order, and of a position in it, to a draft. */
export function readOrder(draft: Draft, table: Mapped, order: readonly Order[], position: Position | undefined): void {
  draft.shape += position ? `o${position.side}` : 'o'
  for (const [index, { column, direction }] of order.entries()) {
    const codec = table.column(column)
    const value = position?.values[index] ?? null
    draft.shape += `${direction}${codec.id}${position && value === null ? '0' : ','}`
    if (position && value !== null) draft.values.push(codec.place(value))
  }
  if (position && position.values.length !== order.length) throw new TypeError('A position needs one value for each step of the order')
}

/** The terms of ORDER BY. `terms` are the columns, or aliases of them. */
export function orderSql(table: Mapped, dialect: Dialect, order: readonly Order[], terms: readonly SQL[], reversed: boolean): SQL {
  const steps = order.map(({ column, direction }, index) =>
    dialect.orderBy(terms[index] as SQL, direction, table.column(column).nullable, reversed),
  )
  return sql.join(steps, sql`, `)
}

interface Step {
  readonly codec: Codec
  readonly ascending: boolean
  /** The bound value; null: NULL. */
  readonly value: SQL | null
}

/**
 * The condition of the rows beyond a position; takes its slots in the order of `readOrder`. If nulls begin or end beyond the position,
 * there are two conditions: all rows of the first come before all of the second. One condition with OR would make the database scan
 * everything before the position.
 */
export function positionSql(table: Mapped, order: readonly Order[], { values, side }: Position, slot: Slot): readonly SQL[] {
  const nullsLast = side === 'after'
  const steps = order.map(({ column, direction }, index): Step => {
    const value = values[index] ?? null
    return { codec: table.column(column), ascending: (direction === 'ASC') === nullsLast, value: value === null ? null : slot() }
  })
  const [first, ...rest] = steps as [Step, ...Step[]]
  if (!first.codec.nullable || (first.value === null) === nullsLast)
    return [rowsCompare(steps) ? rowValues(steps) : beyond(steps, nullsLast)]
  const column = first.codec.sortable
  if (nullsLast) return [beyond([{ ...first, codec: { ...first.codec, nullable: false } }, ...rest], true), sql`${column} is null`]
  return [sql`(${column} is null and ${beyond(rest, false)})`, sql`${column} is not null`]
}

/** Row values serve an index best, but need a single direction and no NULL. */
function rowsCompare(steps: readonly Step[]): boolean {
  return steps.every((step) => !step.codec.nullable && step.ascending === steps[0]?.ascending)
}

function rowValues(steps: readonly Step[]): SQL {
  const columns = sql.join(
    steps.map((step) => step.codec.sortable),
    sql`, `,
  )
  const values = sql.join(
    steps.map((step) => step.value as SQL),
    sql`, `,
  )
  return sql`(${columns}) ${steps[0]?.ascending ? sql`>` : sql`<`} (${values})`
}

// The first column is also compared by itself (>=), which gives the index a range to search.
function beyond([step, ...rest]: readonly Step[], nullsLast: boolean): SQL {
  if (step === undefined) return sql`1 = 0`
  const { codec, ascending, value } = step
  const column = codec.sortable
  if (value === null)
    return nullsLast ? sql`(${column} is null and ${beyond(rest, nullsLast)})` : sql`(${column} is not null or ${beyond(rest, nullsLast)})`
  const further = sql`${column} ${ascending ? sql`>` : sql`<`} ${value}`
  const furtherOrNull = codec.nullable && nullsLast ? sql`(${further} or ${column} is null)` : further
  if (rest.length === 0) return furtherOrNull
  const tied = sql`(${column} = ${value} and ${beyond(rest, nullsLast)})`
  if (codec.nullable && nullsLast) return sql`(${further} or ${column} is null or ${tied})`
  return sql`(${column} ${ascending ? sql`>=` : sql`<=`} ${value} and (${further} or ${tied}))`
}
