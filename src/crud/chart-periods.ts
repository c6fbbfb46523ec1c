import type { Bound } from '../field/field.js'
import { operatorsOf } from '../field/kind.js'
import { localAt, type Period, periodShort, periodWords, startsIn, wireAt } from '../field/period.js'
import type { Asker, Axis } from './chart-axis.js'
import type { ChartGroup } from './outcome.js'
import { zonedText } from './typed-filters.js'

const day = 86_400_000

/**
 * The last periods, of which the last one is now, in the time zone of the realm. They are intervals between instants, so that a day has the
 * hours that it had in that zone, in every database.
 */
export function periodsOf({ call: { realm }, resource, hasLinks }: Asker, field: Bound, every: Period, last: number, now: number): Axis {
  const { t, locale, timeZone } = realm
  const time = field.kind.time ?? 'instant'
  const starts = startsIn(every, last, localAt(now, timeZone), time, timeZone)
  const wires = starts.map((start) => wireAt(start, time, timeZone))
  const bounds = wires.map((wire) => field.kind.value(wire, field))
  // Where the next period begins, as in the chart, but for columns of days: no text but a day lies between two of those.
  const ends = field.column.type === 'date' ? ({ operator: 'to', before: day } as const) : ({ operator: 'lt', before: 0 } as const)
  // An instant with its offset, so that whoever is sent the list sees the same records.
  const text = (local: number) => zonedText(field, field.kind.value(wireAt(local, time, timeZone), field), realm)
  const operators = operatorsOf(field)
  const linked = hasLinks && resource.filters.includes(field.key) && operators.includes('from') && operators.includes(ends.operator)
  const isJanuary = (start: number) => new Date(start).getUTCMonth() === 0
  const hasJanuary = starts.slice(0, -1).some(isJanuary)
  const groups = starts.slice(0, -1).map((start, index): ChartGroup => {
    const at = new Date(start)
    const quarter = () => t('chart.quarter', { quarter: Math.floor(at.getUTCMonth() / 3) + 1, year: at.getUTCFullYear() })
    const short = periodShort(every, start, locale, isJanuary(start) ? 'year' : index === 0 && !hasJanuary ? 'both' : 'month')
    return {
      label: periodWords(every, start, locale) ?? quarter(),
      short: short ?? quarter(),
      wire: wires[index] as string,
      until: wires[index + 1] as string,
      isCurrent: index === last - 1,
      isOthers: false,
      link: linked
        ? {
            resource,
            query: [
              [`filter[${field.key}][from]`, text(start)],
              [`filter[${field.key}][${ends.operator}]`, text((starts[index + 1] as number) - ends.before)],
            ],
          }
        : null,
    }
  })
  const column = field.key
  return {
    grouping: { column, bounds },
    keys: groups.map((_, index) => index),
    groups,
    within: {
      op: 'and',
      all: [
        { op: 'gte', column, value: bounds[0] },
        { op: 'lt', column, value: bounds.at(-1) },
      ],
    },
    values: null,
    hasMore: false,
  }
}
