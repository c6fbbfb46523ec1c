import type { InferSelectModel, Table } from 'drizzle-orm'
import { DaymarkError } from '../../base/errors.js'
import { endsOfSpan, spanOf } from '../../field/span.js'
import { isWithin, type Within, withins } from '../../field/within.js'
import type { FullText } from '../model/full-text.js'
import { type Column, keyedBy, type Model, shapeOf } from '../model/model.js'
import { checkListed, checkSearch } from '../model/value.js'
import { checkCompared } from './compared.js'
import { isChoice, isSpan, type PeriodBefore, type PeriodFilter, type ValueFilter } from './page-choice.js'
import { areAlike, isValuesOf, picked, type ValuesOf } from './values-of.js'

/**
 * A condition on the records of a model, as data: what filters, scopes, query tags and cursors become, and what a store compiles. Columns
 * are keys of the model.
 */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly all: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition }
  /** `eq` and `ne` with null mean IS NULL and IS NOT NULL. `ne` with a value matches records without one; the others don't. */
  | { readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; readonly column: string; readonly value: unknown }
  /** The column has one of the values, or lists a record with one of these keys; an empty list matches nothing. */
  | { readonly op: 'in'; readonly column: string; readonly values: readonly unknown[] }
  /** The column has a value that the column `values` of another table of the database has in a row that meets `where`. */
  | { readonly op: 'among'; readonly column: string; readonly of: Model; readonly values: string; readonly where: Condition }
  /** The column holds a list that contains exactly this value, or lists the record with this key. */
  | { readonly op: 'has'; readonly column: string; readonly value: unknown }
  /** Ignores case in every alphabet; `%` and `_` are ordinary characters. */
  | { readonly op: 'contains' | 'startsWith' | 'sameText'; readonly column: string; readonly text: string }
  /** Each of the words is contained in some column, as with `contains`. */
  | { readonly op: 'search'; readonly columns: readonly string[]; readonly words: readonly string[] }
  /** Each of the words begins a word in some column; the database decides what a word is. There is at least one word and one column. */
  | { readonly op: 'fullText'; readonly columns: readonly string[]; readonly words: readonly string[]; readonly of: FullText }

export const always: Condition = Object.freeze({ op: 'and', all: [] })

export const never: Condition = Object.freeze({ op: 'or', all: [] })

/** Both conditions; a condition that is always true is dropped. */
export function both(a: Condition, b: Condition): Condition {
  if (isAlways(a)) return b
  if (isAlways(b)) return a
  return { op: 'and', all: [a, b] }
}

export function isAlways(condition: Condition): boolean {
  return condition.op === 'and' && condition.all.length === 0
}

type Columns = ReadonlyMap<string, Column>

export const combined: unique symbol = Symbol('condition')
/** Conditions combined by `allOf`, `anyOf` or `not`. */
export interface Combined<R> {
  readonly [combined]: { readonly op: 'and' | 'or' | 'not'; readonly of: readonly Where<R>[] }
}

type Test<V> =
  | V
  | null
  | ValueFilter<V>
  | {
      /** Records with this value; null: records without one. */
      readonly eq?: V | null | ValueFilter<V>
      /** Records with another value or none; null: records with a value. */
      readonly ne?: V | null
      /** Records with a larger value. */
      readonly gt?: V
      /** Records with this value or a larger one. */
      readonly gte?: V
      /** Records with a smaller value. */
      readonly lt?: V
      /** Records with this value or a smaller one. */
      readonly lte?: V
      /** Records with one of these values, or one of another table's (`valuesOf`); an empty list matches nothing. */
      readonly in?: readonly V[] | ValuesOf<V>
      /** Records whose list contains this value: json and array columns. */
      readonly has?: V extends readonly (infer One)[] ? One : never
      /** Records whose text contains this one, ignoring case; `%` and `_` are ordinary characters. */
      readonly contains?: V extends string ? string : never
      /** Records whose text starts with this one, ignoring case; `%` and `_` are ordinary characters. */
      readonly startsWith?: V extends string ? string : never
      /**
       * Records whose day or time is within a period that is told from now on, by the days of the user's time zone, else of the panel's. Where
       * a page or a list is declared, or in a handler or hook; not in a `scope`, which knows no time zone. In a component of a page, also the
       * period that its users choose (`pageFilter.period()`), or the one before.
       */
      readonly within?: V extends Date | string ? Within | PeriodFilter | PeriodBefore : never
      /** `true`: records without a value; `false`: records with one. */
      readonly null?: boolean
    }

/**
 * A condition on records: columns, each with a value or operators, all of which must match. Combine conditions with `allOf`, `anyOf` and
 * `not`.
 *
 * An unknown column, `undefined`, or a value that the column can't hold throws a `TypeError` where the condition is used, so that a mistake
 * never widens it.
 */
export type Where<R> = { readonly [K in keyof R]?: Test<NonNullable<R[K]>> } | Combined<R>

/**
 * Matches if one of the conditions does. Name the row's type, as below: the compiler does not infer it.
 *
 * @example
 * ```ts
 * import { anyOf } from 'daymark'
 *
 * interface City { population: number; isCapital: boolean }
 * export const known = anyOf<City>({ isCapital: true }, { population: { gte: 1_000_000 } })
 * ```
 */
export const anyOf = <R>(...of: readonly Where<NoInfer<R>>[]): Where<R> => ({ [combined]: { op: 'or', of } })
/** Matches if all of the conditions do. Name the row's type, as with `anyOf<City>(…)`. */
export const allOf = <R>(...of: readonly Where<NoInfer<R>>[]): Where<R> => ({ [combined]: { op: 'and', of } })
/**
 * Matches exactly the records that the condition doesn't match, including records without a value. Name the row's type, as with
 * `anyOf<City>(…)`.
 */
export const not = <R>(one: Where<R>): Where<R> => ({ [combined]: { op: 'not', of: [one] } })

/**
 * The values that a column has in another table of the same database, in all of its rows or in those that meet a condition: for the operator
 * `in` of a condition. It reads the table itself, whatever resources are declared over it.
 *
 * @example
 * ```ts
 * import { defineResource, valuesOf } from 'daymark'
 * import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
 *
 * const companies = sqliteTable('companies', { id: integer().primaryKey(), ownerId: integer('owner_id') })
 * const orders = sqliteTable('orders', { id: integer().primaryKey(), companyId: integer('company_id') })
 *
 * export const Orders = defineResource({
 *   model: orders,
 *   scope: ({ user }) => ({ companyId: { in: valuesOf(companies, 'id', { ownerId: Number(user.id) }) } }),
 * })
 * ```
 */
export function valuesOf<T extends Table, K extends keyof InferSelectModel<T> & string>(
  table: T,
  column: K,
  ...where: readonly [] | readonly [where: Where<NoInfer<InferSelectModel<T>>>]
): ValuesOf<NonNullable<InferSelectModel<T>[K]>> {
  return Object.freeze({ [picked]: { table, column, where } })
}

/**
 * Converts a condition of a declaration to data.
 *
 * @param timeZone of whom the days of `within` are; null: nobody is known
 * @throws TypeError for anything else, an unknown column or operator, or an invalid value: a mistake must never widen a policy
 */
export function condition<R>(where: Where<R>, columns: Columns, timeZone: string | null): Condition {
  if (!isPlain(where)) throw new TypeError(`A condition is an object of columns, not ${named(where)}`)
  if (combined in where) {
    const { op, of } = where[combined]
    const all = of.map((one) => condition(one, columns, timeZone))
    return op === 'not' ? { op, of: all[0] as Condition } : { op, all }
  }
  const all: Condition[] = []
  for (const [key, test] of Object.entries(where)) {
    const column = columns.get(key)
    if (column === undefined)
      throw new TypeError(`A condition names "${key}", which is not a column. Valid: ${[...columns.keys()].join(', ')}`)
    if (test === undefined) throw new TypeError(`The condition on "${key}" is undefined; write null for NULL`)
    if (test === null || (typeof test !== 'object' && typeof test !== 'function') || test instanceof Date) {
      all.push({ op: 'eq', column: key, value: comparable(column, test) })
      continue
    }
    const operators = isPlain(test) ? Object.entries(test) : []
    if (isChoice(test) || operators.some(([, value]) => isChoice(value)))
      throw new TypeError(`The condition on "${key}": a filter of a page has a value only in the components of that page`)
    if (operators.length === 0) throw new TypeError(`The condition on "${key}" is a value, or operators with theirs, not ${named(test)}`)
    for (const [op, value] of operators)
      all.push(
        op === 'within'
          ? within(column, value, timeZone)
          : op === 'in' && isValuesOf(value)
            ? among(column, value, timeZone)
            : single(op, column, value),
      )
  }
  return all.length === 1 ? (all[0] as Condition) : { op: 'and', all }
}

/** Whether it means other records tomorrow, though nothing changes: it has a period that is told from now on. */
export function isToldFromNow<R>(where: Where<R>): boolean {
  if (combined in where) return where[combined].of.some(isToldFromNow)
  return Object.values(where).some(
    (test) =>
      typeof test === 'object' &&
      test !== null &&
      (Object.hasOwn(test, 'within') || ('in' in test && isValuesOf(test.in) && (test.in[picked].where as Where<R>[]).some(isToldFromNow))),
  )
}

/** The columns of the record itself that a condition names. */
export function columnsIn(condition: Condition): readonly string[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.all.flatMap(columnsIn)
    case 'not':
      return columnsIn(condition.of)
    case 'search':
    case 'fullText':
      return condition.columns
    default:
      return [condition.column]
  }
}

/** The other tables whose values a condition compares with. */
export function othersIn(condition: Condition): readonly Model[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.all.flatMap(othersIn)
    case 'not':
      return othersIn(condition.of)
    case 'among':
      return [condition.of, ...othersIn(condition.where)]
    default:
      return []
  }
}

function among(column: Column, values: ValuesOf<unknown>, timeZone: string | null): Condition {
  const { table, column: key, where } = values[picked]
  const shape = shapeOf(table)
  const other = shape.columns.get(key)
  if (other === undefined)
    throw new TypeError(`valuesOf names "${key}", which is not a column of "${shape.name}". Valid: ${[...shape.columns.keys()].join(', ')}`)
  if (column.link) throw new TypeError(`The condition on "${column.key}": it lists records, and valuesOf has single values`)
  if (!areAlike(column, other))
    throw new TypeError(`The condition on "${column.key}": the values of "${shape.name}.${key}" are of another type, or stored another way`)
  const met = where.length === 0 ? always : condition(where[0] as Where<unknown>, shape.columns, timeZone)
  return { op: 'among', column: column.key, of: keyedBy(shape, other), values: key, where: met }
}

function within(column: Column, name: unknown, timeZone: string | null): Condition {
  const { key, type } = column
  const time = type === 'dateTime' ? 'instant' : type === 'date' || type === 'text' ? 'day' : null
  if (time === null) throw new TypeError(`The condition on "${key}": within takes a column of days or times`)
  const isNamed = typeof name === 'string' && isWithin(name)
  if (!isNamed && !isSpan(name)) throw new TypeError(`The condition on "${key}": within takes one of ${Object.keys(withins).join(', ')}`)
  if (timeZone === null)
    throw new TypeError(`The condition on "${key}": within needs a time zone, and a scope has none; compare with times of yours`)
  const span = isNamed ? spanOf(name, timeZone) : name
  const [from, until] = endsOfSpan(span, time, timeZone).map((wire) =>
    column.asDate ? new Date(time === 'day' ? `${wire}T00:00:00Z` : wire) : wire,
  )
  return both({ op: 'gte', column: key, value: from }, { op: 'lt', column: key, value: until })
}

/** Refuses a value of the wrong type. A user's id, for instance, is text even if the column that refers to it holds numbers. */
function comparable(column: Column, value: unknown): unknown {
  return declared(column, value, checkCompared)
}

/** The same check as for a caller's values, but a failure is a mistake of the declaration: a `TypeError`. */
function declared<V>(column: Column, value: V, check: (column: Column, value: V) => void): V {
  try {
    check(column, value)
    return value
  } catch (thrown) {
    if (!(thrown instanceof DaymarkError)) throw thrown
    throw new TypeError(`The condition on "${column.key}" has what no value of it is compared with: ${thrown.message}`, { cause: thrown })
  }
}

/**
 * Whether it is an object with own properties only. A promise, a list, a map or inherited properties would be read as no condition and
 * match every row.
 */
function isPlain(value: unknown): value is object {
  if (Object.prototype.toString.call(value) !== '[object Object]') return false
  for (const key in value as object) if (!Object.hasOwn(value as object, key)) return false
  return true
}

function named(value: unknown): string {
  const what = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return what === 'Object' ? 'what it is' : what
}

function single(op: string, column: Column, value: unknown): Condition {
  const { key } = column
  if (value === undefined) throw new TypeError(`The condition on "${key}" is undefined; write null for NULL`)
  switch (op) {
    case 'eq':
    case 'ne':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { op, column: key, value: comparable(column, value) }
    case 'has':
      return { op, column: key, value: declared(column, value, checkListed) }
    case 'in':
      if (!Array.isArray(value) || value.includes(undefined)) throw new TypeError(`The condition on "${key}": in takes a list of values`)
      return { op, column: key, values: value.map((one) => comparable(column, one)) }
    case 'contains':
    case 'startsWith':
      if (typeof value !== 'string') throw new TypeError(`The condition on "${key}": ${op} takes a text`)
      return { op, column: key, text: declared(column, value, checkSearch) }
    case 'null':
      if (typeof value !== 'boolean') throw new TypeError(`The condition on "${key}": null takes true or false`)
      return { op: value ? 'eq' : 'ne', column: key, value: null }
    default:
      throw new TypeError(`"${op}" is not an operator of a condition`)
  }
}
