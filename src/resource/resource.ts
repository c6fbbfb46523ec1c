import type { Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Html } from '../base/html.js'
import type { IconName } from '../base/icon-paths.js'
import type { Bound, Field, Json, ValueOf } from '../field/field.js'
import type { Button, Handler, IndexButton, Method, QueryTag } from './action.js'
import { bindFields, humanise, kebab } from './bind.js'
import { type BoundAction, bindActions } from './bind-action.js'
import { type Condition, condition, type Where } from './condition.js'
import type { ColumnKey, declared, Key, Names, New, Row, UriOf } from './declared.js'
import { type Derived, deriveFields } from './derive.js'
import { bindFullText, type FullText, type FullTextSettings } from './full-text.js'
import type { HasMany } from './has-many.js'
import type { Hooks, Validate } from './hooks.js'
import { type Column, type Model, modelOf, type Over } from './model.js'
import type { KindPage, Page } from './own-page.js'
import { type PageReports, type PageType, pageReports, type Section } from './page.js'
import type { Policies, RecordPolicies, RecordPolicy } from './policy.js'
import { type BoundTable, bindTable, type TableSettings } from './table.js'

/** A store of the user's own, as a resource sees it: it names the Drizzle table whose shape its records have. */
export interface OwnStore<T extends Table = Table> {
  readonly table: T
  transaction(fn: never): Promise<unknown>
}

export type ActiveAction = 'create' | 'view' | 'update' | 'delete' | 'massDelete'
export const allActions: readonly ActiveAction[] = ['create', 'view', 'update', 'delete', 'massDelete']

type Columns<T extends Table> = T['_']['columns']
/** What a column holds. Exact decimals are text in Drizzle and numbers to people. */
type Cell<T extends Table, K> = K extends keyof Columns<T>
  ? Columns<T>[K]['_']['columnType'] extends 'PgNumeric' | 'SQLiteNumeric'
    ? number
    : Columns<T>[K]['_']['data']
  : never

/** Every key a column whose value the kind can hold; the property *name* is the error message. */
export type Checked<F, T extends Table> = {
  [K in keyof F]: K extends keyof Columns<T>
    ? Cell<T, K> extends ValueOf<F[K]>
      ? F[K]
      : { 'this kind cannot hold the column type': Cell<T, K> }
    : { 'no such column in the model': K }
}

/** A read-only value made from columns: in JSON and in the document; never sorted, filtered or written. */
export interface Computed<T extends Table, N = ColumnKey<T>> {
  readonly label: string
  /** The columns that it reads: `value` gets no others. */
  readonly needs: readonly (N & ColumnKey<T>)[]
  value(row: Pick<Row<T>, N & ColumnKey<T>>): Json | Date | undefined
}

/** The settings of a resource. Only `model` is required. */
export interface Spec<
  T extends Table,
  F,
  N,
  H,
  M,
  U extends string = string,
  P extends string = string,
  Q extends string = string,
  I extends string = string,
  D extends string = string,
> {
  /** A Drizzle table, or a store of your own. */
  readonly model: T | OwnStore<T>
  /** The column that names a record, where that is not the primary key: unique and NOT NULL. Needed for a primary key of several columns. */
  readonly key?: ColumnKey<NoInfer<T>>
  /** `{resourceUri}`; unique in a panel. Default: the table's name in kebab-case. */
  readonly uriKey?: U
  /** Default: the humanised `uriKey`. */
  readonly title?: string
  /** Its icon in the menu and among the tiles of the first page. Default: the first letters of its title. */
  readonly icon?: IconName
  /** The database of this resource, where it is not the panel's: a Drizzle database or a `DATABASE_URL`. */
  readonly database?: string | object
  /** The field that labels a record. Default: the first text that is not a key, relation or choice, a text before an email or a URL; else the key. */
  readonly column?: ColumnKey<NoInfer<T>>
  /** The fields by column. Left out: one for each column whose name doesn't look like a secret. */
  readonly fields?: F & Checked<NoInfer<F>, NoInfer<T>>
  /** Read-only values under names of their own. */
  readonly computed?: { readonly [K in keyof N]: Computed<NoInfer<T>, N[K]> }
  /** The HTML of a cell, where the kind's own does not do. JSON is not touched. */
  readonly display?: {
    readonly [K in ColumnKey<NoInfer<T>>]?: (value: NonNullable<Row<NoInfer<T>>[K]>, row: Row<NoInfer<T>>) => Html | string
  }
  /** Which fields a page shows. Default: index all but long ones, at most 8; detail all; form all that can be written. */
  readonly pages?: {
    readonly index?: readonly I[]
    readonly detail?: readonly D[]
    /** Names, or sections of them: `{ section: 'Place', fields: ['latitude', 'longitude'] }`. */
    readonly form?: readonly (Names<NoInfer<F>, NoInfer<T>, never> | Section<Names<NoInfer<F>, NoInfer<T>, never>>)[]
    /** Further pages: of one of the three kinds, or made of components (`definePage`), at `/resource/{resourceUri}/{pageUri}`. */
    readonly more?: readonly (KindPage<Names<NoInfer<F>, NoInfer<T>, Key<NoInfer<N>>>, Where<Row<NoInfer<T>>>> | Page)[]
  }
  /** Lists of what belongs to a record, on its page: `[hasMany(Orders)]`. */
  readonly related?: readonly HasMany[]
  /** What a list may be filtered by. Default: nothing; with derived fields, the fields of the index page. */
  readonly filters?: readonly P[]
  readonly queryTags?: Readonly<Record<Q, QueryTag<Row<NoInfer<T>>>>>
  /** Search by an index of words (FTS5, `tsvector`), which `daymark doctor` tells how to make. Default `false`: parts of words, without one. */
  readonly fullText?: boolean | FullTextSettings
  /** Default `''`: the key. */
  readonly sortColumn?: ColumnKey<NoInfer<T>> | ''
  /** Default `'DESC'`. */
  readonly sortDirection?: 'ASC' | 'DESC'
  /** Default 25. */
  readonly itemsPerPage?: number
  /** What `?perPage=` may ask for. Default 100. */
  readonly maxItemsPerPage?: number
  /** What a click on a row does: `SELECT` the row, go to its `DETAIL` page, `EDIT` it. Default `null`: nothing. */
  readonly clickAction?: 'SELECT' | 'DETAIL' | 'EDIT' | null
  /** The head stays while a long table scrolls. Default `false`. */
  readonly stickyTable?: boolean
  /** No COUNT is ever issued and no total shown. Default `false`. */
  readonly simplePaginate?: boolean
  /** `capped`: counts to 10,000 and no further. Default `exact`. */
  readonly count?: 'exact' | 'capped'
  /** A write without `If-Match` (or `_version`) is a 428. Default `false`. */
  readonly requireIfMatch?: boolean
  /** `false`: all rows on one page. Default `true`. */
  readonly usePagination?: boolean
  /** Filters, sorting and paging without a page reload. Default `true`. */
  readonly isAsync?: boolean
  /** Users choose their columns. Default `false`. */
  readonly columnSelection?: boolean
  /** Default: create, view, update, delete, massDelete. */
  readonly activeActions?: readonly ActiveAction[]
  /** The most records of one mass delete. Default 1000. */
  readonly maxMassDelete?: number
  /** The column that changes with every write. Default: a hash of the record. */
  readonly version?: ColumnKey<NoInfer<T>>
  readonly table?: TableSettings<NoInfer<T>>
  readonly hooks?: Hooks<Row<NoInfer<T>>, New<NoInfer<T>>>
  readonly validate?: Validate<Row<NoInfer<T>>, New<NoInfer<T>>>
  /** What buttons do with selected records, or with none; by its URI. */
  readonly handlers?: { readonly [K in keyof H]: Handler<Row<NoInfer<T>>, New<NoInfer<T>>, H[K]> }
  /** What code in the page may call by name. */
  readonly methods?: { readonly [K in keyof M]: Method<Row<NoInfer<T>>, New<NoInfer<T>>, M[K]> }
  /** Buttons of the index page: of a row, of the toolbar, or over the selected rows. */
  readonly indexButtons?: readonly IndexButton<Row<NoInfer<T>>, Key<NoInfer<H>>, Key<NoInfer<M>>>[]
  /** Buttons of all other pages; where there is no record, those that need none. */
  readonly buttons?: readonly Button<Row<NoInfer<T>>, Key<NoInfer<H>>, Key<NoInfer<M>>>[]
  readonly can?: Policies
  readonly canRecord?: RecordPolicies<Row<NoInfer<T>>>
  /** Which records exist for somebody: lists, counts, options, bulk and exports are narrowed by it, and no write may leave it. */
  readonly scope?: (who: { readonly user: Identity }) => Where<Row<NoInfer<T>>>
}

/** A computed value, bound. */
export interface BoundComputed {
  readonly key: string
  readonly label: string
  readonly needs: readonly string[]
  value(row: Record<string, unknown>): Json | Date | undefined
}

type AnyRow = Record<string, unknown>

/** A resource: frozen data. Settings have their defaults, fields are bound to columns. */
export interface Resource extends PageReports {
  readonly uriKey: string
  readonly title: string
  readonly icon: IconName | null
  readonly model: Model
  /** A store of the user's own; null: the SQL store of `database`. */
  readonly ownStore: OwnStore | null
  readonly database: string | object | null
  readonly column: Column
  readonly fields: ReadonlyMap<string, Bound>
  readonly computed: ReadonlyMap<string, BoundComputed>
  readonly display: ReadonlyMap<string, (value: unknown, row: AnyRow) => Html | string>
  readonly derived: Derived | null
  readonly pages: { readonly [P in PageType]: readonly string[] }
  /** Further pages by their URI. */
  readonly morePages: ReadonlyMap<string, KindPage | Page>
  /** Lists of what belongs to a record, on its page. */
  readonly related: readonly HasMany[]
  /** The fields of the form as they stand together; those without a heading have null. */
  readonly sections: readonly { readonly label: string | null; readonly fields: readonly string[] }[]
  readonly filters: readonly string[]
  readonly queryTags: ReadonlyMap<string, { readonly label: string; readonly where: Condition }>
  /** Null: a search looks for parts of words, without an index of them. */
  readonly fullText: FullText | null
  readonly sortColumn: string
  readonly sortDirection: 'ASC' | 'DESC'
  readonly itemsPerPage: number
  readonly maxItemsPerPage: number
  readonly clickAction: 'SELECT' | 'DETAIL' | 'EDIT' | null
  readonly stickyTable: boolean
  readonly simplePaginate: boolean
  readonly count: 'exact' | 'capped'
  readonly requireIfMatch: boolean
  readonly usePagination: boolean
  readonly isAsync: boolean
  readonly columnSelection: boolean
  readonly activeActions: ReadonlySet<ActiveAction>
  readonly maxMassDelete: number
  readonly version: string | null
  readonly table: BoundTable
  readonly hooks: Hooks<AnyRow, AnyRow>
  readonly validate: Validate<AnyRow, AnyRow> | null
  readonly handlers: ReadonlyMap<string, BoundAction>
  readonly methods: ReadonlyMap<string, BoundAction>
  readonly indexButtons: readonly IndexButton<AnyRow, string, string>[]
  readonly buttons: readonly Button<AnyRow, string, string>[]
  readonly can: Policies
  readonly canRecord: { readonly [ability: string]: RecordPolicy<AnyRow> | undefined }
  readonly scope: ((user: Identity) => Condition) | null
  /** What was written, for the start-up checks. */
  readonly written: { readonly [setting: string]: unknown }
}

/** A resource with the types of its declaration: what URLs and clients infer from. */
export interface ResourceOf<
  T extends Table,
  F,
  C extends string,
  H = never,
  M = never,
  U extends string = string,
  P extends string = string,
  Q extends string = string,
  I extends string = string,
  D extends string = string,
> extends Resource,
    Over<T> {
  // Not inferred from where a resource is expected: inside `definePanel` it would be any text.
  readonly uriKey: NoInfer<U>
  readonly [declared]?: {
    readonly table: T
    readonly fields: F
    readonly computed: C
    readonly handlers: H
    readonly methods: M
    readonly filters: P
    readonly tags: Q
    readonly index: I
    readonly detail: D
  }
}

/**
 * Declares a resource over a table. `defineResource({ model: cities })` alone is a whole working one.
 *
 * @throws TypeError for a table that has no key of one column, where `key` names none. All else that is wrong is said by `definePanel`, at once, with ids
 *
 * @example
 * ```ts
 * import { defineResource, id, number, text } from 'daymark'
 * import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer('id').primaryKey(), name: varchar('name').notNull(), population: integer('population') })
 *
 * export const Cities = defineResource({
 *   model: cities,
 *   fields: { id: id(), name: text('Name').required().searchable(), population: number('Population').min(0).sortable() },
 *   sortColumn: 'population',
 * })
 * ```
 */
export function defineResource<
  const T extends Table,
  F extends Record<string, Field> = Record<never, never>,
  N extends Record<string, ColumnKey<T>> = Record<never, never>,
  H = Record<never, never>,
  M = Record<never, never>,
  U extends string = UriOf<T>,
  P extends Names<F, T, never> = never,
  Q extends string = never,
  I extends Names<F, T, Key<N>> = never,
  D extends Names<F, T, Key<N>> = never,
>(spec: Spec<T, F, N, H, M, U, P, Q, I, D>): ResourceOf<T, F, Key<N>, H, M, U, P, Q, I, D> {
  const ownStore = isOwnStore(spec.model) ? spec.model : null
  const model = modelOf(ownStore ? ownStore.table : (spec.model as T), spec.key)
  const uriKey = spec.uriKey ?? (kebab(model.name) as U)
  const derived = spec.fields === undefined ? deriveFields(model) : null
  const declaredFields = derived?.fields ?? new Map(Object.entries(spec.fields as Record<string, Field>))
  const fields = bindFields(model, declaredFields)
  const computed = new Map<string, BoundComputed>(
    Object.entries<object>(spec.computed ?? {}).map(([key, one]) => [key, Object.freeze({ ...one, key }) as unknown as BoundComputed]),
  )
  const writable = [...fields.values()].filter((field) => !field.readOnly).map((field) => field.key)
  const short = [...fields.values()].filter((field) => !field.kind.long).map((field) => field.key)
  const index: readonly string[] = spec.pages?.index ?? short.slice(0, 8)
  const sections = sectionsOf(spec.pages?.form ?? writable)
  const scope = spec.scope as ((who: { user: Identity }) => Where<AnyRow>) | undefined
  return Object.freeze({
    uriKey,
    title: spec.title ?? humanise(uriKey),
    icon: spec.icon ?? null,
    model,
    ownStore,
    database: spec.database ?? null,
    column: labelColumn(spec.column, model, fields),
    fields,
    computed,
    display: new Map(Object.entries(spec.display ?? {})) as unknown as Resource['display'],
    derived,
    pages: Object.freeze({
      index: Object.freeze([...index]),
      detail: Object.freeze([...(spec.pages?.detail ?? [...fields.keys(), ...computed.keys()])]),
      form: Object.freeze(sections.flatMap((one) => one.fields)),
    }),
    morePages: new Map((spec.pages?.more ?? []).map((page) => [page.uri, page as KindPage | Page])),
    related: Object.freeze([...(spec.related ?? [])]),
    sections,
    filters: Object.freeze([...(spec.filters ?? (derived ? index.filter((key) => fields.has(key)) : []))]),
    queryTags: new Map(
      Object.entries<QueryTag<Row<T>>>(spec.queryTags ?? {}).map(([key, tag]) => [
        key,
        { label: tag.label, where: tagCondition(uriKey, key, tag.where as Where<AnyRow>, model) },
      ]),
    ),
    fullText: bindFullText(spec.fullText, model, fields),
    sortColumn: spec.sortColumn || model.key.key,
    sortDirection: spec.sortDirection ?? 'DESC',
    itemsPerPage: spec.itemsPerPage ?? 25,
    maxItemsPerPage: spec.maxItemsPerPage ?? 100,
    clickAction: spec.clickAction ?? null,
    stickyTable: spec.stickyTable ?? false,
    simplePaginate: spec.simplePaginate ?? false,
    count: spec.count ?? 'exact',
    requireIfMatch: spec.requireIfMatch ?? false,
    usePagination: spec.usePagination ?? true,
    isAsync: spec.isAsync ?? true,
    columnSelection: spec.columnSelection ?? false,
    activeActions: new Set(spec.activeActions ?? allActions),
    maxMassDelete: spec.maxMassDelete ?? 1000,
    version: spec.version ?? null,
    table: bindTable(spec.table, uriKey),
    hooks: Object.freeze({ ...spec.hooks }) as Resource['hooks'],
    validate: (spec.validate ?? null) as Resource['validate'],
    handlers: bindActions(spec.handlers ?? {}),
    methods: bindActions(spec.methods ?? {}),
    indexButtons: Object.freeze([...(spec.indexButtons ?? [])]) as unknown as Resource['indexButtons'],
    buttons: Object.freeze([...(spec.buttons ?? [])]) as unknown as Resource['buttons'],
    can: Object.freeze({ ...spec.can }),
    canRecord: Object.freeze({ ...spec.canRecord }) as Resource['canRecord'],
    scope: scope ? (user: Identity) => condition(scope({ user }), model.columns) : null,
    written: Object.freeze({ ...spec }) as Resource['written'],
    ...pageReports(uriKey),
  })
}

function tagCondition(uriKey: string, key: string, where: Where<AnyRow>, { columns }: Model): Condition {
  try {
    return condition(where, columns)
  } catch (thrown) {
    throw new TypeError(`The query tag "${key}" of "${uriKey}": ${(thrown as Error).message}`, { cause: thrown })
  }
}

/** Names without a section stand together, in their order, before and between those that have one. */
function sectionsOf(form: readonly (string | Section)[]): Resource['sections'] {
  const sections: { label: string | null; fields: string[] }[] = []
  for (const one of form) {
    if (typeof one !== 'string') sections.push({ label: one.section, fields: [...one.fields] })
    else if (sections.at(-1)?.label === null) sections.at(-1)?.fields.push(one)
    else sections.push({ label: null, fields: [one] })
  }
  return Object.freeze(sections)
}

function isOwnStore<T extends Table>(model: T | OwnStore<T>): model is OwnStore<T> {
  return (
    typeof model === 'object' && model !== null && 'transaction' in model && typeof model.transaction === 'function' && 'table' in model
  )
}

function labelColumn(named: string | undefined, model: Model, fields: ReadonlyMap<string, Bound>): Column {
  const texts = [...fields.values()].filter((field) => isName(field, model))
  // What one copies, an address, says who or what it is where nothing says it better.
  const label = named ?? (texts.find(({ kind }) => !kind.copyable) ?? texts[0])?.key
  return (label === undefined ? undefined : model.columns.get(label)) ?? model.key
}

/** Whether it is text of the record's own: no key, that of another record neither, no choice, and nothing long. */
function isName({ key, kind }: Bound, { columns, key: own }: Model): boolean {
  const column = columns.get(key)
  if (column?.type !== 'text' || column === own || column.primary || column.references || column.options) return false
  return !kind.long && !kind.secret && !kind.relation && kind.operators.includes('contains')
}
