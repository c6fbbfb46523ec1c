import type { Identity } from '../auth/identity.js'
import type { Where } from './condition.js'
import type { ColumnsOf, Declared, WhereOf } from './declared.js'
import type { PageContext } from './page.js'

/** A number over the records of a resource that the caller may see: how many, or of one of their columns. */
export interface Figure {
  readonly of: 'count' | 'sum' | 'average' | 'smallest' | 'largest'
  readonly resource: Declared | string
  /** Null for a count. */
  readonly column: string | null
  readonly where: Where<Record<string, unknown>> | null
}

/** What a callback of a page gets. */
export interface ReadingContext extends PageContext {
  readonly pageUri: string
  readonly user: Identity
}

/** What a function of a page's own finds out: nothing, and a number that is none, are shown as no value. */
type Found = string | number | null | undefined
/** What a component shows: as it stands, a figure, or what a function of yours finds out. */
export type Reading = string | number | null | Figure | ((context: ReadingContext) => Found | Promise<Found>)

type Of = <const R extends Declared | string>(resource: R, column: ColumnsOf<NoInfer<R>>, where?: WhereOf<NoInfer<R>>) => Figure

/**
 * Figures over a resource, narrowed by the caller's scope. They are read when the page is.
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
  count<const R extends Declared | string>(resource: R, where?: WhereOf<NoInfer<R>>): Figure
  readonly sum: Of
  readonly average: Of
  /** The record that has the smallest is shown with it. */
  readonly smallest: Of
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
  return Object.freeze({ of: kind, resource, column, where: (where ?? null) as Figure['where'] })
}
