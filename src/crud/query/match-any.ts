import type { Operator } from '../../field/field.js'
import type { AppliedFilter } from './filters.js'

const ends: ReadonlySet<Operator> = new Set(['from', 'to', 'gt', 'gte', 'lt', 'lte', 'within'])

/**
 * Filters as `match=any` takes them: a record matches if it meets all filters of one alternative. The ends of a range of a field are one,
 * since nearly every record lies beyond one end or before the other.
 */
export function filterAlternatives<F extends AppliedFilter>(filters: readonly F[]): readonly (readonly F[])[] {
  const found = new Map<string, F[]>()
  for (const one of filters) {
    const name = `${one.field.key} ${ends.has(one.operator) ? '' : one.operator}`
    const others = found.get(name)
    if (others) others.push(one)
    else found.set(name, [one])
  }
  return [...found.values()]
}
