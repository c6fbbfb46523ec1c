import type { Bound, Operator } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { isWithin } from '../../field/within.js'
import { inAddress } from '../../field/zone.js'
import { combined, type Where } from '../../resource/condition/condition.js'
import { isSpan } from '../../resource/condition/page-choice.js'
import type { Realm } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { filterCondition } from './filter-condition.js'
import { type Pair, rangeFilters } from './range-filters.js'

/** The filters of a resource's list that ask for the same records as a condition; null: they cannot. */
export function whereToQuery(where: Where<Record<string, unknown>> | null, lens: Lens, realm: Realm): readonly Pair[] | null {
  if (where === null) return []
  if (combined in where) return null
  const all = Object.entries(where).map(([key, test]) => pairsOf(lens, key, test, realm))
  return all.includes(null) ? null : all.flatMap((one) => one ?? [])
}

function pairsOf(lens: Lens, key: string, test: unknown, realm: Realm): readonly Pair[] | null {
  const field = lens.resource.filters.includes(key) ? lens.readable.get(key) : undefined
  if (!field) return null
  if (typeof test !== 'object' || test === null || test instanceof Date) return pairOf(field, 'eq', test, realm)
  const all = Object.entries(test).map(([operator, value]) => pairOf(field, operator, value, realm))
  return all.includes(null) ? null : all.flatMap((one) => one ?? [])
}

/** A filter that asks for a value by an operator; null: there is none. */
function pairOf(field: Bound, operator: string, value: unknown, realm: Realm): readonly Pair[] | null {
  const name = (by: string) => `filter[${field.key}]${by === 'eq' ? '' : `[${by}]`}`
  const takes = (by: string) => (operatorsOf(field) as readonly string[]).includes(by)
  if (operator === 'eq' && value === null) return takes('null') ? [[name('null'), '1']] : null
  if (operator === 'null') return takes('null') ? [[name('null'), value === true ? '1' : '0']] : null
  if (!takes(operator) || value === null) return null
  if (operator === 'within') {
    if (!isSpan(value)) return typeof value === 'string' && isWithin(value) ? [[name('within'), value]] : null
    return value.name === null ? (rangeFilters(field, realm)?.pairs(value.from, value.until) ?? null) : [[name('within'), value.name]]
  }
  if (operator === 'contains' || operator === 'startsWith') return typeof value === 'string' ? [[name(operator), value]] : null
  const text = textAskingFor(value, field, operator as Operator, realm)
  return text === null ? null : [[name(operator), text]]
}

/**
 * The text of a filter that asks for a value; null: none does. An empty text asks for nothing, no filter takes a number beyond 2^53, and an
 * amount of cents in an integer column that has more than fifteen digits is read as another one.
 */
export function textAskingFor(value: unknown, field: Bound, operator: Operator, realm: Realm): string | null {
  const zone = inAddress(realm)
  const text = field.kind.text(value, field, zone)
  const asked = text === '' ? null : filterCondition(field, operator, [text], zone)
  if (asked === null) return null
  const isAnother = typeof value === 'number' && 'value' in asked && typeof asked.value === 'number' && asked.value !== value
  return isAnother ? null : text
}
