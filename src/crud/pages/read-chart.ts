import type { Bound } from '../../field/field.js'
import { overValues } from '../../field/over-values.js'
import { daysWords, type Span, spanOf } from '../../field/span.js'
import { isWithin } from '../../field/within.js'
import { always, both } from '../../resource/condition/condition.js'
import { uriOf } from '../../resource/condition/declared.js'
import { isSpan } from '../../resource/condition/page-choice.js'
import { type Chart, type Charted, type NamedGroups, namedGroups } from '../../resource/pages/component.js'
import type { ReadingContext } from '../../resource/pages/figure.js'
import { chartColours, type Groups } from '../../resource/pages/groups.js'
import { whereOf } from '../../resource/relation/reach.js'
import type { Aggregated } from '../../store/store.js'
import { scopeOf } from '../call/allow.js'
import type { PageCall } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { resourceNamed } from '../call/resource-named.js'
import { aggregateValue } from '../list/aggregate.js'
import type { ChartRead, ChartSeries } from '../outcomes/pages.js'
import { whereToQuery } from '../query/where-query.js'
import type { Axis, ChartQuery } from './chart-axis.js'
import { categoriesOf, othersOf } from './chart-categories.js'
import { periodsOf } from './chart-periods.js'

type Caller = Pick<PageCall, 'identity' | 'realm'>
type Values = readonly (number | null)[]

/** The most groups that values form, unless a chart says otherwise. The parts of a ring are told apart by their colours. */
const usualGroups = { doughnut: chartColours, other: 10 } as const

/** Reads what a chart shows, within the caller's scope; null: they may not see a column of it. */
export async function readChart(call: Caller, { label, type, data }: Chart, ctx: ReadingContext): Promise<ChartRead | null> {
  if (typeof data === 'function') return charted(await data(ctx))
  const now = Date.now()
  const all = namedGroups(label, data)
  const read = await Promise.all(all.map((one) => readGroups(call, one, usualGroups[type === 'doughnut' ? type : 'other'], now)))
  const [first] = read
  if (!first || read.includes(null)) return null
  if (read.length === 1) return first
  // A list has the records of one resource, by one column.
  const isOneList = new Set(all.map(({ data: { resource, by } }) => `${uriOf(resource)} ${by}`)).size === 1
  const groups = isOneList ? first.groups : first.groups.map((group) => ({ ...group, link: null }))
  return { ...first, groups, series: read.flatMap((one) => one?.series ?? []) }
}

async function readGroups(call: Caller, { label, data: groups }: NamedGroups, usual: number, now: number): Promise<ChartRead | null> {
  const { identity, realm } = call
  const resource = resourceNamed(realm.resources, groups.resource)
  const { of, column, limit, order, where, others } = groups
  const span = isSpan(groups.within) ? groups.within : null
  const isOverTime = groups.every !== null || span !== null
  // The numbers of several groups add up to that of all; averages do not.
  const adds = of === 'count' || of === 'sum'
  const lens = lensOf(identity, resource, { name: 'index', whole: false })
  const { readable } = lens
  const by = readable.get(groups.by)
  const split = groups.split === null ? null : readable.get(groups.split)
  const over = column === null ? null : readable.get(column)
  if (!by || split === undefined || over === undefined) return null
  const scope = scopeOf(identity, resource, where ? whereOf(resource, where, realm.timeZone) : undefined)
  const query: ChartQuery = {
    call,
    resource,
    shownAs: over ? overValues(over) : null,
    kept: whereToQuery(where, lens, realm),
    adds,
    hasOthers: adds && others,
    ask: (groupings, within, limit, sort = order) =>
      realm
        .storeOf(resource)
        .aggregate(resource.model, { of, column, where: both(scope, within), by: groupings, order: sort, limit, shared: true }),
  }
  const axis = isOverTime ? periodsOf(query, by, groups, span, now) : await categoriesOf(query, by, { limit: limit ?? usual, order })
  const { series, hasMore } = split ? await partsOf(query, axis, split) : { series: [await wholeOf(query, axis, label)], hasMore: false }
  const days = axis.span ?? spanIn(groups.where, realm.timeZone)
  return {
    isOverTime,
    days: days && daysWords(days, realm.locale),
    isWhole: split !== null && adds,
    groups: axis.hasMore && query.hasOthers ? [...axis.groups, othersOf(realm)] : axis.groups,
    // Parts are subtracted from their whole before, while the cents of both are whole numbers.
    series: over ? series.map((one) => ({ ...one, values: one.values.map((value) => aggregateValue(over, value)) })) : series,
    hasMore: (axis.hasMore || hasMore) && !query.hasOthers,
  }
}

/** The days that a condition keeps to; null: it names none. */
function spanIn(where: Groups['where'], timeZone: string): Span | null {
  for (const test of Object.values(where ?? {})) {
    const within = Object(test).within as unknown
    if (isSpan(within)) return within
    if (typeof within === 'string' && isWithin(within)) return spanOf(within, timeZone)
  }
  return null
}

/** The one series of a chart without parts. */
async function wholeOf({ ask, adds, hasOthers, shownAs: field }: ChartQuery, axis: Axis, label: string): Promise<ChartSeries> {
  const values = valuesOf(axis.values ?? inOrder(axis, await ask([axis.grouping], always, axis.keys.length)), adds)
  const rest = axis.hasMore && hasOthers ? [restOf((await ask([], always, 1))[0]?.value ?? 0, values)] : []
  return { label, field, wire: undefined, isOthers: false, tone: null, values: [...values, ...rest] }
}

/** A series for each of the largest values of another column, and one for the rest. */
async function partsOf(
  query: ChartQuery,
  axis: Axis,
  field: Bound,
): Promise<{ readonly series: readonly ChartSeries[]; readonly hasMore: boolean }> {
  const hasRest = axis.hasMore && query.hasOthers
  // The rest are one more.
  const split = await categoriesOf(query, field, { limit: chartColours, order: 'value', within: hasRest ? always : axis.within })
  const most = axis.keys.length * split.keys.length
  const cells = await query.ask([axis.grouping, split.grouping], both(axis.within, split.within), most)
  const series = split.groups.map(({ label, wire, tone }, index): ChartSeries => {
    const own = cells.filter(({ by: [, key] }) => key === split.keys[index])
    const values = valuesOf(inOrder(axis, own), query.adds)
    const rest = hasRest ? [restOf(split.values?.[index] ?? 0, values)] : []
    return { label, field: query.shownAs, wire, isOthers: false, tone, values: [...values, ...rest] }
  })
  if (!split.hasMore || !query.hasOthers) return { series, hasMore: split.hasMore }
  const all = await wholeOf(query, axis, othersOf(query.call.realm).label)
  const values = all.values.map((total, index) =>
    restOf(
      total,
      series.map((one) => one.values[index] ?? null),
    ),
  )
  return { series: [...series, { ...all, isOthers: true, values }], hasMore: true }
}

/** The numbers of an axis in its order; null where there is none. */
function inOrder({ keys }: Axis, found: readonly Aggregated[]): Values {
  const byKey = new Map(found.map(({ by: [key], value }) => [key, value]))
  return keys.map((key) => byKey.get(key) ?? null)
}

/** Of no records there are 0, and their sum is 0; they have no average. What is no finite number, as an average of NaN, is none. */
function valuesOf(values: Values, adds: boolean): Values {
  return values.map((value) => (value === null ? (adds ? 0 : null) : finite(value)))
}

/**
 * What is left of a total; null if the total or a part is no number. Less than the rounding of doubles is nothing, except between whole
 * numbers, which are not rounded.
 */
function restOf(total: number | null, parts: Values): number | null {
  if (total === null || parts.includes(null)) return null
  const rest = total - parts.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  if ([total, ...parts].every(Number.isSafeInteger)) return rest
  return Math.abs(rest) < Math.abs(total) * 1e-12 ? 0 : finite(rest)
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)

/** What a function of the user's returned. */
function charted({ groups, series }: Charted): ChartRead {
  return {
    isOverTime: false,
    days: null,
    isWhole: false,
    groups: groups.map((label) => ({
      label: String(label),
      short: String(label),
      wire: undefined,
      until: null,
      isCurrent: false,
      isOthers: false,
      tone: null,
      link: null,
    })),
    series: series.map(({ label, values }) => ({
      label: String(label),
      field: null,
      wire: undefined,
      isOthers: false,
      tone: null,
      values: groups.map((_, index) => (typeof values[index] === 'number' ? finite(values[index]) : null)),
    })),
    hasMore: false,
  }
}
