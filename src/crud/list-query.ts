import type { Identity } from '../auth/identity.js'
import { DaymarkError } from '../base/errors.js'
import type { MessageKey, Translate } from '../base/messages.js'
import { askedFault, parseAsked, parseOne } from '../field/check.js'
import type { Bound, Operator, Zone } from '../field/field.js'
import { operatorsOf } from '../field/kind.js'
import { inAddress } from '../field/zone.js'
import { comparedFault } from '../resource/compared.js'
import { always, both, type Condition, never } from '../resource/condition.js'
import type { Model } from '../resource/model.js'
import type { Resource } from '../resource/resource.js'
import type { Order, Position } from '../store/store.js'
import { scopeOf } from './allow.js'
import type { Preset, Query, Realm } from './call.js'
import { listHash, readCursor } from './cursor.js'
import type { Lens } from './lens.js'
import { type Relation, relationsOf } from './related.js'

/** A filter that is in force, as it was written. */
export interface AppliedFilter {
  readonly field: Bound
  readonly operator: Operator
  readonly texts: readonly string[]
}

// A search looks at every row for every word: more than a person types is no search.
const mostWords = 20
export const mostLetters = 200
// Where nulls are and which way each step goes is nested for each step, and SQLite reads brackets to a certain depth.
export const mostSteps = 8

/** What a listing was asked for, checked against what is declared and what the caller may read. */
export interface Listing {
  readonly perPage: number
  /** Null: paged by cursor. */
  readonly page: number | null
  /** Without values: an end of the list. */
  readonly position: Position | null
  /** The steps that were asked for, or the default one. */
  readonly sort: readonly Order[]
  /** `sort`, made total by the key. */
  readonly order: readonly Order[]
  readonly filters: readonly AppliedFilter[]
  readonly search: string
  readonly tag: string | null
  /** The fields of `fields=`; null: those of the view. */
  readonly fields: readonly string[] | null
  readonly include: readonly Relation[]
  readonly exactTotal: boolean
  readonly where: Condition
  /** Of what makes it the same list; cursors carry it. Empty for a counted page. */
  readonly hash: string
  /** What was left aside, where the call is not strict. */
  readonly problems: ReadonlyMap<string, readonly string[]>
}

const parameters = ['page', 'perPage', 'cursor', 'sort', 'search', 'query-tag', 'filter[…]', 'fields', 'include', 'total'] as const
const scalars = new Set(['page', 'perPage', 'cursor', 'sort', 'search', 'query-tag', 'fields', 'include', 'total'])

/**
 * Reads the query of a listing. Only declared, readable fields can be named; hidden names answer exactly like unknown ones.
 *
 * @param strict an unknown name or a bad value is a 422 that names it and the valid ones; else it is left aside and said in `problems`
 */
export function listQuery(realm: Realm, identity: Identity, lens: Lens, query: Query, strict: boolean, preset?: Preset): Listing {
  const { resource } = lens
  const { t } = realm
  const problems = new Map<string, string[]>()
  const say = (name: string, text: string) => void problems.set(name, [...(problems.get(name) ?? []), text])
  const one = (name: string): string => {
    const values = query.get(name) ?? []
    if (values.length > 1) say(name, t('query.repeated', { name }))
    return values.length === 1 ? (values[0] as string) : ''
  }
  for (const name of query.keys()) {
    if (scalars.has(name) || name.startsWith('filter[')) continue
    if (strict) say(name, t('query.unknown', { name, names: parameters.join(', ') }))
  }
  const whole = (name: string, most: number | null, otherwise: number): number => {
    const text = one(name)
    if (text === '') return otherwise
    if (!/^[1-9]\d{0,14}$/.test(text)) say(name, t('query.notWhole', { name, min: 1 }))
    else if (most !== null && Number(text) > most) say(name, t('query.tooMany', { name, max: most }))
    else return Number(text)
    return otherwise
  }
  const named = (name: string, valid: readonly string[], message: MessageKey): readonly string[] => {
    const names = one(name).split(',').filter(Boolean)
    for (const wrong of names)
      if (!valid.includes(wrong)) say(name, t(message as 'query.unknownField', { name: wrong, names: valid.join(', ') || '–' }))
    return [...new Set(names.filter((each) => valid.includes(each)))]
  }

  const asked = whole('perPage', resource.maxItemsPerPage, preset?.perPage ?? resource.itemsPerPage)
  const perPage = preset?.limit ?? asked
  // The first so many, and nothing more: there is no other page of them.
  const limited = typeof preset?.limit === 'number'
  const page = whole('page', limited ? 1 : null, 1)
  const cursorText = one('cursor')
  if (cursorText !== '' && one('page') !== '') say('cursor', t('query.cursorAndPage'))
  const can = namesOf(lens)
  const steps = named('sort', can.sort, 'query.unknownSort')
  if (steps.length > mostSteps) say('sort', t('query.tooManySteps', { max: mostSteps }))
  const sort = sortOf(lens, steps.slice(0, mostSteps), preset)
  const filters = filtersOf(can.filter, resource, query, realm, say)
  const search = one('search').trim()
  const words = search.split(/\s+/u).filter(Boolean)
  const tooLong = searchFault(search, t)
  if (tooLong !== null) say('search', tooLong)
  const tag = one('query-tag')
  if (tag !== '' && !resource.queryTags.has(tag))
    say('query-tag', t('query.unknownTag', { name: tag, names: [...resource.queryTags.keys()].join(', ') || '–' }))
  const total = one('total')
  if (total !== '' && total !== 'exact') say('total', t('field.notOption', { label: 'total', options: 'exact' }))
  const fields = one('fields') === '' ? null : named('fields', can.fields, 'query.unknownField')
  const relations = relationsOf(realm, identity, lens)
  const include = named('include', [...relations.keys()], 'query.unknownInclude').map((name) => relations.get(name) as Relation)

  const order = totalOrder(resource, sort)
  // A counted page has no cursors.
  const hash =
    cursorText === '' && !resource.simplePaginate
      ? ''
      : listHash([
          resource.uriKey,
          preset?.name ?? null,
          order,
          filters.map(({ field, operator, texts }) => [field.key, operator, texts]),
          search,
          tag,
        ])
  const position = cursorText === '' || limited ? null : readCursor(resource, order, hash, cursorText)
  if (cursorText !== '' && position === null) say('cursor', t('query.badCursor'))

  if (strict && problems.size > 0) throw new DaymarkError('invalid', [...problems.values()].flat()[0] as string, { errors: problems })
  let where = scopeOf(identity, resource, both(preset?.where ?? always, resource.queryTags.get(tag)?.where ?? always))
  for (const filter of filters) where = both(where, filter.condition)
  const columns = can.search
  if (words.length > 0 && !problems.has('search')) where = both(where, searchCondition(resource, columns, words))
  const byCursor = position !== null || (resource.simplePaginate && !limited && one('page') === '')
  return {
    perPage,
    page: byCursor ? null : page,
    position,
    sort,
    order,
    filters,
    search,
    tag: resource.queryTags.has(tag) ? tag : null,
    fields,
    include,
    exactTotal: total === 'exact',
    where,
    hash,
    problems,
  }
}

/** Why nothing is searched for a text; null: it is. */
export function searchFault(search: string, t: Translate): string | null {
  const tooLong = isTooLong(search) || search.split(/\s+/u).filter(Boolean).length > mostWords
  return tooLong ? t('query.searchTooLong', { words: mostWords, letters: mostLetters }) : null
}

const isTooLong = (text: string) => text.length > mostLetters && [...text].length > mostLetters

/** What is true of the records that a search finds. With nothing to search in, or for, it finds nothing: it must not show everything. */
export function searchCondition({ fullText }: Resource, columns: readonly string[], words: readonly string[]): Condition {
  if (columns.length === 0) return never
  if (fullText === null || !columns.every((key) => fullText.columns.includes(key))) return { op: 'search', columns, words }
  // An index of words has nothing else in it.
  const found = words.filter((word) => /[\p{L}\p{N}]/u.test(word))
  return found.length > 0 ? { op: 'fullText', columns, words: found, of: fullText } : never
}

/** The columns that a search looks into. */
export function searchColumns(lens: Lens): readonly string[] {
  return namesOf(lens).search
}

/** What a caller may name in a query. */
interface Names {
  /** With both signs. */
  readonly sort: readonly string[]
  readonly filter: ReadonlyMap<string, Bound>
  readonly fields: readonly string[]
  readonly search: readonly string[]
}

const names = new WeakMap<Lens, Names>()

function namesOf(lens: Lens): Names {
  let known = names.get(lens)
  if (!known) {
    const { resource, readable, computed } = lens
    const fields = [...readable.values()]
    const sortable = fields.filter((field) => field.sortable || field.key === resource.model.key.key)
    known = {
      sort: sortable.flatMap(({ key }) => [key, `-${key}`]),
      filter: new Map(resource.filters.flatMap((key) => (readable.has(key) ? [[key, readable.get(key) as Bound] as const] : []))),
      fields: [...readable.keys(), ...computed.keys()],
      search: fields.filter((field) => field.own.searchable === true).map((field) => field.key),
    }
    names.set(lens, known)
  }
  return known
}

function sortOf({ resource, readable }: Lens, names: readonly string[], preset: Preset | undefined): readonly Order[] {
  if (names.length > 0) {
    const steps = new Map<string, Order>()
    for (const name of names) {
      const column = name.replace(/^-/, '')
      if (!steps.has(column)) steps.set(column, { column, direction: name.startsWith('-') ? 'DESC' : 'ASC' })
    }
    return [...steps.values()]
  }
  const declared = preset?.sort?.filter(({ column }) => readable.has(column)) ?? []
  if (declared.length > 0) return declared
  const { sortColumn, sortDirection, model } = resource
  return [{ column: readable.has(sortColumn) ? sortColumn : model.key.key, direction: sortDirection }]
}

// The key goes the way of the step before it, so that one index serves both.
function totalOrder({ model }: Resource, sort: readonly Order[]): readonly Order[] {
  const key = model.key.key
  const end = sort.findIndex(({ column }) => column === key)
  // What stands behind the key can never decide anything.
  if (end >= 0) return sort.slice(0, end + 1)
  return [...sort, { column: key, direction: sort.at(-1)?.direction ?? 'DESC' }]
}

interface ReadFilter extends AppliedFilter {
  readonly condition: Condition
}

function filtersOf(
  valid: ReadonlyMap<string, Bound>,
  { model }: Resource,
  query: Query,
  realm: Realm,
  say: (name: string, text: string) => void,
): readonly ReadFilter[] {
  const { t } = realm
  const found: ReadFilter[] = []
  const equals = new Map<string, string[]>()
  for (const [name, values] of query) {
    if (!name.startsWith('filter[')) continue
    const [whole, key = '', operator = 'eq', list] = /^filter\[([^\]]*)\](?:\[([a-zA-Z]+)\]|(\[\d*\]))?$/.exec(name) ?? []
    const texts = values.filter((text) => text !== '')
    const field = valid.get(key)
    if (!field) {
      // What is written as no filter is named as it is written.
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
    const made = conditionOf(field, operator, texts, inAddress(realm))
    if ((made?.op === 'contains' || made?.op === 'startsWith') && isTooLong(made.text))
      say(name, t('query.textTooLong', { label: field.label, letters: mostLetters }))
    else if (made) {
      const fault = comparisonFault(field, model, made, t)
      if (fault === null) found.push({ field, operator, texts, condition: made })
      else say(name, fault)
    } else
      say(
        name,
        operator === 'null' ? t('field.notBoolean', { label: field.label }) : wrongText(field, operator, texts, inAddress(realm), t),
      )
  }
}

/** Why no value of a column can be compared with what was asked for: the store would refuse it, too, but by the name of the column. */
function comparisonFault({ key, label }: Bound, { columns }: Model, made: Condition, t: Translate): string | null {
  const column = columns.get(key)
  const compared = made.op === 'has' ? column?.element : column
  if (!compared) return null
  const values = 'value' in made ? [made.value] : made.op === 'in' ? made.values : []
  const fault = values.map((value) => comparedFault(compared, value)).find((one) => one !== null)
  if (fault === undefined) return null
  return compared.options ? t('field.notOption', { label, options: compared.options.join(', ') }) : `${label}: ${fault}`
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

function conditionOf(field: Bound, operator: Operator, texts: readonly string[], zone: Zone): Condition | null {
  const column = field.key
  const [text] = texts as readonly [string]
  if (operator === 'null')
    return /^(?:1|true)$/.test(text)
      ? { op: 'eq', column, value: null }
      : /^(?:0|false)$/.test(text)
        ? { op: 'ne', column, value: null }
        : null
  if (operator === 'contains' && field.kind.many(field)) {
    const one = parseOne(field, text, zone)
    return one && { op: 'has', column, value: one.value }
  }
  if (operator === 'contains' || operator === 'startsWith') return { op: operator, column, text }
  const values = texts.map((each) => parseAsked(field, field.kind.read(each, field, zone)))
  if (values.includes(null)) return null
  const stored = values.map((each) => (each as { value: unknown }).value)
  const op = comparisons[operator]
  if (op) return { op, column, value: stored[0] }
  return stored.length === 1 ? { op: 'eq', column, value: stored[0] } : { op: 'in', column, values: stored }
}

/** What the texts of a filter that says nothing should have been. */
function wrongText(field: Bound, operator: Operator, texts: readonly string[], zone: Zone, t: Translate): string {
  const read = texts.map((each) => field.kind.read(operator === 'contains' ? JSON.stringify([each]) : each, field, zone))
  return askedFault(
    field,
    read.find((each) => parseAsked(field, each) === null),
    t,
  )
}
