import type { Identity } from '../auth/identity.js'
import { DaymarkError, invalid } from '../base/errors.js'
import { askedFault, parseValue } from '../field/check.js'
import type { Bound } from '../field/field.js'
import { type KeyValue, parseKey } from '../field/key.js'
import { inAddress } from '../field/zone.js'
import { always, both, type Condition, isAlways } from '../resource/condition.js'
import { labelColumns } from '../resource/label.js'
import type { Model } from '../resource/model.js'
import { fixedChoices, isSelective, matchesOf } from '../resource/narrowing.js'
import type { Resource } from '../resource/resource.js'
import { isOfType } from '../resource/value.js'
import { fold } from '../store/fold.js'
import type { Order, Row } from '../store/store.js'
import { allow, allowRow, may, scopeOf } from './allow.js'
import { beginning } from './begun-with.js'
import type { Call, Input, Realm } from './call.js'
import { checkNames } from './check-names.js'
import { findByKey, keyOf, notThere } from './key.js'
import { type Lens, lensOf, rowObject } from './lens.js'
import { mostSteps, searchColumns } from './list-query.js'
import { matched } from './narrowed.js'
import type { Outcome } from './outcome.js'
import { type Choice, keysIn, labelOf } from './related.js'
import { scalar } from './scalar.js'
import { searchCondition, searchFault } from './search-text.js'
import { typedIs } from './typed-is.js'

// More results than this nobody reads before typing another letter.
const most = 20

/** The query parameter that names the record whose form asks. */
export const itemParameter = '_item'

/**
 * The records that a relation field may refer to, or by the name of the key, those of the resource itself. `?query=` is searched for in
 * their labels. `?value[name]=` says what is in the other fields of the form, and `?_item=` whose form it is.
 */
export async function search(call: Call): Promise<Outcome> {
  const { identity, realm, resource, input } = call
  // The choices are for those who may write or list.
  if (!may(realm, identity, resource, 'create') && !may(realm, identity, resource, 'update')) allow(realm, identity, resource, 'viewAny')
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const name = input.params?.get('field') ?? ''
  const field = readable.get(name) ?? null
  const target = field ? realm.links.get(field) : undefined
  const { key } = resource.model.key
  if (!target && name !== key) {
    const relations = [...readable.values()].filter((one) => realm.links.has(one)).map((one) => one.key)
    throw new DaymarkError('notFound', realm.t('query.unknownInclude', { name, names: [...new Set([...relations, key])].join(', ') }))
  }
  const query = askedFor(input, realm)
  const narrowed = await narrowedBy(call, readable, field, target)
  return { is: 'found', resource, field, query, choices: await choicesOf(realm, identity, target ?? resource, query, narrowed) }
}

/**
 * The records that can be chosen, as far as the request says what they depend on.
 *
 * @throws DaymarkError `invalid` for a value that the other field cannot have, `notFound` if there is no such record
 */
async function narrowedBy(
  call: Call,
  readable: ReadonlyMap<string, Bound>,
  field: Bound | null,
  target: Resource | undefined,
): Promise<Condition> {
  const { realm, resource, input, wants } = call
  const { t } = realm
  const others = field && target ? matchesOf(field).flatMap(([, ours]) => readable.get(ours) ?? []) : []
  const names = others.map(({ key }) => beginning(key))
  const isNarrow = field !== null && isSelective(field)
  if (wants.strict) checkNames(input.query, ['query', ...names, ...(isNarrow ? [itemParameter] : [])], t)
  if (!isNarrow || !target) return always
  const given = new Map(others.filter(({ key }) => input.query.has(beginning(key))).map((other) => [other, valueIn(other)]))
  const key = scalar(input.query, itemParameter, t)
  const record = key === '' ? null : await recordOf({ ...call, input: { ...input, key } })
  const now = (other: Bound) => (given.has(other) ? given.get(other) : record ? (record[other.key] ?? null) : undefined)
  const had = keysIn(field, record?.[field.key]).filter((one) => isOfType(target.model.key, one))
  const fixed = fixedChoices(field, target, realm.timeZone)
  // What the record has already, it may keep.
  const kept: Condition = had.length === 0 ? fixed : { op: 'or', all: [fixed, { op: 'in', column: target.model.key.key, values: had }] }
  return both(isAlways(fixed) ? fixed : kept, matched(field, target, resource.fields, now))

  function valueIn(other: Bound): unknown {
    const name = beginning(other.key)
    const text = scalar(input.query, name, t)
    if (text === '') return null
    const wire = other.kind.read(text, other, inAddress(realm))
    // A page sends what its form says, in the user's time zone and with numbers as they are written there.
    const value = (parseValue(other, wire) ?? parseValue(other, other.kind.read(text, other, realm)))?.value
    if (value === undefined) throw invalid(name, askedFault(other, wire, t))
    return value
  }
}

/** The record whose form asks. */
async function recordOf(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const { realm, identity, resource, store } = call
  allow(realm, identity, resource, 'update')
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const row = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!row) throw notThere(call)
  allowRow(realm, identity, resource, 'update', lens.columns, row)
  return rowObject(lens.columns, row)
}

/**
 * The query to search for.
 *
 * @throws DaymarkError `invalid` if it is too long or given several times
 */
export function askedFor({ query }: Input, { t }: Realm): string {
  const text = scalar(query, 'query', t).trim()
  const fault = searchFault(text, t)
  if (fault !== null) throw invalid('query', fault)
  return text
}

/**
 * The first matching records of a resource: first those whose label or key equals the query, then those whose label begins with it, then
 * the others, each sorted by label. Empty if the caller may not list them, or the query is too long.
 *
 * @param narrowed which of them can be chosen
 */
export async function choicesOf(
  realm: Realm,
  identity: Identity,
  target: Resource,
  query: string,
  narrowed: Condition = always,
): Promise<readonly Choice[]> {
  const lens = lensOf(identity, target, { name: 'index', whole: false, also: labelColumns(target) })
  const found = await foundBy(realm, identity, lens, query, most, narrowed)
  return found.map((row) => ({ key: lens.key(row), label: labelOf(lens, row) }))
}

/** The rows of these records, through a lens that has at least their labels. */
export async function foundBy(
  realm: Realm,
  identity: Identity,
  lens: Lens,
  query: string,
  limit: number,
  narrowed: Condition = always,
): Promise<readonly Row[]> {
  const target = lens.resource
  if (!may(realm, identity, target, 'viewAny') || searchFault(query.trim(), realm.t) !== null) return []
  const { model } = target
  const labels = labelFields(lens)
  const texts = labels.filter(({ column }) => column.type === 'text').map(({ key }) => key)
  const text = query.trim()
  const declared = searchColumns(lens)
  const exact: readonly Condition[] = [...keyIs(model, text), ...typedIs(realm, target, wholeFields(lens, labels, declared), text)]
  const where = scopeOf(identity, target, both(narrowed, matching(realm, target, searchable(lens.readable, texts, declared), text, exact)))
  const order = orderBy(labels, model.key.key)
  const read = (nearer: Condition) => realm.storeOf(target).list(model, { columns: lens.columns, where: both(where, nearer), order, limit })
  const first = await read(always)
  return first.length < limit || text === '' ? nearestFirst(first) : readNearest()

  /** All matches were read, so they only need sorting. */
  function nearestFirst(rows: readonly Row[]): readonly Row[] {
    const wanted = fold(text)
    const away = (row: Row) => {
      const [label] = texts
      const stored = label === undefined || target.label ? labelOf(lens, row) : String(row[lens.at.get(label) as number] ?? '')
      const shown = label === undefined ? stored : fold(stored)
      if (lens.key(row) === text || shown === wanted) return 0
      return label !== undefined && shown.startsWith(wanted) ? 1 : 2
    }
    return text === '' ? rows : rows.toSorted((a, b) => away(a) - away(b))
  }

  /** With too many matches, queries the nearest ones separately, each limited: sorting all matches by nearness would read all of them. */
  async function readNearest(): Promise<readonly Row[]> {
    const ofTexts = (op: 'sameText' | 'startsWith') => texts.map((column): Condition => ({ op, column, text }))
    const nearer = [[...exact, ...ofTexts('sameText')], ofTexts('startsWith')].filter((all) => all.length > 0)
    const found = new Map<string, Row>()
    const add = (rows: readonly Row[]) => {
      for (const row of rows) if (found.size < limit && !found.has(lens.key(row))) found.set(lens.key(row), row)
    }
    for (const all of nearer) if (found.size < limit) add(await read(all.length === 1 ? (all[0] as Condition) : { op: 'or', all }))
    add(first)
    return [...found.values()]
  }
}

/** The fields of the label that the user may read, as far as their columns can be sorted by: of a computed label, those that it needs. */
function labelFields({ readable, resource, label }: Lens): readonly Bound[] {
  if (resource.label && !label) return []
  return labelColumns(resource).flatMap((key) => {
    const field = readable.get(key)
    return field && !field.kind.many(field) && field.column.type !== 'json' ? [field] : []
  })
}

function orderBy(labels: readonly Bound[], key: string): readonly Order[] {
  const names = labels.slice(0, mostSteps - 1).map((field) => field.key)
  return (names.includes(key) ? names.slice(0, names.indexOf(key) + 1) : [...names, key]).map((column) => ({ column, direction: 'ASC' }))
}

/** The searched fields, and the texts of the label if no other text is searched. */
function searchable(readable: ReadonlyMap<string, Bound>, texts: readonly string[], declared: readonly string[]): readonly string[] {
  return declared.some((key) => readable.get(key)?.kind.exact === false) ? declared : [...declared, ...texts]
}

/** The fields that what was typed may be the whole value of: those that are searched so, and labels that are no text, as an order’s number. */
function wholeFields({ readable }: Lens, labels: readonly Bound[], declared: readonly string[]): readonly Bound[] {
  const whole = declared.flatMap((key) => readable.get(key) ?? []).filter(({ kind }) => kind.exact)
  return [...new Set([...whole, ...labels.filter(({ column }) => column.type !== 'text')])]
}

function matching(realm: Realm, resource: Resource, columns: readonly string[], query: string, exact: readonly Condition[]): Condition {
  const words = query.split(/\s+/u).filter(Boolean)
  if (words.length === 0) return { op: 'and', all: [] }
  return { op: 'or', all: [...exact, searchCondition(realm, resource, columns, words)] }
}

/** The condition that the key is what was typed, if that can be a key. */
function keyIs({ key }: Model, text: string): readonly Condition[] {
  const value: KeyValue | undefined = parseKey(text, key)
  return value === undefined ? [] : [{ op: 'eq', column: key.key, value }]
}
