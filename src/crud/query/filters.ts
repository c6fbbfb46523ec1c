import type { Identity } from '../../auth/identity.js'
import type { Bound, Operator } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { type Within, withins } from '../../field/within.js'
import { inAddress } from '../../field/zone.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'
import type { Query } from '../call/input.js'
import { asShown, comparisonFault, filterCondition, wrongText } from './filter-condition.js'
import { throughCondition } from './filter-fields.js'
import { isTooLong, mostLetters } from './search-text.js'
import { withinNames } from './within-names.js'

/** An active filter. */
export interface AppliedFilter {
  /** The field. */
  readonly field: Bound
  /** The operator. */
  readonly operator: Operator
  /** The values, as written. */
  readonly texts: readonly string[]
}

/** A filter with the condition that it amounts to. */
export interface ReadFilter extends AppliedFilter {
  readonly condition: Condition
}

/** Of which list filters are read, for whom, and who hears what is wrong with them. */
export interface FilterReading {
  readonly realm: Realm
  readonly identity: Identity
  readonly resource: Resource
  /** The fields that it can be filtered by. */
  readonly valid: ReadonlyMap<string, Bound>
  /** Whether a program reads what is wrong, which knows periods by their names. */
  readonly strict: boolean
  readonly say: (name: string, text: string) => void
}

/** The filters of a query, each with its condition. A faulty one is reported by name and left out. */
export function readFilters(query: Query, reading: FilterReading): readonly ReadFilter[] {
  const filters: ReadFilter[] = []
  for (const asked of askedFilters(query, reading)) {
    const read = readFilter(asked, reading)
    if (typeof read === 'string') reading.say(asked.name, read)
    else filters.push(read)
  }
  return filters
}

interface AskedFilter extends AppliedFilter {
  /** The parameter. */
  readonly name: string
}

/** The filters that a query names, in its order. What a field may be equal to is one filter, after the others. */
function* askedFilters(query: Query, { realm: { t }, valid, say }: FilterReading): Generator<AskedFilter> {
  const equals = new Map<Bound, string[]>()
  for (const [name, values] of query) {
    if (!name.startsWith('filter[')) continue
    const [whole, key = '', operator = 'eq', list] = /^filter\[([^\]]*)\](?:\[([a-zA-Z]+)\]|(\[\d*\]))?$/.exec(name) ?? []
    const texts = values.filter((text) => text !== '')
    const field = valid.get(key)
    if (!field) {
      // A malformed name is reported as it was written.
      say(name, t('query.unknownFilter', { name: whole === undefined ? name : key, names: [...valid.keys()].join(', ') || '–' }))
      continue
    }
    const operators = operatorsOf(field)
    if (!isAmong(operator, operators))
      say(name, t('query.unknownOperator', { name: operator, label: field.label, names: operators.join(', ') }))
    else if (texts.length > 1 && (operator !== 'eq' || list === undefined)) say(name, t('query.repeated', { name }))
    else if (texts.length > 0 && operator === 'eq') equals.set(field, [...(equals.get(field) ?? []), ...texts])
    else if (texts.length > 0) yield { name, field, operator, texts }
  }
  for (const [field, texts] of equals) yield { name: `filter[${field.key}]`, field, operator: 'eq', texts }
}

const isAmong = (name: string, operators: readonly Operator[]): name is Operator => (operators as readonly string[]).includes(name)

/** A filter with its condition, or what is wrong with it. */
function readFilter({ field, operator, texts }: AskedFilter, reading: FilterReading): ReadFilter | string {
  const { realm, identity, resource, strict } = reading
  const { t } = realm
  const through = realm.throughs.get(resource)?.get(field.key)
  const { key } = through?.of ?? field
  const made = filterCondition(through?.of ?? field, operator, texts, inAddress(realm))
  if (made === null) {
    if (operator === 'null') return t('field.notBoolean', { label: field.label })
    if (operator !== 'within') return wrongText(field, operator, texts, inAddress(realm), t)
    return t('field.notOption', { label: field.label, options: withinNames(Object.keys(withins) as Within[], strict, t) })
  }
  if ((made.op === 'contains' || made.op === 'startsWith') && isTooLong(made.text))
    return t('query.textTooLong', { label: field.label, letters: mostLetters })
  const fault = comparisonFault(key, field, (through?.target ?? resource).model, made, t)
  if (fault !== null) return fault
  const met = field.column.type === 'dateTime' && !field.column.asDate ? asShown(made) : made
  return { field, operator, texts, condition: through ? throughCondition(identity, resource, through, met) : met }
}
