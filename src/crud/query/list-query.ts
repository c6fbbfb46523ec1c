import type { Identity } from '../../auth/identity.js'
import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import type { Order, Position } from '../../store/store.js'
import { scopeOf } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import type { Query } from '../call/input.js'
import type { Lens } from '../call/lens.js'
import type { Preset } from '../call/preset.js'
import { QueryReader } from '../input/query-reader.js'
import { type NamedRelation, namedRelations } from '../relation/relation.js'
import { listHash, readCursor } from './cursor.js'
import { filterFields } from './filter-fields.js'
import { type AppliedFilter, type ReadFilter, readFilters } from './filters.js'
import { filterAlternatives } from './match-any.js'
import { queryNames } from './query-names.js'
import { searchCondition, searchFault } from './search-text.js'
import { readSort, totalOrder } from './sort-order.js'
import { readViewChoice, type ViewChoice, viewParameters } from './view-choice.js'
import { viewsFor } from './views.js'

// A capped count stops at this many rows.
export const countCap = 10_000

/** What a list was asked for, checked against the declarations and what the user may read. */
export interface Listing extends ViewChoice {
  /** Records per page. */
  readonly perPage: number
  /** The number of the page; null: paged by cursor. */
  readonly page: number | null
  /** Where the page begins; without values, at an end of the list. */
  readonly position: Position | null
  /** The sort that was asked for, or the default. */
  readonly sort: readonly Order[]
  /** The same, made total by the key. */
  readonly order: readonly Order[]
  /** The fields that the caller may filter by, by the names of the filters. */
  readonly filterable: ReadonlyMap<string, Bound>
  /** The filters in force. */
  readonly filters: readonly ReadFilter[]
  /** Whether one of their alternatives is enough; `false`: there are not several, or all filters hold. */
  readonly matchesAny: boolean
  /** What is searched for; empty: nothing. */
  readonly search: string
  /** The query tag; null: none. */
  readonly tag: string | null
  /** The fields of `fields=`; null: those of the page. */
  readonly fields: readonly string[] | null
  /** The relations of `include=`. */
  readonly include: readonly NamedRelation[]
  /** Whether to count to the end. */
  readonly exactTotal: boolean
  /** Whether the numbers below its columns were asked for. */
  readonly summary: boolean
  /** The condition that all this amounts to. */
  readonly where: Condition
  /** Identifies the list: cursors carry it. Empty for numbered pages. */
  readonly hash: string
  /** What was ignored, by parameter, if the call is not strict. */
  readonly problems: ReadonlyMap<string, readonly string[]>
}

const unnamed: ReadonlyMap<string, NamedRelation> = new Map()

const parameters = ['page', 'perPage', 'cursor', 'sort', 'search', 'query-tag', 'filter[…]', 'match', 'fields', 'include', 'total'] as const
const scalars: ReadonlySet<string> = new Set(parameters)
// Whether to add the numbers below the columns, if there are some.
const answers: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

/**
 * Reads the query of a list. Only declared, readable fields can be named; a hidden name gets the same answer as an unknown one.
 *
 * @param strict `true`: an unknown name or a bad value is a 422 that names it and the valid ones; `false`: it is ignored and reported in
 * `problems`
 */
export function listQuery(realm: Realm, identity: Identity, lens: Lens, query: Query, strict: boolean, preset?: Preset): Listing {
  const { resource } = lens
  const reader = new QueryReader(query, realm.t)
  const { problems } = reader
  const views = preset ? [] : viewsFor(lens)
  const hasSummary = resource.summary.length > 0
  if (strict) checkParameters(reader, [...(hasSummary ? ['summary'] : []), ...viewParameters(views)])

  const perPage = reader.integer('perPage', resource.maxItemsPerPage, preset?.perPage ?? resource.itemsPerPage)
  // With a limit, there is a single page.
  const limited = typeof preset?.limit === 'number'
  const page = reader.integer('page', limited ? 1 : null, 1)
  const cursor = reader.text('cursor')
  if (cursor !== '' && reader.text('page') !== '') reader.report('cursor', realm.t('query.cursorAndPage'))
  const sort = readSort(reader, identity, lens, preset)
  const filterable = filterFields(realm, identity, lens)
  const say = (name: string, text: string) => reader.report(name, text)
  const filters = readFilters(query, { realm, identity, resource, valid: filterable, strict, say })
  const any = readMatchAny(reader) ? filterAlternatives(filters) : []
  const matchesAny = any.length > 1
  const search = readSearch(reader)
  const tag = readTag(reader, resource)
  const exactTotal = readExactTotal(reader)
  const summary = hasSummary && readWithSummary(reader)
  const { view, days } = readViewChoice(reader, views)
  const fields = reader.text('fields') === '' ? null : reader.names('fields', queryNames(lens).fields, 'query.unknownField')
  const relations = query.has('include') ? namedRelations(realm, identity, lens) : unnamed
  const include = reader.names('include', [...relations.keys()], 'query.unknownInclude').map((name) => relations.get(name) as NamedRelation)

  const order = totalOrder(resource, sort)
  // A counted page has no cursors, so it needs no hash.
  const hash = cursor === '' && !resource.simplePaginate ? '' : hashOf(lens, preset, order, filters, matchesAny, search, tag)
  const position = cursor === '' || limited ? null : readCursor(lens, order, hash, cursor)
  if (cursor !== '' && position === null) reader.report('cursor', realm.t('query.badCursor'))

  if (strict && problems.size > 0) throw new DaymarkError('invalid', [...problems.values()].flat()[0] as string, { errors: problems })
  let where = scopeOf(identity, resource, both(preset?.where ?? always, resource.queryTags.get(tag)?.where(realm.timeZone) ?? always))
  where = matchesAny ? both(where, { op: 'or', all: any.map((one) => together(always, one)) }) : together(where, filters)
  const words = problems.has('search') ? [] : search.split(/\s+/u).filter(Boolean)
  if (words.length > 0) where = both(where, searchCondition(realm, resource, queryNames(lens).search, words))
  const byCursor = position !== null || (resource.simplePaginate && !limited && reader.text('page') === '')
  return {
    perPage: preset?.limit ?? perPage,
    page: byCursor ? null : page,
    position,
    sort,
    order,
    filterable,
    filters,
    matchesAny,
    search,
    tag: tag === '' ? null : tag,
    fields,
    include,
    exactTotal,
    summary,
    view,
    days,
    where,
    hash,
    problems,
  }
}

/** Names every parameter that no list takes, or not this one. */
function checkParameters(reader: QueryReader, also: readonly string[]): void {
  for (const name of reader.query.keys())
    if (!scalars.has(name) && !name.startsWith('filter[') && !also.includes(name))
      reader.report(name, reader.t('query.unknown', { name, names: [...parameters, ...also].join(', ') }))
}

function readSearch(reader: QueryReader): string {
  const search = reader.text('search').trim()
  const fault = searchFault(search, reader.t)
  if (fault !== null) reader.report('search', fault)
  return search
}

function together(where: Condition, filters: readonly { readonly condition: Condition }[]): Condition {
  return filters.reduce((all, { condition }) => both(all, condition), where)
}

function readMatchAny(reader: QueryReader): boolean {
  const match = reader.text('match')
  if (match !== '' && match !== 'all' && match !== 'any')
    reader.report('match', reader.t('field.notOption', { label: 'match', options: 'all, any' }))
  return match === 'any'
}

/** The query tag; blank: none that there is. */
function readTag(reader: QueryReader, { queryTags }: Lens['resource']): string {
  const tag = reader.text('query-tag')
  if (tag === '' || queryTags.has(tag)) return tag
  reader.report('query-tag', reader.t('query.unknownTag', { name: tag, names: [...queryTags.keys()].join(', ') || '–' }))
  return ''
}

function readExactTotal(reader: QueryReader): boolean {
  const total = reader.text('total')
  if (total !== '' && total !== 'exact') reader.report('total', reader.t('field.notOption', { label: 'total', options: 'exact' }))
  return total === 'exact'
}

function readWithSummary(reader: QueryReader): boolean {
  const summary = answers.get(reader.text('summary'))
  if (summary === undefined) reader.report('summary', reader.t('field.notOption', { label: 'summary', options: '1, true, 0, false' }))
  return summary ?? false
}

/** Identifies a list, whatever page of it is asked for. */
function hashOf(
  { resource }: Lens,
  preset: Preset | undefined,
  order: readonly Order[],
  filters: readonly AppliedFilter[],
  matchesAny: boolean,
  search: string,
  tag: string,
): string {
  return listHash([
    resource.uriKey,
    preset?.name ?? null,
    order.map(({ column, direction }) => ({ column, direction })),
    filters.map(({ field, operator, texts }) => [field.key, operator, texts]),
    search,
    tag,
    ...(matchesAny ? ['any'] : []),
  ])
}
