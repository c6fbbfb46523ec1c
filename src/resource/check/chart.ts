import type { Bound, ColumnType } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { periods } from '../../field/period.js'
import { uriOf } from '../condition/declared.js'
import { type Chart, namedGroups } from '../pages/component.js'
import { chartColours, type Groups } from '../pages/groups.js'
import type { Say } from '../problem.js'
import type { Resource } from '../resource.js'

/** Columns whose equal values are the same value in every database. */
const grouping: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'text', 'uuid', 'boolean'])
const [mostPeriods, mostGroups] = [366, 50]

/** What is wrong with the groups of a chart, besides what figures can have wrong. */
export function checkChart({ label, data, type }: Chart, at: string, resources: ReadonlyMap<string, Resource>, say: Say): void {
  if (typeof data === 'function') return
  const series = namedGroups(label, data)
  if (series.length === 0) say('chart-data', at, 'it has no series')
  if (series.length > chartColours) say('chart-data', at, `it has ${series.length} series, and colours tell ${chartColours} apart`)
  for (const { data: one } of series) checkGroups(one, at, resources, say)
  const split = series.some(({ data: one }) => one.split !== null)
  if (type === 'doughnut' && (series.length > 1 || split))
    say('chart-data', at, 'a doughnut shows one series: draw several as bars or lines')
  if (type === 'doughnut' && series.some(({ data: one }) => one.of !== 'count' && one.of !== 'sum'))
    say('chart-data', at, 'a doughnut shows parts of a whole: counts or sums')
  if (series.length < 2) return
  const [first] = series.map(({ data: one }) => one)
  const isOther = (one: Groups) => one.every !== first?.every || one.last !== first.last || one.within !== first.within
  if (split || series.some(({ data: one }) => (one.every === null && one.within === null) || isOther(one)))
    say('chart-data', at, 'several series need the same periods: the same `every`, `last` and `within`, and no `split`')
}

function checkGroups(groups: Groups, at: string, resources: ReadonlyMap<string, Resource>, say: Say): void {
  const uri = uriOf(groups.resource)
  const resource = resources.get(uri)
  // A resource that is not there has been reported with the figures.
  if (!resource) return
  const { by, every, last, within, split, limit, order } = groups
  const fieldOf = (name: string) => {
    const field = resource.fields.get(name)
    if (!field) say('component-field', at, `"${name}" is not a field of ${uri}. Valid: ${[...resource.fields.keys()].join(', ')}`)
    return field
  }
  const field = fieldOf(by)
  if (every !== null && !periods.includes(every)) say('chart-data', at, `\`every\` is one of ${periods.join(', ')}, not ${every}`)
  if (field) {
    const fault = every === null && within === null ? groupFault(field) : periodFault(field, every)
    if (fault !== null) say('chart-data', at, `"${by}" ${fault}`)
  }
  const parts = split === null ? undefined : fieldOf(split)
  const fault = parts && groupFault(parts)
  if (fault) say('chart-data', at, `"${split}" ${fault}`)
  if (split === by) say('chart-data', at, `\`split\` is "${split}", as \`by\``)
  if (order !== 'value' && order !== 'group') say('chart-data', at, `\`order\` is value or group, not ${order}`)
  for (const [name, value, most] of [
    ['last', last, mostPeriods],
    ['limit', limit, mostGroups],
  ] as const)
    if (value !== null && (!Number.isSafeInteger(value) || value < 1 || value > most))
      say('chart-data', at, `${name} must be a whole number from 1 to ${most}, not ${value}`)
}

function groupFault(field: Bound): string | null {
  const { kind, column } = field
  if (kind.time !== null) return 'holds times: say the periods, as `every`'
  const groups = grouping.has(column.type) || (kind.relation && column.type === 'numeric')
  if (!groups || kind.many(field) || !operatorsOf(field).includes('eq')) return 'holds no values that form groups'
  return null
}

function periodFault({ kind }: Bound, every: Groups['every']): string | null {
  if (kind.time === null) return 'holds no times, so no periods'
  return kind.time === 'day' && every === 'hour' ? 'holds days, which have no hours' : null
}
