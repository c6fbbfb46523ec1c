import type { InferSelectModel, Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Html } from '../base/html.js'
import type { IconName } from '../base/icon-paths.js'
import type { Json, RoleRule } from '../field/field.js'
import type { Button, Handler, IndexButton, Method, QueryTag } from './action/action.js'
import type { Hooks, Validate } from './action/hooks.js'
import type { Policies, RecordPolicies } from './action/policy.js'
import type { Checked, Needs, NumberKey } from './checked.js'
import type { HasMany } from './components/has-many.js'
import type { Where } from './condition/condition.js'
import type { ColumnKey, KeyName, Names, TallyKey, Whole, Written } from './condition/declared.js'
import type { Constraints } from './constraints.js'
import type { FullTextSettings } from './model/full-text.js'
import type { ImportSettings } from './model/import-settings.js'
import type { PlaceKey } from './model/reorderable.js'
import type { Section } from './page.js'
import type { DetailPage, KindPage, Page } from './pages/own-page.js'
import type { SummaryOf } from './pages/summary.js'
import type { TableSettings } from './pages/table.js'
import type { Board, Calendar, OptionKey, TimeKey } from './pages/view.js'
import type { DeletedKey } from './soft-delete.js'

// The compiler lists the names where one is wrong, instead of what they are made of.
type KeyIn<R> = { [K in keyof R]: K }[keyof R] & string

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
  readonly column?: KeyIn<InferSelectModel<NoInfer<T>>> | KeyName<NoInfer<N>>
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
  readonly sortColumn?: KeyIn<InferSelectModel<NoInfer<T>>> | TallyKey<NoInfer<F>> | NoInfer<S> | ''
  /** The direction of the default sort. Default: `DESC`; `ASC` by the column of `reorderable`. */
  readonly sortDirection?: 'ASC' | 'DESC'
  /**
   * Lets users who may update records put them in an order of their own, which this column keeps: an integer or a double that is NOT NULL,
   * with a field. A new record comes last. Default: no such order.
   */
  readonly reorderable?: PlaceKey<InferSelectModel<NoInfer<T>>> | Needs<'a number that is NOT NULL'>
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
  /** `false` lists all rows on one page. Default: `true`. */
  readonly usePagination?: boolean
  /** Filters, sorts and pages without a reload. Default: `true`. */
  readonly isAsync?: boolean
  /** Lets users choose the columns they see. Default: `false`. */
  readonly columnSelection?: boolean
  /** Customizes the table of the index page. */
  readonly table?: TableSettings<NoInfer<T>, NoInfer<F>>
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
  readonly version?: KeyIn<InferSelectModel<NoInfer<T>>>
  /** Requires a version for updates and deletes: without `If-Match` or `_version`, they return 428 (RFC 6585 §3). Default: `false`. */
  readonly requireIfMatch?: boolean
  /**
   * Deletes records by setting this column, a nullable time or a boolean: they are then in no list, and 404s. `trashResource` lists them, to
   * restore them or to delete them for good. Default: a delete removes the record from the database.
   */
  readonly softDelete?: DeletedKey<InferSelectModel<NoInfer<T>>> | Needs<'a time that may be null, or a boolean'>
  /**
   * Keeps what every write changes, with its user and time. Who may view a record's history: `true`, everybody who may view the record; role
   * names, those of them with one of these. It needs the panel's `database`. Default: `false`, none is kept.
   */
  readonly history?: RoleRule
  /**
   * Lets users write comments on records: those who may view the record and have the ability `comment`. It needs the panel's `database`.
   * Default: `false`.
   */
  readonly comments?: boolean
  /**
   * Creates and changes records from a file, or from a list in JSON. Who may: `true`, everybody who may create or update records; role
   * names, those of them with one of these. `{ match: 'sku' }` also finds the records to change by other columns than their key. Default:
   * `false`, nobody.
   */
  readonly import?: RoleRule | ImportSettings<X>
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
