import type { Bound } from '../../field/field.js'
import { localAt, periodShort, periodWords, startsIn, wireAt } from '../../field/period.js'
import { periodIn, type Span, startsWithin } from '../../field/span.js'
import { everyByDefault, type Groups } from '../../resource/pages/groups.js'
import type { ChartGroup } from '../outcomes/pages.js'
import { rangeFilters } from '../query/range-filters.js'
import type { Axis, ChartQuery } from './chart-axis.js'

const day = 86_400_000

/**
 * The last periods, of which the last one is now, or those of some days, in the time zone of the realm. They are intervals between instants,
 * so that a day has the hours that it had in that zone, in every database. Of the first and the last one, only what lies in those days is
 * part of the chart.
 */
export function periodsOf(query: ChartQuery, field: Bound, groups: Pick<Groups, 'every' | 'last'>, span: Span | null, now: number): Axis {
  const { call, resource, kept } = query
  const { realm } = call
  const { t, locale, timeZone } = realm
  const time = field.kind.time ?? 'instant'
  const local = localAt(now, timeZone)
  const every = span ? periodIn(span, groups.every, time) : (groups.every ?? everyByDefault)
  const starts = span ? startsWithin(every, span, time, timeZone) : startsIn(every, groups.last, local, time, timeZone)
  const edges = span ? starts.map((start) => Math.min(Math.max(start, span.from), span.until)) : starts
  const wires = edges.map((start) => wireAt(start, time, timeZone))
  const bounds = wires.map((wire) => field.kind.value(wire, field))
  const range = resource.filters.includes(field.key) ? rangeFilters(field, realm) : null
  // No list can be asked for two ranges of the same kind.
  const isRanged = kept?.some(([name]) => range?.names.includes(name)) ?? true
  const isJanuary = (start: number) => new Date(start).getUTCMonth() === 0
  const hasJanuary = starts.slice(0, -1).some(isJanuary)
  const made = starts.slice(0, -1).map((start, index): ChartGroup => {
    const at = new Date(start)
    const quarter = () => t('chart.quarter', { quarter: Math.floor(at.getUTCMonth() / 3) + 1, year: at.getUTCFullYear() })
    const short = periodShort(every, start, locale, isJanuary(start) ? 'year' : index === 0 && !hasJanuary ? 'both' : 'month')
    return {
      label: periodWords(every, start, locale) ?? quarter(),
      short: short ?? quarter(),
      wire: wires[index] as string,
      until: wires[index + 1] as string,
      isCurrent: local >= start && local < (starts[index + 1] as number),
      isOthers: false,
      tone: null,
      link:
        kept !== null && range && !isRanged
          ? { resource, query: [...kept, ...range.pairs(edges[index] as number, edges[index + 1] as number)] }
          : null,
    }
  })
  const column = field.key
  return {
    grouping: { column, bounds },
    keys: made.map((_, index) => index),
    groups: made,
    within: {
      op: 'and',
      all: [
        { op: 'gte', column, value: bounds[0] },
        { op: 'lt', column, value: bounds.at(-1) },
      ],
    },
    values: null,
    span: { from: edges[0] as number, until: Math.ceil((edges.at(-1) as number) / day) * day },
    hasMore: false,
  }
}
