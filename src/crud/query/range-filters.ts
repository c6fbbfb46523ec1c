import type { Bound } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { wireAt } from '../../field/period.js'
import type { Realm } from '../call/call.js'
import { valueToUrl } from './normalize-filters.js'

/** A parameter of a list's URL. */
export type Pair = readonly [name: string, text: string]

/** How the list of a resource is asked for what lies in a range of times or days. */
export interface RangeFilters {
  /** The names of the two filters. */
  readonly names: readonly [from: string, until: string]
  /** The filters for a range in local time read as UTC, whose end is no longer part of it. */
  pairs(from: number, until: number): readonly Pair[]
}

const day = 86_400_000

/** The range filters of a field; null: it has none that would end where a range does. */
export function rangeFilters(field: Bound, realm: Realm): RangeFilters | null {
  const { kind, key, column } = field
  const { time } = kind
  // A column of days has no text between two of them, so the last day of the range ends it.
  const end = column.type === 'date' ? ({ operator: 'to', before: day } as const) : ({ operator: 'lt', before: 0 } as const)
  const operators = operatorsOf(field)
  if (time === null || !operators.includes('from') || !operators.includes(end.operator)) return null
  // With its offset, an instant is the same whoever is sent the URL.
  const text = (local: number) => valueToUrl(field, kind.value(wireAt(local, time, realm.timeZone), field), realm)
  const names = [`filter[${key}][from]`, `filter[${key}][${end.operator}]`] as const
  return {
    names,
    pairs: (from, until) => [
      [names[0], text(from)],
      [names[1], text(until - end.before)],
    ],
  }
}
