import type { Identity } from '../auth/identity.js'
import { DaymarkError } from '../base/errors.js'
import type { MessageKey } from '../base/messages.js'
import { isMonth, isWeek } from '../field/days-shown.js'
import type { Bound } from '../field/field.js'
import { always, both, type Condition } from '../resource/condition.js'
import type { Resource } from '../resource/resource.js'
import { type ListView, tableView } from '../resource/view.js'
import type { Order, Position } from '../store/store.js'
import { scopeOf } from './allow.js'
import { type AppliedFilter, filtersOf } from './asked-filters.js'
import type { Preset, Query, Realm } from './call.js'
import { listHash, readCursor } from './cursor.js'
import { alongOf, filterFields } from './filter-fields.js'
import type { Lens } from './lens.js'
import { type NamedRelation, namedRelations } from './related.js'
import { searchCondition, searchFault } from './search-text.js'
import { isViewName, viewNamed, viewsFor } from './views.js'

// A capped count stops at this many rows.
export const countCap = 10_000

// The SQL of an order nests parentheses per step, and SQLite limits their depth.
export const mostSteps = 8

/** What a list was asked for, checked against the declarations and what the user may read. */
export interface Listing {
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
  readonly filters: readonly AppliedFilter[]
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
  /** How a page draws it; null: as a table. */
  readonly view: ListView | null
  /** The month or the week that a calendar shows; null: that of today. */
  readonly days: { readonly by: 'month' | 'week'; readonly text: string } | null
  /** The condition that all this amounts to. */
  readonly where: Condition
  /** Identifies the list: cursors carry it. Empty for numbered pages. */
  readonly hash: string
  /** What was ignored, by parameter, if the call is not strict. */
  readonly problems: ReadonlyMap<string, readonly string[]>
}

const unnamed: ReadonlyMap<string, NamedRelation> = new Map()

const parameters = ['page', 'perPage', 'cursor', 'sort', 'search', 'query-tag', 'filter[…]', 'fields', 'include', 'total'] as const
// Whether to add the numbers below the columns, if there are some.
const answers: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])
const scalars = new Set(['page', 'perPage', 'cursor', 'sort', 'search', 'query-tag', 'fields', 'include', 'total'])

/**
 * Reads the query of a list. Only declared, readable fields can be named; a hidden name gets the same answer as an unknown one.
 *
 * @param strict `true`: an unknown name or a bad value is a 422 that names it and the valid ones; `false`: it is ignored and reported in
 * `problems`
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
  const hasSummary = resource.summary.length > 0
  const views = preset ? [] : viewsFor(lens)
  const hasDays = views.some(({ is }) => is === 'calendar')
  // What only some lists take.
  const also = [...(hasSummary ? ['summary'] : []), ...(views.length > 0 ? ['view'] : []), ...(hasDays ? ['month', 'week'] : [])]
  for (const name of query.keys()) {
    if (scalars.has(name) || name.startsWith('filter[') || also.includes(name)) continue
    if (strict) say(name, t('query.unknown', { name, names: [...parameters, ...also].join(', ') }))
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
    const names = [...new Set(one(name).split(',').filter(Boolean))]
    for (const wrong of names)
      if (!valid.includes(wrong)) say(name, t(message as 'query.unknownField', { name: wrong, names: valid.join(', ') || '–' }))
    return names.filter((each) => valid.includes(each))
  }

  const asked = whole('perPage', resource.maxItemsPerPage, preset?.perPage ?? resource.itemsPerPage)
  const perPage = preset?.limit ?? asked
  // With a limit, there is a single page.
  const limited = typeof preset?.limit === 'number'
  const page = whole('page', limited ? 1 : null, 1)
  const cursorText = one('cursor')
  if (cursorText !== '' && one('page') !== '') say('cursor', t('query.cursorAndPage'))
  const can = namesOf(lens)
  const steps = named('sort', can.sort, 'query.unknownSort')
  if (steps.length > mostSteps) say('sort', t('query.tooManySteps', { max: mostSteps }))
  const sort = sortOf(lens, steps.slice(0, mostSteps), preset).map((step) => {
    const through = lens.followed.get(step.column)
    return through ? { ...step, along: alongOf(identity, through) } : step
  })
  const filterable = filterFields(realm, identity, lens)
  const filters = filtersOf(filterable, resource, query, realm, identity, strict, say)
  const search = one('search').trim()
  const words = search.split(/\s+/u).filter(Boolean)
  const tooLong = searchFault(search, t)
  if (tooLong !== null) say('search', tooLong)
  const tag = one('query-tag')
  if (tag !== '' && !resource.queryTags.has(tag))
    say('query-tag', t('query.unknownTag', { name: tag, names: [...resource.queryTags.keys()].join(', ') || '–' }))
  const total = one('total')
  if (total !== '' && total !== 'exact') say('total', t('field.notOption', { label: 'total', options: 'exact' }))
  const summary = hasSummary ? answers.get(one('summary')) : false
  if (summary === undefined) say('summary', t('field.notOption', { label: 'summary', options: '1, true, 0, false' }))
  const viewName = views.length > 0 ? one('view') : ''
  if (viewName !== '' && !isViewName(views, viewName))
    say('view', t('query.unknownView', { name: viewName, names: [tableView, ...views.map(({ uri }) => uri)].join(', ') }))
  const [month, week] = hasDays ? [one('month'), one('week')] : ['', '']
  if (month !== '' && !isMonth(month)) say('month', t('query.notMonth', { name: month }))
  if (week !== '' && !isWeek(week)) say('week', t('query.notWeek', { name: week }))
  if (month !== '' && week !== '') say('week', t('query.monthAndWeek'))
  const fields = one('fields') === '' ? null : named('fields', can.fields, 'query.unknownField')
  const relations = query.has('include') ? namedRelations(realm, identity, lens) : unnamed
  const include = named('include', [...relations.keys()], 'query.unknownInclude').map((name) => relations.get(name) as NamedRelation)

  const order = totalOrder(resource, sort)
  // A counted page has no cursors, so it needs no hash.
  const hash =
    cursorText === '' && !resource.simplePaginate
      ? ''
      : listHash([
          resource.uriKey,
          preset?.name ?? null,
          order.map(({ column, direction }) => ({ column, direction })),
          filters.map(({ field, operator, texts }) => [field.key, operator, texts]),
          search,
          tag,
        ])
  const position = cursorText === '' || limited ? null : readCursor(lens, order, hash, cursorText)
  if (cursorText !== '' && position === null) say('cursor', t('query.badCursor'))

  if (strict && problems.size > 0) throw new DaymarkError('invalid', [...problems.values()].flat()[0] as string, { errors: problems })
  let where = scopeOf(identity, resource, both(preset?.where ?? always, resource.queryTags.get(tag)?.where(realm.timeZone) ?? always))
  for (const filter of filters) where = both(where, filter.condition)
  const columns = can.search
  if (words.length > 0 && !problems.has('search')) where = both(where, searchCondition(realm, resource, columns, words))
  const byCursor = position !== null || (resource.simplePaginate && !limited && one('page') === '')
  return {
    perPage,
    page: byCursor ? null : page,
    position,
    sort,
    order,
    filterable,
    filters,
    search,
    tag: resource.queryTags.has(tag) ? tag : null,
    fields,
    include,
    exactTotal: total === 'exact',
    summary: summary ?? false,
    view: viewNamed(views, isViewName(views, viewName) ? viewName : ''),
    days: isMonth(month) ? { by: 'month', text: month } : isWeek(week) ? { by: 'week', text: week } : null,
    where,
    hash,
    problems,
  }
}

/** The columns that a search covers. */
export function searchColumns(lens: Lens): readonly string[] {
  return namesOf(lens).search
}

/** The names that a caller may use in a query. */
interface Names {
  /** Ascending (`name`) and descending (`-name`). */
  readonly sort: readonly string[]
  readonly fields: readonly string[]
  readonly search: readonly string[]
}

const names = new WeakMap<Lens, Names>()

function namesOf(lens: Lens): Names {
  let known = names.get(lens)
  if (!known) {
    const { resource, readable, computed, followed } = lens
    const fields = [...readable.values()]
    const columns = [...fields, ...[...followed.values()].map(({ shown }) => shown)]
    const sortable = columns.filter((field) => field.sortable || field.key === resource.model.key.key)
    known = {
      sort: sortable.flatMap(({ key }) => [key, `-${key}`]),
      fields: [...readable.keys(), ...computed.keys(), ...followed.keys()],
      search: fields.filter((field) => field.own.searchable === true).map((field) => field.key),
    }
    names.set(lens, known)
  }
  return known
}

function sortOf({ resource, readable, followed }: Lens, names: readonly string[], preset: Preset | undefined): readonly Order[] {
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
  const isThere = readable.has(sortColumn) || followed.has(sortColumn)
  return [{ column: isThere ? sortColumn : model.key.key, direction: sortDirection }]
}

/** The columns of the list's own records that an order is by. */
export const ownColumns = (order: readonly Order[]): readonly string[] => order.filter(({ along }) => !along).map(({ column }) => column)

// The key takes the direction of the step before it, so that one index serves both.
function totalOrder({ model }: Resource, sort: readonly Order[]): readonly Order[] {
  const key = model.key.key
  const end = sort.findIndex(({ column }) => column === key)
  // Steps after the key, which is unique, never matter.
  if (end >= 0) return sort.slice(0, end + 1)
  return [...sort, { column: key, direction: sort.at(-1)?.direction ?? 'DESC' }]
}
