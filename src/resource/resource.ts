import type { InferSelectModel, Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Html } from '../base/html.js'
import { humanise } from '../base/humanise.js'
import type { IconName } from '../base/icon-paths.js'
import type { Closing, Filling } from '../field/builder.js'
import type { Bound, Field, Json, MarksOf, RoleRule, ValueOf } from '../field/field.js'
import type { Button, Handler, IndexButton, Method, QueryTag } from './action.js'
import { bindFields, kebab } from './bind.js'
import { type BoundAction, bindActions } from './bind-action.js'
import { always, type Combined, type Condition, condition, isToldFromNow, type Where } from './condition.js'
import type { Constraints, ConstraintText } from './constraints.js'
import type { ActionInputs, ColumnKey, declared, KeyName, MassUpdate, Names, Row, TallyKey, UriOf, Whole, Written } from './declared.js'
import { type Derived, deriveFields } from './derive.js'
import type { ColumnNames, FilterNames, FollowedIn } from './filter-names.js'
import { bindFullText, type FullText, type FullTextSettings } from './full-text.js'
import type { HasMany } from './has-many.js'
import type { Hooks, Validate } from './hooks.js'
import { type ImportSettings, importOf } from './import-settings.js'
import { withLinks } from './link.js'
import { massUpdateOf, massUpdateUri } from './mass-update.js'
import { type Column, type Model, modelOf, type Over } from './model.js'
import type { DetailPage, KindPage, Page } from './own-page.js'
import { fieldsIn, type PageReports, type PageType, pageReports, type Section, type Sections, sectionsOf } from './page.js'
import type { Policies, RecordPolicies, RecordPolicy } from './policy.js'
import { type PlaceKey, placeColumn } from './reorderable.js'
import { type DeletedKey, type SoftDelete, softDeleteOf } from './soft-delete.js'
import { type Summary, type SummaryOf, summaryOf } from './summary.js'
import { type BoundTable, bindTable, type TableSettings } from './table.js'
import { withTallies } from './tally.js'
import { hasTextForm } from './text-form.js'
import { withTimes } from './times.js'
import type { Board, Calendar, ListView, OptionKey, TimeKey } from './view.js'

/** A store of your own with the Drizzle table that describes its records. */
export interface OwnStore<T extends Table = Table> {
  /** The Drizzle table. */
  readonly table: T
  /** As in `Store`. */
  transaction(fn: never): Promise<unknown>
}

/** An action of a resource that can be switched off. */
export type ActiveAction = 'create' | 'view' | 'update' | 'delete' | 'massDelete'
export const allActions: readonly ActiveAction[] = ['create', 'view', 'update', 'delete', 'massDelete']

type Columns<T extends Table> = T['_']['columns']
/** The type of a column's values. Exact decimals are text in Drizzle, but numbers to the kinds. */
type Cell<T extends Table, K> = K extends keyof Columns<T>
  ? Columns<T>[K]['_']['columnType'] extends 'PgNumeric' | 'SQLiteNumeric'
    ? number
    : Columns<T>[K]['_']['data']
  : never

/** The columns of numbers. */
type NumberKey<T extends Table> = {
  [K in keyof Columns<T> & string]: NonNullable<Cell<T, K>> extends number | bigint ? K : never
}[keyof Columns<T> & string]

/** Checks that every key is a column that its kind can hold. The property *name* is the compiler's error message. */
export type Checked<F, T extends Table> = {
  [K in keyof F]: K extends keyof Columns<T>
    ? Cell<T, K> extends ValueOf<F[K]>
      ? [Unfilled<F, T, K>] extends [never]
        ? [Unmet<F, T, K>] extends [never]
          ? F[K]
          : { 'no condition on the columns of the model': Unmet<F, T, K> }
        : { 'no field that this relation could fill with that column': Unfilled<F, T, K> }
      : { 'this kind cannot hold the column type': Cell<T, K> }
    : 'linked' extends MarksOf<F[K]>
      ? 'sortable' extends MarksOf<F[K]>
        ? { 'a list of records has no order': K }
        : F[K]
      : 'tally' extends MarksOf<F[K]>
        ? F[K]
        : { 'no such column in the model': K }
}

/** The condition of `editableWhen`, if it is none on the columns of the table; never: it is, or there is none. */
type Unmet<F, T extends Table, K extends keyof F> = [Extract<MarksOf<F[K]>, Closing>] extends [never]
  ? never
  : Extract<MarksOf<F[K]>, Closing> extends Closing<infer W>
    ? W extends Where<Whole<T, F>>
      ? Exclude<keyof W, keyof Whole<T, F> | keyof Combined<unknown>>
      : W
    : never

/** The fields that a relation is to fill and cannot: there are none, or the related column holds something else. */
type Unfilled<F, T extends Table, K extends keyof F> =
  Extract<MarksOf<F[K]>, Filling> extends Filling<infer X, infer R>
    ? {
        [O in keyof X & string]: O extends Exclude<keyof F, K> & ColumnKey<T> ? (Fits<R, X[O], Row<T>[O]> extends true ? never : O) : O
      }[keyof X & string]
    : never
// A related table that is not named may hold anything: start-up knows it.
type Fits<R, C, Ours> = C extends keyof R
  ? unknown extends R[C]
    ? true
    : NonNullable<R[C]> extends NonNullable<Ours>
      ? true
      : false
  : false

/** A read-only value made from columns. It appears in JSON and on pages, and can't be sorted, filtered or written. */
export interface Computed<R, N = keyof R & string> {
  /** What users read. */
  readonly label: string
  /** The columns that `value` reads. Users who may not see one of them do not see the value. */
  readonly needs: readonly (N & keyof R & string)[]
  /**
   * For numbers: the digits after the decimal point that users see, from 0 to 20. The column is then aligned as those of numbers are.
   * Default: as many as the value has.
   */
  readonly decimals?: number
  /**
   * For numbers: shows them as amounts of this currency, in the format of the locale: `EUR`, or another code of ISO 4217. Default: as plain
   * numbers.
   */
  readonly currency?: string
  /**
   * For amounts of a `currency`: whether `value` returns whole numbers of its smallest unit, as columns have them: 1234 is €12.34, and 12.34 in
   * JSON. Default: `false`.
   */
  readonly minor?: boolean
  /** For numbers: shows this unit behind them, as `kg`. Not with `currency`. Default: none. */
  readonly unit?: string
  /**
   * Returns the value, at once. It gets exactly the columns in `needs`: reading another one throws. A `Date` becomes its ISO text;
   * `undefined`, an invalid date and `NaN` become null.
   */
  value(row: Pick<R, N & keyof R>): Json | Date | undefined
}

/** The settings of `defineResource`. Only `model` is required. */
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
  HN extends string = KeyName<H>,
  MN extends string = KeyName<M>,
  UN extends string = string,
  L extends HasMany = HasMany,
  S extends string = string,
  X extends string = string,
> {
  /** A Drizzle table of SQLite or PostgreSQL, or a store of your own. */
  readonly model: T | OwnStore<T>
  /** The column that identifies a record: unique and NOT NULL. Required for a composite primary key or none. Default: the primary key. */
  readonly key?: ColumnKey<NoInfer<T>>
  /**
   * `{resourceUri}` in every path: lower-case letters, digits and hyphens; unique in the panel. Default: the table's name in kebab-case.
   */
  readonly uriKey?: U
  /** The name that users see. Default: the `uriKey`, as words. */
  readonly title?: string
  /**
   * What users call one record, in the middle of a sentence: `patient`. Buttons and titles then say *New patient* in place of *New*. Default:
   * none.
   */
  readonly singular?: string
  /** Its icon in the menu and on the first page. Default: the first letters of its title. */
  readonly icon?: IconName
  /** The database that holds this table: a URL (`sqlite:PATH`, `postgres://…`) or a Drizzle database. Default: the panel's. */
  readonly database?: string | object
  /**
   * The label of a record. Default: the first text field that is no key, relation, choice or long text, with `text` before `email` and
   * `url`; else the key. A computed value can be named, too, to call records by several columns: users who may not see one of those it needs
   * read the key.
   */
  readonly column?: ColumnKey<NoInfer<T>> | KeyName<NoInfer<N>>
  /**
   * The fields by column; other columns appear nowhere. A `belongsToMany`, and what is counted or summed, has a name that is no column. Default: one for each column, except
   * for columns that look like secrets or that no kind can hold.
   */
  readonly fields?: F & Checked<NoInfer<F>, NoInfer<T>>
  /** Read-only values made from columns, by names that are no columns. Default: none. */
  readonly computed?: { readonly [K in keyof N]: Computed<Whole<NoInfer<T>, NoInfer<F>>, N[K]> }
  /**
   * Custom HTML for a cell, by column: gets the stored value, never null, and the whole row. Text that it returns is escaped. JSON is
   * unchanged. Default: the kind's own.
   */
  readonly display?: {
    readonly [K in keyof Whole<NoInfer<T>, NoInfer<F>> & string]?: (
      value: NonNullable<Whole<NoInfer<T>, NoInfer<F>>[K]>,
      row: Whole<NoInfer<T>, NoInfer<F>>,
    ) => Html | string
  }
  /** Which fields each page, and each JSON answer, contains. A record always includes its key. */
  readonly pages?: {
    /**
     * The list. It may show fields of records that up to three relations lead to, as `countryId.continentId.name`. Default: the first 8
     * fields, without long ones.
     */
    readonly index?: readonly I[]
    /** A single record. Sections group fields as those of the form do. Default: every field, then every computed value. */
    readonly detail?: readonly (D | Section<D>)[]
    /**
     * What can be written, in JSON too. Use a section to group fields: `{ section: 'Place', fields: ['latitude', 'longitude'] }`. Computed
     * values follow what is typed; they and read-only fields are shown alone. Default: every field that is not read-only.
     */
    readonly form?: readonly (
      | Names<NoInfer<F>, NoInfer<T>, KeyName<NoInfer<N>>>
      | Section<Names<NoInfer<F>, NoInfer<T>, KeyName<NoInfer<N>>>>
    )[]
    /** Further pages at `/resource/{resourceUri}/{uri}`: of one of these kinds, or made with `definePage`. Default: none. */
    readonly more?: readonly (
      | KindPage<Names<NoInfer<F>, NoInfer<T>, KeyName<NoInfer<N>>>, Where<Whole<NoInfer<T>, NoInfer<F>>>>
      | DetailPage<Names<NoInfer<F>, NoInfer<T>, KeyName<NoInfer<N>>>>
      | Page
    )[]
  }
  /** Lists of related records on the detail page: `[hasMany(Orders)]`. Default: none. */
  readonly related?: readonly L[]
  /**
   * The fields that a list can be filtered by, and those of records that up to three relations lead to: `companyId.country`, `orders.state`
   * of a list in `related`. Default: none; with derived fields, the fields of the index page.
   */
  readonly filters?: readonly P[]
  /**
   * Numbers below the columns of lists, over all records that match, on all pages: `{ price: 'sum' }`, `{ price: ['sum', 'average'] }`. JSON
   * has them with `?summary=1`. Each reads all of these records. Default: none.
   */
  readonly summary?: { readonly [K in NumberKey<NoInfer<T>> | TallyKey<NoInfer<F>>]?: SummaryOf | readonly SummaryOf[] }
  /** Named conditions on a list, by key: `?query-tag=key`. Default: none. */
  readonly queryTags?: Readonly<Record<Q, QueryTag<Whole<NoInfer<T>, NoInfer<F>>>>>
  /**
   * Searches by an index of words: FTS5 in SQLite, a `tsvector` in PostgreSQL. `daymark doctor` prints the statements that create it.
   * Default: `false`, which looks for parts of words without an index.
   */
  readonly fullText?: boolean | FullTextSettings
  /**
   * Ways to draw the list besides the table: `[view.board('status'), view.calendar('dueAt')]`. Users who may not see their field do not have
   * them. Default: none.
   */
  readonly views?: readonly (
    | Board<OptionKey<NoInfer<F>, NoInfer<T>>, Names<NoInfer<F>, NoInfer<T>, KeyName<NoInfer<N>>>>
    | Calendar<TimeKey<NoInfer<F>, NoInfer<T>>, Names<NoInfer<F>, NoInfer<T>, KeyName<NoInfer<N>>>>
  )[]
  /**
   * The columns in `pages.index` that users may also sort by, of those that relations lead to: `['countryId.continentId.name']`. Each sort by
   * one reads all records that match. A field says `.sortable()` itself. Default: none; with derived fields, all of these columns.
   */
  readonly sortable?: readonly S[]
  /** The default sort. Default: `''`, the column of `reorderable`, else the key. */
  readonly sortColumn?: ColumnKey<NoInfer<T>> | TallyKey<NoInfer<F>> | NoInfer<S> | ''
  /** The direction of the default sort. Default: `DESC`; `ASC` by the column of `reorderable`. */
  readonly sortDirection?: 'ASC' | 'DESC'
  /**
   * Lets users who may update records put them in an order of their own, which this column keeps: an integer or a double that is NOT NULL,
   * with a field. A new record comes last. Default: no such order.
   */
  readonly reorderable?: PlaceKey<InferSelectModel<NoInfer<T>>>
  /** Records per page. Default: 25. */
  readonly itemsPerPage?: number
  /** The most that `?perPage=` may ask for; more returns 422. Default: 100. */
  readonly maxItemsPerPage?: number
  /** What a click on a row does: `SELECT` it, open its `DETAIL` page, or `EDIT` it. Default: `null`, nothing. */
  readonly clickAction?: 'SELECT' | 'DETAIL' | 'EDIT' | null
  /** Keeps the head of the table in view while the rows scroll. Default: `false`. */
  readonly stickyTable?: boolean
  /** Never issues a COUNT and shows no total; JSON pages by cursor. Default: `false`. */
  readonly simplePaginate?: boolean
  /** `capped` stops counting at 10,000. Default: `exact`. */
  readonly count?: 'exact' | 'capped'
  /** Requires a version for updates and deletes: without `If-Match` or `_version`, they return 428 (RFC 6585 §3). Default: `false`. */
  readonly requireIfMatch?: boolean
  /** `false` lists all rows on one page. Default: `true`. */
  readonly usePagination?: boolean
  /** Filters, sorts and pages without a reload. Default: `true`. */
  readonly isAsync?: boolean
  /** Lets users choose the columns they see. Default: `false`. */
  readonly columnSelection?: boolean
  /** The enabled actions; the others have no button, and their routes return 403. Default: all five. */
  readonly activeActions?: readonly ActiveAction[]
  /** The most records in one mass delete. Default: 1000. */
  readonly maxMassDelete?: number
  /**
   * The fields that users may change of all selected records at once: `['state', 'countryId']`. Each record is written as by a form: with its
   * rules, hooks, policies and history. Default: none.
   */
  readonly massUpdate?: readonly UN[]
  /** The column that identifies a version: it must change with every write. Default: a hash of the record. */
  readonly version?: ColumnKey<NoInfer<T>>
  /**
   * Deletes records by setting this column, a nullable time or a boolean: they are then in no list, and 404s. `trashResource` lists them, to
   * restore them or to delete them for good. Default: a delete removes the record from the database.
   */
  readonly softDelete?: DeletedKey<InferSelectModel<NoInfer<T>>>
  /**
   * Keeps what every write changes, with its user and time. Who may view a record's history: `true`, everybody who may view the record; role
   * names, those of them with one of these. It needs the panel's `database`. Default: `false`, none is kept.
   */
  readonly history?: RoleRule
  /**
   * Creates and changes records from a file, or from a list in JSON. Who may: `true`, everybody who may create or update records; role
   * names, those of them with one of these. `{ match: 'sku' }` also finds the records to change by other columns than their key. Default:
   * `false`, nobody.
   */
  readonly import?: RoleRule | ImportSettings<X>
  /** Customizes the table of the index page. */
  readonly table?: TableSettings<NoInfer<T>, NoInfer<F>>
  /** Your code around each write, inside its transaction. Default: none. */
  readonly hooks?: Hooks<Whole<NoInfer<T>, NoInfer<F>>, Written<NoInfer<T>, NoInfer<F>>>
  /** Validation across several fields. Default: none. */
  readonly validate?: Validate<Whole<NoInfer<T>, NoInfer<F>>, Written<NoInfer<T>, NoInfer<F>>>
  /**
   * What users read when the database refuses a write, by the name of the constraint or the index: a text, or texts by field. Default: what
   * the panel can tell of it.
   */
  readonly constraints?: Constraints<keyof Whole<NoInfer<T>, NoInfer<F>> & string>
  /** What buttons do, with the selected records or none, by URI. Default: none. */
  readonly handlers?: { readonly [K in HN]: object } & {
    readonly [K in keyof H]: Handler<Whole<NoInfer<T>, NoInfer<F>>, Written<NoInfer<T>, NoInfer<F>>, H[K]>
  }
  /** What code in a page may call by name. Default: none. */
  readonly methods?: { readonly [K in MN]: object } & {
    readonly [K in keyof M]: Method<Whole<NoInfer<T>, NoInfer<F>>, Written<NoInfer<T>, NoInfer<F>>, M[K]>
  }
  /** Buttons of the index page: in the menu of each row, in the toolbar, or over the selected rows. Default: none. */
  readonly indexButtons?: readonly IndexButton<Whole<NoInfer<T>, NoInfer<F>>, NoInfer<HN>, NoInfer<MN>>[]
  /** Buttons of all other pages of the resource. Default: none. */
  readonly buttons?: readonly Button<Whole<NoInfer<T>, NoInfer<F>>, NoInfer<HN>, NoInfer<MN>>[]
  /** Who may do what, by ability. Default: the panel's policies. */
  readonly can?: Policies
  /** Who may do what with one record, by ability. `view` needs a `scope`. Default: no further limits. */
  readonly canRecord?: RecordPolicies<Whole<NoInfer<T>, NoInfer<F>>>
  /**
   * Which records exist for a user, as a condition: others are in no list and are 404s, and no write may leave it. `{}` means all. Default:
   * all.
   */
  readonly scope?: (who: {
    /** The user who asks. */
    readonly user: Identity
  }) => Where<Whole<NoInfer<T>, NoInfer<F>>>
}

/** A computed value of a resource. */
export interface BoundComputed {
  /** Its name. */
  readonly key: string
  /** What users read. */
  readonly label: string
  /** The columns that it reads. */
  readonly needs: readonly string[]
  /** The digits of a number that users see; undefined: as many as it has. */
  readonly decimals?: number
  /** The currency whose amounts they are; undefined: they are plain numbers. */
  readonly currency?: string
  /** Whether they are whole numbers of its smallest unit. */
  readonly minor?: boolean
  /** The unit behind them; undefined: none. */
  readonly unit?: string
  /** Returns the value. */
  value(row: Record<string, unknown>): Json | Date | undefined
}

type AnyRow = Record<string, unknown>

/** A resource, as `defineResource` returns it: frozen data, with settings filled in and fields bound to columns. */
export interface Resource extends PageReports {
  /** `{resourceUri}` in every path. */
  readonly uriKey: string
  /** The name that users see. */
  readonly title: string
  /** What users call one record; null: nothing of its own. */
  readonly singular: string | null
  /** Its icon; null: none. */
  readonly icon: IconName | null
  /** The table, as the panel sees it. */
  readonly model: Model
  /** A store of your own; null: the SQL store of `database`. */
  readonly ownStore: OwnStore | null
  /** The database that holds the table; null: the panel's. */
  readonly database: string | object | null
  /** The column that labels a record; the first one that its computed label needs. */
  readonly column: Column
  /** The computed value that labels a record; null: `column` does. */
  readonly label: BoundComputed | null
  /** The fields by column. */
  readonly fields: ReadonlyMap<string, Bound>
  /** The computed values by name. */
  readonly computed: ReadonlyMap<string, BoundComputed>
  /** Custom HTML for cells, by column. */
  readonly display: ReadonlyMap<string, (value: unknown, row: AnyRow) => Html | string>
  /** What was derived if `fields` was left out; null: nothing. */
  readonly derived: Derived | null
  /** The fields of each page. */
  readonly pages: { readonly [P in PageType]: readonly string[] }
  /** Further pages by URI. */
  readonly morePages: ReadonlyMap<string, KindPage | Page>
  /** Lists of related records on the detail page. */
  readonly related: readonly HasMany[]
  /** The fields of the form in their sections; `label` is null for fields without a heading. */
  readonly sections: Sections
  /** The sections of its detail pages by URI; its own is `detail-page`. */
  readonly details: ReadonlyMap<string, Sections>
  /** The fields that a list can be filtered by. */
  readonly filters: readonly string[]
  /** The columns of lists that these can be sorted by, of those that relations lead to. */
  readonly sortable: readonly string[]
  /** The numbers below the columns of lists. */
  readonly summary: readonly Summary[]
  /** Named conditions by key. */
  readonly queryTags: ReadonlyMap<
    string,
    {
      readonly label: string
      /** The condition that records must meet, by the days of a time zone. */
      readonly where: (timeZone: string) => Condition
      /** Whether it means other records tomorrow, though nothing changes. */
      readonly isToldFromNow: boolean
    }
  >
  /** The full-text index; null: a search looks for parts of words, without an index. */
  readonly fullText: FullText | null
  /** Ways to draw the list besides the table. */
  readonly views: readonly ListView[]
  /** The column of the default sort. */
  readonly sortColumn: string
  /** The direction of the default sort. */
  readonly sortDirection: 'ASC' | 'DESC'
  /** The column of the order that users put records in; null: there is none. */
  readonly reorderable: Column | null
  /** Records per page. */
  readonly itemsPerPage: number
  /** The most that `?perPage=` may ask for. */
  readonly maxItemsPerPage: number
  /** What a click on a row does; null: nothing. */
  readonly clickAction: 'SELECT' | 'DETAIL' | 'EDIT' | null
  /** Whether the head of the table stays in view. */
  readonly stickyTable: boolean
  /** Whether nothing is counted. */
  readonly simplePaginate: boolean
  /** How far is counted. */
  readonly count: 'exact' | 'capped'
  /** Whether updates and deletes require a version. */
  readonly requireIfMatch: boolean
  /** Whether lists have pages. */
  readonly usePagination: boolean
  /** Whether lists filter, sort and page without a reload. */
  readonly isAsync: boolean
  /** Whether users choose their columns. */
  readonly columnSelection: boolean
  /** The enabled actions. */
  readonly activeActions: ReadonlySet<ActiveAction>
  /** The most records in one mass delete. */
  readonly maxMassDelete: number
  /** The column that identifies a version; null: a hash of the record. */
  readonly version: string | null
  /** How a delete marks records; null: it removes them. */
  readonly softDelete: SoftDelete | null
  /** Which records of the table it is about, whoever asks. */
  readonly records: Condition
  /** The resource whose deleted records it lists; null: it is no trash. */
  readonly trashOf: Resource | null
  /** Who may view the history of a record; `false`: none is kept. */
  readonly history: RoleRule
  /** Who may import records; `false`: nobody. */
  readonly import: RoleRule
  /** The fields by whose values, together, an import finds the records to change, besides the key; empty: by the key alone. */
  readonly importMatch: readonly string[]
  /** The settings of the table. */
  readonly table: BoundTable
  /** The hooks. */
  readonly hooks: Hooks<AnyRow, AnyRow>
  /** Validation across several fields; null: none. */
  readonly validate: Validate<AnyRow, AnyRow> | null
  /** What users read when the database refuses a write, by the name of the constraint. */
  readonly constraints: ReadonlyMap<string, ConstraintText>
  /** The handlers by URI. */
  readonly handlers: ReadonlyMap<string, BoundAction>
  /** The methods by name. */
  readonly methods: ReadonlyMap<string, BoundAction>
  /** Buttons of the index page. */
  readonly indexButtons: readonly IndexButton<AnyRow, string, string>[]
  /** Buttons of all other pages. */
  readonly buttons: readonly Button<AnyRow, string, string>[]
  /** Policies by ability. */
  readonly can: Policies
  /** Policies for one record, by ability. */
  readonly canRecord: { readonly [ability: string]: RecordPolicy<AnyRow> | undefined }
  /** Which records exist for a user; null: all. */
  readonly scope: ((user: Identity) => Condition) | null
  /** The settings as they were given, for the start-up checks. */
  readonly written: { readonly [setting: string]: unknown }
}

/** A resource with the types of its declaration, from which URLs and clients infer theirs. */
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
  L = never,
  S extends string = string,
  X extends string = string,
> extends Resource,
    Over<T, F> {
  // `NoInfer`: inside `definePanel` it would otherwise be inferred from the expected type, as any text.
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
    readonly sortable: S
    readonly detail: D
    readonly nested: L
    readonly match: X
  }
}

/**
 * Declares a resource over a table. `defineResource({ model: cities })` alone works: every column gets a field.
 *
 * @throws TypeError if `model` is not a Drizzle table of SQLite or PostgreSQL, if no column can be the key, or if the condition of a query
 * tag is invalid. `definePanel` reports everything else, at once and with ids
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
  N extends Record<string, keyof Whole<T, F> & string> = Record<never, never>,
  H = Record<never, never>,
  M = Record<never, never>,
  U extends string = UriOf<T>,
  // `& string`: the compiler then lists the names, instead of what they are made of.
  P extends FilterNames<F, T, L> & string = never,
  Q extends string = never,
  I extends ColumnNames<F, T, KeyName<N>> & string = never,
  D extends Names<F, T, KeyName<N>> = never,
  HN extends string = never,
  MN extends string = never,
  UN extends Names<F, T, never> = never,
  L extends HasMany = never,
  S extends FollowedIn<I> = never,
  X extends Names<F, T, never> & ColumnKey<T> = never,
>(
  spec: Spec<T, F, N, H, M, U, P, Q, I, D, HN, MN, UN, L, S, X>,
): ResourceOf<T, F, KeyName<N>, ActionInputs<H, HN> & MassUpdate<T, F, UN>, ActionInputs<M, MN>, U, P, Q, I, D, L, S, X> {
  const ownStore = isOwnStore(spec.model) ? spec.model : null
  const plain = modelOf(ownStore ? ownStore.table : (spec.model as T), spec.key)
  const uriKey = spec.uriKey ?? (kebab(plain.name) as U)
  const derived = spec.fields === undefined ? deriveFields(plain) : null
  const declaredFields = derived?.fields ?? new Map(Object.entries(spec.fields as Record<string, Field>))
  const model = withTallies(withLinks(withTimes(plain, declaredFields), declaredFields), declaredFields)
  const reorderable = placeColumn(model, spec.reorderable)
  const fields = bindFields(model, declaredFields, reorderable)
  const computed = new Map<string, BoundComputed>(
    Object.entries<object>(spec.computed ?? {}).map(([key, one]) => [key, Object.freeze({ ...one, key }) as unknown as BoundComputed]),
  )
  const label = (spec.column !== undefined && !model.columns.has(spec.column) && computed.get(spec.column)) || null
  const writable = [...fields.values()].filter((field) => !field.readOnly).map((field) => field.key)
  const short = [...fields.values()].filter((field) => !field.kind.long).map((field) => field.key)
  const index: readonly string[] = spec.pages?.index ?? short.slice(0, 8)
  const sections = sectionsOf(spec.pages?.form ?? writable)
  const detail = sectionsOf(spec.pages?.detail ?? [...fields.keys(), ...computed.keys()])
  const more = (spec.pages?.more ?? []) as readonly (KindPage | DetailPage | Page)[]
  const laidOut = more.filter((page): page is DetailPage => 'type' in page && page.type === 'detail' && Array.isArray(page.fields))
  const details = new Map([['detail-page', detail], ...laidOut.map((page) => [page.uri, sectionsOf(page.fields)] as const)])
  const softDelete = softDeleteOf(model, spec.softDelete)
  const handlers = new Map(bindActions(spec.handlers ?? {}))
  if (spec.massUpdate?.length) handlers.set(massUpdateUri, massUpdateOf(spec.massUpdate, { fields, model }))
  const scope = spec.scope as ((who: { user: Identity }) => Where<AnyRow>) | undefined
  return Object.freeze({
    uriKey,
    title: spec.title ?? humanise(uriKey),
    singular: spec.singular ?? null,
    icon: spec.icon ?? null,
    model,
    ownStore,
    database: spec.database ?? null,
    column: labelColumn(label?.needs[0] ?? spec.column, model, fields),
    label,
    fields,
    computed,
    display: new Map(Object.entries(spec.display ?? {})) as unknown as Resource['display'],
    derived,
    pages: Object.freeze({
      index: Object.freeze([...index]),
      detail: fieldsIn(detail),
      form: fieldsIn(sections),
    }),
    morePages: new Map(
      more.map((page) => {
        const sections = 'type' in page ? details.get(page.uri) : undefined
        return [page.uri, (sections ? { ...page, fields: fieldsIn(sections) } : page) as KindPage | Page]
      }),
    ),
    related: Object.freeze([...(spec.related ?? [])]),
    sections,
    details,
    filters: Object.freeze([...(spec.filters ?? (derived ? index.filter((key) => fields.has(key)) : []))]),
    sortable: Object.freeze([...(spec.sortable ?? (derived ? index.filter((key) => !fields.has(key) && !computed.has(key)) : []))]),
    summary: summaryOf(spec.summary as Parameters<typeof summaryOf>[0]),
    queryTags: new Map(
      Object.entries<QueryTag<AnyRow>>(spec.queryTags ?? {}).map(([key, tag]) => [
        key,
        {
          label: tag.label,
          where: tagCondition(uriKey, key, tag.where as Where<AnyRow>, model),
          isToldFromNow: isToldFromNow(tag.where as Where<AnyRow>),
        },
      ]),
    ),
    fullText: bindFullText(spec.fullText, model, fields),
    views: Object.freeze([...(spec.views ?? [])]),
    sortColumn: spec.sortColumn || (reorderable ?? model.key).key,
    sortDirection: spec.sortDirection ?? (reorderable && (spec.sortColumn || reorderable.key) === reorderable.key ? 'ASC' : 'DESC'),
    reorderable,
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
    softDelete,
    records: softDelete?.live ?? always,
    trashOf: null,
    history: ruleOf(spec.history),
    ...importOf(spec.import, ruleOf),
    table: bindTable(spec.table, uriKey),
    hooks: Object.freeze({ ...spec.hooks }) as Resource['hooks'],
    validate: (spec.validate ?? null) as Resource['validate'],
    constraints: new Map(Object.entries(spec.constraints ?? {})) as Resource['constraints'],
    handlers,
    methods: bindActions(spec.methods ?? {}),
    indexButtons: Object.freeze([...(spec.indexButtons ?? [])]) as unknown as Resource['indexButtons'],
    buttons: Object.freeze([...(spec.buttons ?? [])]) as unknown as Resource['buttons'],
    can: Object.freeze({ ...spec.can }),
    canRecord: Object.freeze({ ...spec.canRecord }) as Resource['canRecord'],
    scope: scope ? (user: Identity) => condition(scope({ user }), model.columns, null) : null,
    written: Object.freeze({ ...spec }) as Resource['written'],
    ...pageReports(uriKey),
  })
}

const ruleOf = (rule: RoleRule | undefined): RoleRule => (Array.isArray(rule) ? Object.freeze([...rule]) : (rule ?? false))

function tagCondition(uriKey: string, key: string, where: Where<AnyRow>, { columns }: Model): (timeZone: string) => Condition {
  try {
    const fixed = condition(where, columns, 'UTC')
    return isToldFromNow(where) ? (timeZone) => condition(where, columns, timeZone) : () => fixed
  } catch (thrown) {
    throw new TypeError(`The query tag "${key}" of "${uriKey}": ${(thrown as Error).message}`, { cause: thrown })
  }
}

function isOwnStore<T extends Table>(model: T | OwnStore<T>): model is OwnStore<T> {
  return (
    typeof model === 'object' && model !== null && 'transaction' in model && typeof model.transaction === 'function' && 'table' in model
  )
}

function labelColumn(named: string | undefined, model: Model, fields: ReadonlyMap<string, Bound>): Column {
  const texts = [...fields.values()].filter((field) => isName(field, model))
  // Copyable text, such as an e-mail address, labels a record only if there is no other text.
  const label = named ?? (texts.find(({ kind }) => !kind.copyable) ?? texts[0])?.key
  return (label === undefined ? undefined : model.columns.get(label)) ?? model.key
}

/** Whether a field's text can label a record: no key or foreign key, no choice, nothing long or secret. */
function isName({ key, kind }: Bound, { columns, key: own }: Model): boolean {
  const column = columns.get(key)
  if (column?.type !== 'text' || column === own || column.primary || column.references || column.options) return false
  if (hasTextForm(column)) return false
  return !kind.long && !kind.secret && !kind.relation && kind.operators.includes('contains')
}
