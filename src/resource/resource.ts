import type { Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Html } from '../base/html.js'
import type { IconName } from '../base/icon-paths.js'
import type { Bound, Json, RoleRule } from '../field/field.js'
import type { Button, IndexButton } from './action/action.js'
import type { BoundAction } from './action/bind-action.js'
import type { Hooks, Validate } from './action/hooks.js'
import type { Policies, RecordPolicy } from './action/policy.js'
import type { HasMany } from './components/has-many.js'
import type { Condition } from './condition/condition.js'
import type { declared } from './condition/declared.js'
import type { ConstraintText } from './constraints.js'
import type { Derived } from './model/derive.js'
import type { FullText } from './model/full-text.js'
import type { Column, Model, Over } from './model/model.js'
import type { PageReports, PageType, Sections } from './page.js'
import type { KindPage, Page } from './pages/own-page.js'
import type { Summary } from './pages/summary.js'
import type { BoundTable } from './pages/table.js'
import type { ListView } from './pages/view.js'
import type { ActiveAction, OwnStore } from './settings.js'
import type { SoftDelete } from './soft-delete.js'

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

// Not exported: declarations of users' own would name this file.
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
  /** Whether users write comments on its records; of a trash, whether they read those. */
  readonly comments: boolean
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
