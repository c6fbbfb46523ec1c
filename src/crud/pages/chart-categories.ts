import type { Bound } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { always, type Condition } from '../../resource/condition/condition.js'
import { isOfType } from '../../resource/model/value.js'
import type { Groups } from '../../resource/pages/groups.js'
import { may } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import { valueWords } from '../call/value-words.js'
import type { ChartGroup } from '../outcomes/pages.js'
import { textAskingFor } from '../query/where-query.js'
import { readTarget } from '../relation/related.js'
import { relatedLabel, trashedLabel } from '../relation/related-label.js'
import { withTrashed } from '../relation/trashed.js'
import type { Axis, ChartQuery } from './chart-axis.js'

interface Which {
  /** The most of them. */
  readonly limit: number
  /** Which come first. */
  readonly order: Groups['order']
  /** The condition that their records must meet. Default: all do. */
  readonly within?: Condition
}

/** The first values of a column, with their numbers. */
export async function categoriesOf(query: ChartQuery, field: Bound, { limit, order, within = always }: Which): Promise<Axis> {
  const found = await query.ask([{ column: field.key }], within, limit + (query.hasOthers ? 2 : 1), order)
  // One group alone takes no more room by its own name than as the others.
  const most = query.hasOthers && found.length === limit + 1 ? found.length : limit
  const column = query.resource.model.columns.get(field.key)
  const seen = new Set<unknown>()
  // SQLite may hold a text in a column of numbers: no condition could name such a value. And several may be read as the same one.
  const shown = found.slice(0, most).filter(({ by: [value] }) => {
    if ((value !== null && !(column && isOfType(column, value))) || seen.has(value)) return false
    seen.add(value)
    return true
  })
  const keys = shown.map(({ by: [value] }) => value)
  const labels = await labelsOf(query, field, keys)
  return {
    grouping: { column: field.key },
    keys,
    groups: keys.map((key, index) => groupOf(query, field, key, labels[index] as string)),
    within: among(field.key, keys),
    values: shown.map(({ value }) => value),
    span: null,
    hasMore: shown.length < found.length,
  }
}

/** The group of all records that are in none of the others. */
export function othersOf({ t }: Realm): ChartGroup {
  const label = t('chart.others')
  return { label, short: label, wire: undefined, until: null, isCurrent: false, isOthers: true, tone: null, link: null }
}

function groupOf({ call: { realm }, resource, kept }: ChartQuery, field: Bound, key: unknown, label: string): ChartGroup {
  const operator = key === null ? 'null' : 'eq'
  const name = `filter[${field.key}]${key === null ? '[null]' : ''}`
  const canAsk = kept !== null && resource.filters.includes(field.key) && operatorsOf(field).includes(operator)
  const text = !canAsk ? null : key === null ? '1' : textAskingFor(key, field, operator, realm)
  return {
    label,
    short: label,
    wire: key === null ? null : field.kind.wire(key, field),
    until: null,
    isCurrent: false,
    isOthers: false,
    tone: key === null ? null : field.kind.tone(key, field),
    // Where the chart itself asks for that value, once is enough.
    link: canAsk && text !== null ? { resource, query: [...kept.filter(([other]) => other !== name), [name, text]] } : null,
  }
}

async function labelsOf({ call }: ChartQuery, field: Bound, keys: readonly unknown[]): Promise<readonly string[]> {
  const { identity, realm } = call
  const target = realm.links.get(field)
  const known = keys.filter((key) => key !== null)
  const isSeen = target && may(realm, identity, target, 'viewAny')
  const related = isSeen ? await withTrashed(call, target, await readTarget(identity, target, known, realm.storeOf), known) : null
  return keys.map((key) => {
    if (key === null) return realm.t('chart.none')
    const label = (related && (relatedLabel(related, key) ?? trashedLabel(related, key, realm.t))) ?? valueWords(field, key, realm)
    return label === '' ? realm.t('value.empty') : label
  })
}

/** The condition that a column has one of the values; null is one, too. */
function among(column: string, values: readonly unknown[]): Condition {
  const some: Condition = { op: 'in', column, values: values.filter((value) => value !== null) }
  return values.includes(null) ? { op: 'or', all: [{ op: 'eq', column, value: null }, some] } : some
}
