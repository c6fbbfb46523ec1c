import { is, Table } from 'drizzle-orm'
import { builderOf } from '../field/builder.js'
import type { Field, Kind, Operator, RoleRule } from '../field/field.js'
import { date } from '../field/kinds/date.js'
import { dateTime } from '../field/kinds/date-time.js'
import { number } from '../field/kinds/number.js'
import { type CurrencyOptions, currencyFacts } from '../field/minor.js'
import type { StoredTime } from '../field/stored-time.js'
import type { Where } from './condition/condition.js'
import type { ColumnKey, NumberKey, Row } from './condition/declared.js'
import { shapeOf } from './model/model.js'
import type { ToldOf } from './tally.js'

type NumberOperator = Exclude<Operator, 'contains' | 'startsWith' | 'within'>
type TimeOperator = NumberOperator | 'within'
type Told = 'tally' | 'readOnly'

/**
 * A field that tells of related records. `V` is its value, `R` a row of the other table; `M` is what its type knows: the operators, and which
 * methods were called.
 */
export interface TallyField<V, R, M extends string = string> extends Field<V, M> {
  /** Only the related records that meet this condition count; a further call replaces it. Default: all of them. */
  where(where: Where<R>): TallyField<V, R, M>
  /** The digits after the decimal point that users see, from 0 to 20. Default: as many as the value has. */
  decimals(digits: number): TallyField<V, R, M>
  /**
   * Shows the numbers as amounts of a currency, as `number().currency('EUR')` does; with `{ minor: true }`, the column holds whole cents.
   * Default: as plain numbers.
   */
  currency(code: string, options?: CurrencyOptions): TallyField<V, R, M>
  /** Shows a unit behind the numbers, as `number().unit('kg')` does. Default: none. */
  unit(unit: string): TallyField<V, R, M>
  /** What users read. Default: the key as words. */
  label(label: string): TallyField<V, R, M>
  /** Lets users sort lists by the field. It is then computed of each record that the list has. */
  sortable(): TallyField<V, R, M | 'sortable'>
  /** `false` keeps the field out of the column picker. Default: `true`. */
  columnSelection(on: boolean): TallyField<V, R, M>
  /** A sample value for the OpenAPI document. Default: none. */
  example(value: NonNullable<V>): TallyField<V, R, M>
  /**
   * Who may see the field: `true`, `false` or role names. To everybody else, it is as if it were not declared. Default: `true`.
   *
   * @throws TypeError for anything else
   */
  visible(rule: RoleRule): TallyField<V, R, M | 'hidden'>
}

type Columns<T extends Table> = T['_']['columns']
type DataOf<T extends Table, K> = K extends keyof Columns<T> ? Columns<T>[K]['_']['data'] : never
/** The columns of days and times. */
type TimeKey<T extends Table> = {
  [K in ColumnKey<T>]: Columns<T>[K]['_'] extends { readonly data: Date } | { readonly columnType: 'PgDateString' | 'PgTimestampString' }
    ? K
    : never
}[ColumnKey<T>]

/** The columns of texts, which may hold times as well. */
type TextKey<T extends Table> = {
  [K in ColumnKey<T>]: Columns<T>[K]['_']['columnType'] extends 'SQLiteText' ? K : never
}[ColumnKey<T>]
type EndKey<T extends Table> = NumberKey<T> | TimeKey<T> | TextKey<T>
/** Of a text column somebody has to say how it holds times. */
type StoredAs<T extends Table, K> = K extends TextKey<T> ? readonly [stored: StoredTime] : readonly []

/** Of bigint and numeric columns it is text, as these are. */
type SumOf<T extends Table, K> = DataOf<T, K> extends number ? number : string
type EndOf<T extends Table, K> = DataOf<T, K> | null
type Ends<T extends Table, K extends string> = TallyField<
  EndOf<T, K>,
  Row<T>,
  (K extends NumberKey<T> ? NumberOperator : TimeOperator) | Told
>

/**
 * How many records of another table refer to a record: `countOf('Orders', orders, 'customerId')`. Its name is no column: lists, records,
 * callbacks and conditions have it beside their columns, and nobody writes it. Deleted records that are in the trash of a resource of the
 * panel don't count; else all do, whoever may see them.
 *
 * @param label what users read; undefined: the name as words
 * @param table the Drizzle table of the related records
 * @param by the column of it that refers to this record
 *
 * @example
 * ```ts
 * import { countOf, defineResource, id, largestOf, sumOf, text } from 'daymark'
 * import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull() })
 * const orders = sqliteTable('orders', {
 *   id: integer().primaryKey(),
 *   customerId: integer().notNull().references(() => customers.id),
 *   state: varchar({ enum: ['open', 'paid'] }).notNull(),
 *   total: integer().notNull(),
 *   createdAt: integer({ mode: 'timestamp' }).notNull(),
 * })
 *
 * export const Customers = defineResource({
 *   model: customers,
 *   fields: {
 *     id: id(),
 *     name: text('Name'),
 *     orderCount: countOf('Orders', orders, 'customerId').sortable(),
 *     openCount: countOf('Open orders', orders, 'customerId').where({ state: 'open' }),
 *     turnover: sumOf('Turnover', orders, 'customerId', 'total'),
 *     lastOrder: largestOf('Last order', orders, 'customerId', 'createdAt'),
 *   },
 *   filters: ['orderCount', 'lastOrder'],
 * })
 * ```
 */
export function countOf<T extends Table>(
  label: string | undefined,
  table: T,
  by: ColumnKey<NoInfer<T>>,
): TallyField<number, Row<T>, NumberOperator | Told> {
  return told(label, { of: 'count', table, by, over: null })
}

/**
 * The sum of a column over the records of another table that refer to a record; 0 without any. In JSON it is a number, of bigint and numeric
 * columns a text. Else as `countOf`.
 *
 * @param over the column to add up
 */
export function sumOf<T extends Table, const K extends NumberKey<NoInfer<T>>>(
  label: string | undefined,
  table: T,
  by: ColumnKey<NoInfer<T>>,
  over: K,
): TallyField<SumOf<T, K>, Row<T>, NumberOperator | Told> {
  return told(label, { of: 'sum', table, by, over })
}

/**
 * The average of a column over the records of another table that refer to a record, as a double; null without any. Else as `countOf`.
 *
 * @param over the column of numbers
 */
export function averageOf<T extends Table>(
  label: string | undefined,
  table: T,
  by: ColumnKey<NoInfer<T>>,
  over: NumberKey<NoInfer<T>>,
): TallyField<number | null, Row<T>, NumberOperator | Told> {
  return told(label, { of: 'average', table, by, over })
}

/**
 * The smallest number, or the first day or time, of the records of another table that refer to a record; null without any. Else as
 * `countOf`.
 *
 * @param over the column of numbers, days or times
 * @param stored how a text column holds its times, as `dateTime().stored()` takes it; for other columns nothing
 */
export function smallestOf<T extends Table, const K extends EndKey<NoInfer<T>>>(
  label: string | undefined,
  table: T,
  by: ColumnKey<NoInfer<T>>,
  over: K,
  ...[stored]: StoredAs<NoInfer<T>, K>
): Ends<T, K> {
  return told(label, { of: 'smallest', table, by, over, stored })
}

/**
 * The largest number, or the last day or time, of the records of another table that refer to a record; null without any. Else as `countOf`.
 *
 * @param over the column of numbers, days or times
 * @param stored how a text column holds its times, as `dateTime().stored()` takes it; for other columns nothing
 */
export function largestOf<T extends Table, const K extends EndKey<NoInfer<T>>>(
  label: string | undefined,
  table: T,
  by: ColumnKey<NoInfer<T>>,
  over: K,
  ...[stored]: StoredAs<NoInfer<T>, K>
): Ends<T, K> {
  return told(label, { of: 'largest', table, by, over, stored })
}

const own = {
  where: (where: object) => ({ where }),
  decimals: (decimals: number) => ({ decimals }),
  currency: currencyFacts,
  unit: (unit: string) => ({ unit }),
  tally: (tally: ToldOf) => ({ tally }),
}

/** It has the kind that a column of its values would have: how these are shown, filtered and sent is nothing new. */
function told<F>(label: string | undefined, tally: ToldOf): F {
  const field = builderOf<never, typeof own, never>(kindOf(tally), own, [])(label)
  return field.tally(Object.freeze(tally)).readOnly() as unknown as F
}

function kindOf({ table, over, stored }: ToldOf): Kind {
  if (stored !== undefined) return dateTime().kind
  // What is wrong is reported at start-up.
  const type = over !== null && is(table, Table) ? shapeOf(table).columns.get(over)?.type : undefined
  return (type === 'dateTime' ? dateTime() : type === 'date' ? date() : number()).kind
}
