import type { Translate } from '../../base/messages.js'
import { askedFault, parseAsked, parseEnd, parseOne } from '../../field/check.js'
import type { Bound, Json, Operator, Zone } from '../../field/field.js'
import { keyFromWire } from '../../field/key.js'
import { endsOfSpan, spanOf } from '../../field/span.js'
import { isWithin } from '../../field/within.js'
import { comparedFault } from '../../resource/condition/compared.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import { storeMessage } from './store-message.js'

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
export function asShown(made: Condition): Condition {
  if (made.op === 'in') return { op: 'or', all: made.values.map((value) => asShown({ op: 'eq', column: made.column, value })) }
  if ((made.op !== 'eq' && made.op !== 'ne') || made.value === null) return made
  const { op, column, value } = made
  if (op === 'eq') return both({ op: 'gte', column, value }, { op: 'lte', column, value })
  const others = (['lt', 'gt'] as const).map((by) => ({ op: by, column, value }))
  return { op: 'or', all: [...others, { op: 'eq', column, value: null }] }
}

/** What is wrong with the texts of a filter that could not be read. */
export function wrongText(field: Bound, operator: Operator, texts: readonly string[], zone: Zone, t: Translate): string {
  const read = texts.map((each) => field.kind.read(operator === 'contains' ? JSON.stringify([each]) : each, field, zone))
  return askedFault(
    field,
    read.find((each) => parserOf(operator)(field, each) === null),
    t,
  )
}
