import { always } from '../resource/condition/condition.js'
import type { Column, Link, Tally } from '../resource/model/model.js'
import type { Problem } from '../resource/problem.js'
import type { Throughs } from '../resource/relation/through.js'
import type { Resource } from '../resource/resource.js'
import { isRounded } from './sql/postgresql/rounded.js'
import type { Indexes, SqlStore } from './sql/sql-store.js'
import { isOwn } from './sql/twin.js'
import type { Store } from './store.js'

/** Below this many rows, a database reads all of them as fast as it finds some by an index. */
export const fewRows = 10_000

interface Examined {
  readonly resources: ReadonlyMap<string, Resource>
  readonly throughs: Throughs
  storeOf(resource: Resource): Store
}

/** What the lists of a panel ask for without an index to serve it, each with the index that would, in tables of at least this many rows. */
export async function examine({ resources, throughs, storeOf }: Examined, rows: number): Promise<readonly Problem[]> {
  const told = new Map<Store, Map<string, Problem>>()
  const filtered = followedIn(throughs, ({ filters }, name) => filters.includes(name))
  const sorted = followedIn(throughs, (resource, name) => isSortedBy(throughs, resource, name))
  for (const resource of resources.values()) {
    const store = storeOf(resource)
    if (!isSql(store)) continue
    const followed = { filtering: filtered.get(resource) ?? none, sorting: sorted.get(resource) ?? none }
    const missing = [...(await missingOf(resource, followed, store, rows)), ...(await servedByNone(resource, throughs, store, rows))]
    const known = told.get(store) ?? new Map<string, Problem>()
    told.set(store, known)
    for (const problem of missing) tell(problem, resource, known)
  }
  return [...told.values()].flatMap((known) => [...known.values()])
}

/**
 * A trash, or another resource over the table, asks for the same. Of two indexes with one name, the longer serves both: a number of related
 * records asks for their column, and their own list for that and the key.
 */
function tell(problem: Problem, { uriKey, model }: Resource, known: Map<string, Problem>): void {
  const { id, where, text } = problem
  const index = id === 'index' ? indexIn(text) : undefined
  const what = index?.name ?? `${model.fullName} ${id} ${where.slice(uriKey.length)} ${/\bcreate .+/s.exec(text)}`
  const before = known.get(what)
  if (!before || (index && index.columns.length > (indexIn(before.text)?.columns.length ?? 0))) known.set(what, problem)
}

/** The index that a text proposes: its name with its table, and its columns. */
function indexIn(text: string): { readonly name: string; readonly columns: string } | undefined {
  const [, name, columns] = /\bcreate index (.+?)(?: using gin)? (\(.+)/.exec(text) ?? []
  return name === undefined || columns === undefined ? undefined : { name, columns }
}

/** The fields of a resource that lists are filtered or sorted by on a way through its records, with these lists. */
type Fields = ReadonlyMap<string, ReadonlySet<string>>
type Followed = Readonly<Record<'filtering' | 'sorting', Fields>>

const none: Fields = new Map()

const isSortedBy = (throughs: Throughs, resource: Resource, name: string) => throughs.get(resource)?.get(name)?.shown.sortable === true

/** @param isAsked whether a list is filtered or sorted by such a name. What a column only shows is read by keys */
function followedIn(throughs: Throughs, isAsked: (resource: Resource, name: string) => boolean): ReadonlyMap<Resource, Fields> {
  const all = new Map<Resource, Map<string, Set<string>>>()
  for (const [resource, own] of throughs)
    for (const [name, { steps, of }] of own) {
      if (!isAsked(resource, name)) continue
      let here = resource
      const add = (at: Resource, key: string) => {
        const keys = all.get(at) ?? new Map<string, Set<string>>()
        all.set(at, keys.set(key, (keys.get(key) ?? new Set()).add(resource.uriKey)))
      }
      for (const { relation, back, target } of steps) {
        add(back ? target : here, relation.key)
        here = target
      }
      add(here, of.key)
    }
  return all
}

async function missingOf(resource: Resource, followed: Followed, store: SqlStore, rows: number): Promise<readonly Problem[]> {
  const isLong = (await store.count(resource.model, always, rows)) >= rows
  // The panel makes its own tables with the indexes that they have.
  if (isOwn(resource.model)) return []
  const found = [...(await missingWords(resource, store))]
  const has = isLong ? await store.indexes(resource.model) : null
  if (has) found.push(...missing(resource, followed, store, has))
  for (const column of resource.model.links) found.push(...(await missingLinks(resource, column, store, rows)))
  for (const column of resource.model.tallies) found.push(...(await missingTally(resource, column, store, rows)))
  return found
}

// A sort of as many takes a tenth of a second.
const many = 100

/** No index has values of two tables. Told of long lists alone, since there is nothing to create. */
async function servedByNone(resource: Resource, throughs: Throughs, store: SqlStore, rows: number): Promise<readonly Problem[]> {
  const { uriKey, model, sortable } = resource
  const sorted = sortable.filter((name) => isSortedBy(throughs, resource, name))
  if (sorted.length === 0 || (await store.count(model, always, rows * many)) < rows * many) return []
  const text = `no index serves sorting by ${sorted.join(', ')}: the first page reads all records that match; keep the value in a column of "${model.name}", or leave it out`
  return [{ id: 'index-along', where: `${uriKey}.sortable`, text }]
}

/** Reported for small tables, too: without its FTS5 table, SQLite cannot search at all. */
async function missingWords({ uriKey, model, fullText }: Resource, store: SqlStore): Promise<readonly Problem[]> {
  const create = fullText && (await store.missingFullText(model, fullText))
  return create ? [{ id: 'full-text', where: `${uriKey}.fullText`, text: `there is no index of its words; ${create}` }] : []
}

function isSql(store: Store): store is SqlStore {
  return 'indexes' in store
}

function missing(resource: Resource, followed: Followed, { dialect }: SqlStore, has: Indexes): readonly Problem[] {
  const { uriKey, model, fields, filters, sortColumn, fullText, views } = resource
  const asked = new Map<Column, Asked>()
  const ask = (key: string, what: string, sorted: Column | null = null) => {
    const column = model.columns.get(key)
    // An index on a boolean does not help: each value matches about half of the table.
    if (!column || column.link || column.tally || column.primary || column.type === 'boolean') return
    if (!isRounded(column.drizzle) && isServed([column, ...(sorted ? [sorted] : [])], has)) return
    if (column.type === 'json' && !isListed(column)) return
    const known = asked.get(column)
    asked.set(column, { whats: [...(known?.whats ?? []), what], sorted: known?.sorted ?? sorted })
  }
  ask(sortColumn, 'the default sort')
  for (const field of fields.values()) if (field.sortable && field.key !== sortColumn) ask(field.key, 'sorting')
  const own = new Set(filters.filter((name) => fields.has(name)))
  for (const key of own) ask(key, 'filtering')
  for (const [key, lists] of followed.filtering)
    if (!own.has(key)) ask(key, lists.has(uriKey) ? 'filtering' : `filtering ${[...lists].join(' and ')}`)
  for (const [key, lists] of followed.sorting)
    if (!fields.get(key)?.sortable) ask(key, lists.has(uriKey) ? 'sorting by what it leads to' : `sorting ${[...lists].join(' and ')}`)
  for (const { own, kind, key } of fields.values()) if (own.searchable === true && kind.exact) ask(key, 'searching')
  for (const { is, field } of views) ask(field, `the ${is}`, is === 'board' ? sortedBy(resource, field, dialect) : null)
  const problems = [...asked].map(([column, { whats, sorted }]) => ({
    id: 'index',
    where: `${uriKey}.${column.key}`,
    text: `${whats.join(' and ')} reads the whole table; ${isRounded(column.drizzle) ? "no index serves numbers that JavaScript rounds: declare it with mode: 'string'" : indexFor(resource, column, sorted, has, dialect)}`,
  }))
  const searched = [...fields.values()]
    .flatMap(({ own, kind, key }) => (own.searchable === true && !kind.exact ? [has.nameOf(model.columns.get(key) as Column)] : []))
    .filter((name) => !has.all.some(({ columns, trigrams }) => trigrams && columns.includes(name)))
  if (searched.length === 0 || fullText) return problems
  const text = `a search of ${searched.join(', ')} reads the whole table; ${searchIndexFor(resource, searched, has, dialect)}`
  return [...problems, { id: 'index-search', where: `${uriKey}.search`, text }]
}

/** What asks for an index on a column, and by what it sorts the records of a value; null: it does not, or by what each index ends with. */
interface Asked {
  readonly whats: readonly string[]
  readonly sorted: Column | null
}

function isServed(wanted: readonly Column[], has: Indexes): boolean {
  return has.all.some(({ columns }) => wanted.every((one, i) => columns[i] === has.nameOf(one)))
}

/** By what the cards of a board's column are sorted. */
function sortedBy(resource: Resource, field: string, dialect: SqlStore['dialect']): Column | null {
  const { model, sortColumn } = resource
  const column = model.columns.get(sortColumn)
  const isPlain = column && !column.link && !column.tally && column.key !== field
  return isPlain && !(column === model.key && endsWithKey(resource, dialect)) ? column : null
}

/** SQLite appends the rowid, here the key, to each index by itself. */
function endsWithKey({ model: { key } }: Resource, dialect: SqlStore['dialect']): boolean {
  return dialect === 'sqlite' && key.primary && key.type === 'integer'
}

/** A link table is asked by both of its columns: for what each record lists, and for the records that list one, also when that is deleted. */
async function missingLinks({ uriKey }: Resource, { key, link }: Column, store: SqlStore, rows: number): Promise<readonly Problem[]> {
  const { model, source, target } = link as Link
  if ((await store.count(model, always, rows)) < rows) return []
  const has = await store.indexes(model)
  if (!has) return []
  const [from, to] = [has.nameOf(source), has.nameOf(target)]
  const isServed = (name: string) => has.all.some(({ columns }) => columns[0] === name)
  const problem = (what: string, first: string, second: string) => ({
    id: 'index',
    where: `${uriKey}.${key}`,
    text: `${what} reads the whole link table; create index ${quoted(`${model.name}_${first}`)} on ${has.table} (${quoted(first)}, ${quoted(second)})`,
  })
  return [
    ...(isServed(from) ? [] : [problem('each record', from, to)]),
    ...(isServed(to) ? [] : [problem('finding by one of them', to, from)]),
  ]
}

/** The related table is asked by the column that refers to the record, for each record that is shown. */
async function missingTally({ uriKey }: Resource, { key, tally }: Column, store: SqlStore, rows: number): Promise<readonly Problem[]> {
  const { model } = tally as Tally
  if ((await store.count(model, always, rows)) < rows) return []
  const has = await store.indexes(model)
  const name = has?.nameOf(model.key)
  if (!has || name === undefined || has.all.some(({ columns }) => columns[0] === name)) return []
  const text = `each record reads the whole table "${model.name}"; create index ${quoted(`${model.name}_${name}`)} on ${has.table} (${quoted(name)})`
  return [{ id: 'index', where: `${uriKey}.${key}`, text }]
}

function indexFor(resource: Resource, column: Column, sorted: Column | null, has: Indexes, dialect: SqlStore['dialect']): string {
  const { model, sortColumn, sortDirection } = resource
  // PostgreSQL sorts nulls as the greatest, but lists show them last in either direction.
  const isDown = ({ notNull, key }: Column) => dialect === 'postgresql' && !notNull && key === sortColumn && sortDirection === 'DESC'
  const all = sorted ? [column, sorted] : [column]
  const down = all.some(isDown)
  const parts = all.map((one) => `${quoted(has.nameOf(one))}${isDown(one) ? ' desc nulls last' : ''}`)
  const isEnded = endsWithKey(resource, dialect) || all.includes(model.key)
  const on = `create index ${quoted([model.name, ...all.map(has.nameOf)].join('_'))} on ${has.table}`
  if (column.type === 'json') return `${on} using gin (${quoted(has.nameOf(column))})`
  return `${on} (${[...parts, ...(isEnded ? [] : [`${quoted(has.nameOf(model.key))}${down ? ' desc' : ''}`])].join(', ')})`
}

/** Whether the database can index the elements of the list. */
const isListed = ({ drizzle }: Column) => drizzle.columnType === 'PgJsonb' || drizzle.columnType === 'PgArray'

function searchIndexFor({ model }: Resource, names: readonly string[], has: Indexes, dialect: SqlStore['dialect']): string {
  if (dialect === 'sqlite') return 'search by words instead (fullText: true), or fewer fields, or give people a filter to begin with'
  const parts = names.map((name) => `${quoted(name)} gin_trgm_ops`).join(', ')
  return `create extension if not exists pg_trgm; create index ${quoted(`${model.name}_search`)} on ${has.table} using gin (${parts})`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
