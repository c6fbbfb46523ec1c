import { a, type Settings } from '../../base/setting.js'
import { type Within, withins } from '../../field/within.js'
import { type ColumnsOf, type ColumnValueOf, type Declared, uriOf } from '../condition/declared.js'
import { asChoice, type PeriodBefore, type PeriodFilter, type ValueFilter } from '../condition/page-choice.js'
import { refuseWrong } from '../problem.js'

/** The settings of `pageFilter.period`. */
export interface PeriodSpec<W extends Within = Within> {
  /** What users read beside it. Default: the panel's word for a period. */
  readonly label?: string
  /** The ready periods to choose from. Default: all that have begun. */
  readonly options?: readonly W[]
  /** The period of a page whose URL names none; there is always one, then. Default: any time, which users can also go back to. */
  readonly initial?: NoInfer<W>
}

/** The settings of `pageFilter.of`. */
export interface ValueSpec {
  /** What users read beside it. Default: the label of the field. */
  readonly label?: string
}

/**
 * What users choose on a page, in its URL: declared in `filters` of `definePage`, and named in conditions of its components, where nothing is
 * narrowed as long as nothing is chosen.
 *
 * @example
 * ```ts
 * import { definePage, defineResource, figure, metric, pageFilter } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const orders = sqliteTable('orders', {
 *   id: integer().primaryKey(),
 *   status: text({ enum: ['open', 'paid'] }).notNull(),
 *   createdAt: integer({ mode: 'timestamp' }).notNull(),
 * })
 * const Orders = defineResource({ model: orders })
 *
 * const period = pageFilter.period({ initial: 'last-30-days' })
 * const status = pageFilter.of(Orders, 'status')
 *
 * export const sales = definePage({
 *   uri: 'sales',
 *   title: 'Sales',
 *   filters: { period, status },
 *   components: [metric({ name: 'orders', label: 'Orders', value: figure.count(Orders, { status, createdAt: { within: period } }) })],
 * })
 * ```
 */
export const pageFilter: {
  /** A period: one of the ready ones, or from one day to another. */
  period<const W extends Within = Within>(spec?: PeriodSpec<W>): PeriodFilter
  /** A value of a field, with the control that its filter has in the lists of its resource. For users who may see that field. */
  of<const R extends Declared | string, const K extends ColumnsOf<NoInfer<R>>>(
    resource: R,
    field: K,
    spec?: ValueSpec,
  ): ValueFilter<ColumnValueOf<R, K>>
} = Object.freeze({ period, of })

/** Those that do not lie in the future. */
const usual = (Object.keys(withins) as Within[]).filter((name) => withins[name][1] <= 0 && !name.startsWith('next'))

const ofPeriods: Settings<PeriodSpec> = { label: a.text, options: a.list(a.text), initial: a.text }
const ofValues: Settings<ValueSpec> = { label: a.text }

function period(spec: PeriodSpec = {}): PeriodFilter {
  // A misspelt `initial` would show all records.
  refuseWrong('pageFilter.period', spec, ofPeriods)
  const { label, options = usual, initial } = spec
  const before = asChoice(Object.freeze<PeriodBefore>({ is: 'before' }))
  const made = { label: label ?? null, options: Object.freeze([...options]), initial: initial ?? null, before }
  return asChoice(Object.freeze<PeriodFilter>({ is: 'period', ...made }))
}

function of(resource: Declared | string, field: string, spec: ValueSpec = {}): ValueFilter<never> {
  refuseWrong(`pageFilter.of(${uriOf(resource)}, ${field})`, spec, ofValues)
  return asChoice(Object.freeze({ is: 'value', resource, field, label: spec.label ?? null }))
}
