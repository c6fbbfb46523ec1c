import type { Identity } from '../../auth/identity.js'
import { a, type Setting } from '../../base/setting.js'
import type { Where } from '../condition/condition.js'
import type { ColumnsOf, Declared, WhereOf } from '../condition/declared.js'
import type { PageChoice } from '../condition/page-choice.js'
import { aCondition, aResource, madeWith } from '../model/sorts.js'
import type { PageContext } from '../page.js'
import { refuseWrong } from '../problem.js'

/** A number over the records of a resource that the user may see, made with `figure`. */
export interface Figure {
  /** What is computed. */
  readonly of: 'count' | 'sum' | 'average' | 'smallest' | 'largest'
  /** The resource, or its URI. */
  readonly resource: Declared | string
  /** The column that it is over; null for a count. */
  readonly column: string | null
  /** The condition that records must meet; null: none. */
  readonly where: Where<Record<string, unknown>> | null
}

/** What the function of a value gets: the user, and the page. */
export interface ReadingContext extends PageContext {
  /** The URI of the page. */
  readonly pageUri: string
  /** The user who opens the page. */
  readonly user: Identity
  /** Returns what the user has chosen by a filter of the page; null: nothing. */
  chosen<V>(filter: PageChoice<V>): V | null
}

/** What a page's own function returns: null, `undefined` and `NaN` are shown as no value. */
type Found = string | number | null | undefined
/**
 * What a component shows: text, a number, a figure, or a function of yours that returns text or a number, at once or later. For null,
 * `undefined` and `NaN`, users see a dash and programs get null.
 */
export type Reading = string | number | null | Figure | ((context: ReadingContext) => Found | Promise<Found>)

/** A number over records. */
export const aFigure: Setting = madeWith('a figure, such as figure.count()', 'of', 'resource')

/** What a component may show. */
export const aReading: Setting = a.either(a.text, a.number, a.none, aFigure, a.function)

type Of = <const R extends Declared | string>(resource: R, column: ColumnsOf<NoInfer<R>>, where?: WhereOf<NoInfer<R>>) => Figure

/**
 * Numbers over the records of a resource, within the user's scope. They are read when a user opens the page.
 *
 * @example
 * ```ts
 * import { defineResource, figure } from 'daymark'
 * import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer().primaryKey(), population: integer().notNull() })
 * const Cities = defineResource({ model: cities })
 *
 * export const large = figure.count(Cities, { population: { gte: 1_000_000 } })
 * export const people = figure.sum(Cities, 'population')
 * ```
 */
export const figure: {
  /** The number of records. */
  count<const R extends Declared | string>(resource: R, where?: WhereOf<NoInfer<R>>): Figure
  /** The sum of a column of numbers: a double, exact to 2^53. Records without a value are ignored. */
  readonly sum: Of
  /** The average of a column of numbers. Records without a value are ignored. */
  readonly average: Of
  /** The smallest value of a column, and the record that has it. */
  readonly smallest: Of
  /** The largest value of a column, and the record that has it. */
  readonly largest: Of
} = Object.freeze({
  count: (resource: Declared | string, where?: unknown) => made('count', resource, null, where),
  sum: of('sum'),
  average: of('average'),
  smallest: of('smallest'),
  largest: of('largest'),
})

function of(kind: Figure['of']): Of {
  return (resource: Declared | string, column: string, where?: unknown) => made(kind, resource, column, where)
}

function made(kind: Figure['of'], resource: Declared | string, column: string | null, where: unknown): Figure {
  const settings = { resource: aResource, column: column === null ? a.none : a.text, where: aCondition }
  refuseWrong(`figure.${kind}()`, { resource, column, where }, settings, 'resource', 'column')
  return Object.freeze({ of: kind, resource, column, where: (where ?? null) as Figure['where'] })
}
