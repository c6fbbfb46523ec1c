import { a, type Setting, type Settings } from '../../base/setting.js'
import type { Period } from '../../field/period.js'
import type { Span } from '../../field/span.js'
import type { Where } from '../condition/condition.js'
import { type ColumnsOf, type Declared, type NumbersOf, uriOf, type WhereOf } from '../condition/declared.js'
import type { PeriodFilter } from '../condition/page-choice.js'
import { aCondition, aResource, madeWith } from '../model/sorts.js'
import { refuse, refuseWrong } from '../problem.js'
import type { Figure } from './figure.js'

/** As many colours as people tell apart in a chart: that many series, or parts of a ring. What is beyond has that of the rest. */
export const chartColours = 5

/** A number over each group of a resource's records that the user may see, made with `groups`. */
export interface Groups {
  /** What is computed of each group. */
  readonly of: Figure['of']
  /** The resource, or its URI. */
  readonly resource: Declared | string
  /** The column that it is over; null for a count. */
  readonly column: string | null
  /** The column whose values form the groups. */
  readonly by: string
  /** The period that forms them, over a column of times; null: its values do. */
  readonly every: Period | null
  /** How many periods, of which the last is the current one. */
  readonly last: number
  /** The period that the groups are of, as users of the page choose it; null: they are the last ones. */
  readonly within: PeriodFilter | Span | null
  /** The column whose values form a series each; null: there is one series. */
  readonly split: string | null
  /** The condition that records must meet; null: none. */
  readonly where: Where<Record<string, unknown>> | null
  /** The most groups that values form; null: as many as its kind of chart tells apart. */
  readonly limit: number | null
  /** `value`: the largest number first; `group`: in the order of the values. */
  readonly order: 'value' | 'group'
  /** Whether counts and sums add up the groups beyond `limit`, and the series beyond five, as one more. */
  readonly others: boolean
}

/** How the records of a resource are grouped. */
export interface GroupedBy<R extends Declared | string> {
  /** The column whose values form the groups: a select, a switch, a relation, a text, a number; or, with `every`, a column of times. */
  readonly by: ColumnsOf<R>
  /** Groups by periods, in the time zone of the user. Without records, a period has the number 0 or, of other than counts and sums, none. */
  readonly every?: Period
  /**
   * How many periods, of which the last is the current one: from 1 to 366. Default: 24 hours, 30 days, 12 weeks, 12 months, 8 quarters, 10
   * years.
   */
  readonly last?: number
  /**
   * The period of the page that the groups divide, in place of `last`. Without `every`, its length decides whether by hours, days, months,
   * quarters or years. While users have chosen none, `last` counts, by `month` unless `every` says otherwise.
   */
  readonly within?: PeriodFilter
  /** Another column, whose five largest values form a series each. Default: there is one series. */
  readonly split?: ColumnsOf<R>
  /** The condition that records must meet. Default: all records. */
  readonly where?: WhereOf<R>
  /** The most groups, from 1 to 50. Not with `every`. Default: 10; in a doughnut 5, as many as there are colours. */
  readonly limit?: number
  /** `false` leaves out what is beyond `limit` or the five series; counts and sums else add it up as one more. Default: `true`. */
  readonly others?: boolean
  /** `value`: the largest number first; `group`: in the order of the values, as lists are sorted. Not with `every`. Default: `value`. */
  readonly order?: 'value' | 'group'
}

type Of = <const R extends Declared | string>(resource: R, column: NumbersOf<NoInfer<R>>, by: GroupedBy<NoInfer<R>>) => Groups

/**
 * Numbers over groups of a resource's records, within the user's scope, for charts. They are read when a user opens the page.
 *
 * @example
 * ```ts
 * import { defineResource, groups } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const orders = sqliteTable('orders', {
 *   id: integer().primaryKey(),
 *   status: text({ enum: ['open', 'paid'] }).notNull(),
 *   total: integer().notNull(),
 *   createdAt: integer({ mode: 'timestamp' }).notNull(),
 * })
 * const Orders = defineResource({ model: orders })
 *
 * export const byStatus = groups.count(Orders, { by: 'status' })
 * export const salesByMonth = groups.sum(Orders, 'total', { by: 'createdAt', every: 'month', last: 24, split: 'status' })
 * ```
 */
export const groups: {
  /** The number of records in each group. */
  count<const R extends Declared | string>(resource: R, by: GroupedBy<NoInfer<R>>): Groups
  /** The sum of a column of numbers: a double, exact to 2^53. Records without a value are ignored. */
  readonly sum: Of
  /** The average of a column of numbers. Records without a value are ignored. */
  readonly average: Of
  /** The smallest value of a column of numbers. */
  readonly smallest: Of
  /** The largest value of a column of numbers. */
  readonly largest: Of
} = Object.freeze({
  count: (resource: Declared | string, by: unknown) => made('count', resource, null, by as GroupedBy<string>),
  sum: of('sum'),
  average: of('average'),
  smallest: of('smallest'),
  largest: of('largest'),
})

/** The periods of a chart over any time. */
export const everyByDefault: Period = 'month'

/** How many periods there are if `last` does not say. */
const usual: { readonly [P in Period]: number } = { hour: 24, day: 30, week: 12, month: 12, quarter: 8, year: 10 }

function of(kind: Figure['of']): Of {
  return (resource: Declared | string, column: string, by: unknown) => made(kind, resource, column, by as GroupedBy<string>)
}

const settings: Settings<GroupedBy<string>> = {
  by: a.text,
  every: a.value,
  last: a.value,
  within: a.object,
  split: a.text,
  where: aCondition,
  limit: a.value,
  order: a.value,
  others: a.switch,
}

/** What a chart may group by itself. */
export const aGroups: Setting = madeWith('groups, such as groups.count()', 'of', 'by')

function made(kind: Figure['of'], resource: Declared | string, column: string | null, spec: GroupedBy<string>): Groups {
  // A misspelt `where` would count all records.
  refuse(`groups.${kind}()`, resource, aResource)
  refuseWrong(`groups.${kind}(${uriOf(resource)})`, spec, settings, 'by')
  const { by, every, last, within, split, where, limit, order = 'value', others = true } = spec
  return Object.freeze({
    of: kind,
    resource,
    column,
    by,
    every: every ?? null,
    last: last ?? (every !== undefined ? usual[every] : within ? usual[everyByDefault] : 1),
    within: within ?? null,
    split: split ?? null,
    where: where ?? null,
    limit: limit ?? null,
    order,
    others,
  })
}
