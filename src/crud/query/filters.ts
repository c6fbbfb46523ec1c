import type { Identity } from '../../auth/identity.js'
import type { Translate } from '../../base/messages.js'
import { askedFault, parseAsked, parseEnd, parseOne } from '../../field/check.js'
import type { Bound, Json, Operator, Zone } from '../../field/field.js'
import { keyFromWire } from '../../field/key.js'
import { operatorsOf } from '../../field/kind.js'
import { endsOfSpan, spanOf } from '../../field/span.js'
import { isWithin, type Within, withins } from '../../field/within.js'
import { inAddress } from '../../field/zone.js'
import { comparedFault } from '../../resource/condition/compared.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'
import type { Query } from '../call/input.js'
import { throughCondition } from './filter-fields.js'
import { isTooLong, mostLetters } from './search-text.js'
import { storeMessage } from './store-message.js'
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

/**
 * The filters of a query, each with its condition. A faulty one is reported by name and left out.
 *
 * @param strict whether a program reads what is wrong, which knows periods by their names
 */
export function readFilters(
  valid: ReadonlyMap<string, Bound>,
  resource: Resource,
  query: Query,
  realm: Realm,
  identity: Identity,
  strict: boolean,
  say: (name: string, text: string) => void,
): readonly ReadFilter[] {
  const { t } = realm
  const throughs = realm.throughs.get(resource)
  const found: ReadFilter[] = []
  const equals = new Map<string, string[]>()
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
    const operators: readonly string[] = operatorsOf(field)
    if (!operators.includes(operator))
      say(name, t('query.unknownOperator', { name: operator, label: field.label, names: operators.join(', ') }))
    else if (texts.length === 0) continue
    else if (operator === 'eq') {
      if (texts.length > 1 && list === undefined) say(name, t('query.repeated', { name }))
      else equals.set(key, [...(equals.get(key) ?? []), ...texts])
    } else if (texts.length > 1) say(name, t('query.repeated', { name }))
    else push(name, field, operator as Operator, texts)
  }
  for (const [key, texts] of equals) push(`filter[${key}]`, valid.get(key) as Bound, 'eq', texts)
  return found

  function push(name: string, field: Bound, operator: Operator, texts: readonly string[]): void {
    const through = throughs?.get(field.key)
    const { model } = through?.target ?? resource
    const made = filterCondition(through?.of ?? field, operator, texts, inAddress(realm))
    if ((made?.op === 'contains' || made?.op === 'startsWith') && isTooLong(made.text))
      say(name, t('query.textTooLong', { label: field.label, letters: mostLetters }))
    else if (made) {
      const fault = comparisonFault(through?.of.key ?? field.key, field, model, made, t)
      const met = field.column.type === 'dateTime' && !field.column.asDate ? asShown(made) : made
      if (fault === null)
        found.push({ field, operator, texts, condition: through ? throughCondition(identity, resource, through, met) : met })
      else say(name, fault)
    } else
      say(
        name,
        operator === 'null'
          ? t('field.notBoolean', { label: field.label })
          : operator === 'within'
            ? t('field.notOption', { label: field.label, options: withinNames(Object.keys(withins) as Within[], strict, t) })
            : wrongText(field, operator, texts, inAddress(realm), t),
      )
  }
}

/** Why a value cannot be compared with this column; null: it can. The store would refuse it, too, but by the name of the column. */
export function comparisonFault(key: string, { label }: Bound, { columns }: Model, made: Condition, t: Translate): string | null {
  const column = columns.get(key)
  const compared = made.op === 'has' ? column?.element : column
  if (!compared || (column?.link && made.op !== 'has')) return null
  const asked = 'value' in made ? [made.value] : made.op === 'in' ? made.values : []
  const values = column?.link ? asked.map((key) => keyFromWire(key as Json, compared.type)) : asked
  const fault = values.map((value) => comparedFault(compared, value)).find((one) => one !== null)
  if (fault === undefined) return null
  if (compared.options) return t('field.notOption', { label, options: compared.options.join(', ') })
  return storeMessage(fault, label, t) ?? `${label}: ${fault}`
}

const comparisons: { readonly [O in Operator]?: 'ne' | 'gt' | 'gte' | 'lt' | 'lte' } = {
  ne: 'ne',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  from: 'gte',
  to: 'lte',
}

/** The condition that a filter amounts to; null: its texts cannot be read. */
export function filterCondition(field: Bound, operator: Operator, texts: readonly string[], zone: Zone): Condition | null {
  const column = field.key
  const [text] = texts as readonly [string]
  if (operator === 'null')
    return /^(?:1|true)$/.test(text)
      ? { op: 'eq', column, value: null }
      : /^(?:0|false)$/.test(text)
        ? { op: 'ne', column, value: null }
        : null
  if (operator === 'within') return withinOf(field, text, zone)
  if (operator === 'contains' && field.kind.many(field)) {
    const one = parseOne(field, text, zone)
    return one && { op: 'has', column, value: one.value }
  }
  if (operator === 'contains' || operator === 'startsWith') return { op: operator, column, text }
  const values = texts.map((each) => parserOf(operator)(field, field.kind.read(each, field, zone)))
  if (values.includes(null)) return null
  const stored = values.map((each) => (each as { value: unknown }).value)
  const op = comparisons[operator]
  if (op) return { op, column, value: stored[0] }
  return stored.length === 1 ? { op: 'eq', column, value: stored[0] } : { op: 'in', column, values: stored }
}

/** The condition for a period that is told from now on: its days are those of the zone. */
function withinOf(field: Bound, name: string, { timeZone }: Zone): Condition | null {
  const { key: column, kind } = field
  if (kind.time === null || !isWithin(name)) return null
  const [from, until] = endsOfSpan(spanOf(name, timeZone), kind.time, timeZone).map((wire) => parseEnd(field, wire))
  return from && until ? both({ op: 'gte', column, value: from.value }, { op: 'lt', column, value: until.value }) : null
}

const ends: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte', 'from', 'to'])

const parserOf = (operator: Operator) => (ends.has(operator) ? parseEnd : parseAsked)

/**
 * Equality with a time in a column of texts, as a range: the column may hold more than the millisecond that is shown, and a store takes the
 * ends of a range for their whole millisecond.
 */
function asShown(made: Condition): Condition {
  if (made.op === 'in') return { op: 'or', all: made.values.map((value) => asShown({ op: 'eq', column: made.column, value })) }
  if ((made.op !== 'eq' && made.op !== 'ne') || made.value === null) return made
  const { op, column, value } = made
  if (op === 'eq') return both({ op: 'gte', column, value }, { op: 'lte', column, value })
  const others = (['lt', 'gt'] as const).map((by) => ({ op: by, column, value }))
  return { op: 'or', all: [...others, { op: 'eq', column, value: null }] }
}

/** What is wrong with the texts of a filter that could not be read. */
function wrongText(field: Bound, operator: Operator, texts: readonly string[], zone: Zone, t: Translate): string {
  const read = texts.map((each) => field.kind.read(operator === 'contains' ? JSON.stringify([each]) : each, field, zone))
  return askedFault(
    field,
    read.find((each) => parserOf(operator)(field, each) === null),
    t,
  )
}
