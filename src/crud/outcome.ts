import type { ApiKey, Identity, Passkey, Session } from '../auth/identity.js'
import type { OpenIdProvider } from '../auth/open-id-provider.js'
import type { PasskeyChallenge } from '../auth/passkey-challenge.js'
import type { Grant } from '../auth/pipeline.js'
import type { CodesCounted } from '../auth/second-factor.js'
import type { newOptions, signInOptions } from '../auth/webauthn.js'
import { DaymarkError } from '../base/errors.js'
import type { DaysShown } from '../field/days-shown.js'
import type { Bound, Json } from '../field/field.js'
import type { Shade } from '../field/tone.js'
import type { Answer, PageButton } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'
import type { Badge, Chart, Component, FormBuilder, Progress as Meter, Metric, TableBuilder, Tabs } from '../resource/component.js'
import type { Page } from '../resource/own-page.js'
import type { Sections } from '../resource/page.js'
import type { BoundComputed, Resource } from '../resource/resource.js'
import type { SummaryOf } from '../resource/summary.js'
import type { Board, Calendar } from '../resource/view.js'
import type { StoredFile } from '../store/files/storage.js'
import type { Job } from '../store/panel/jobs.js'
import type { Row } from '../store/store.js'
import type { WrittenPage } from '../store/written.js'
import type { Call, OpenIdBegun, Preset, Query } from './call.js'
import type { Chosen } from './chosen.js'
import type { FileColumns } from './file-columns.js'
import type { FileFormat } from './file-format.js'
import type { FilterChosen } from './filter-chosen.js'
import type { ImportMode } from './import-columns.js'
import type { Lens } from './lens.js'
import type { Listing } from './list-query.js'
import type { Choice, NamedRelation, Related, Relation } from './related.js'
import type { Use } from './still-used.js'
import type { Theme } from './theme.js'
import type { Undo } from './undo.js'

/** The first page: the resources that the user may list. */
export interface Home {
  /** The kind of outcome. */
  readonly is: 'home'
  /** The resources that the user may list. */
  readonly resources: readonly Resource[]
}
/** The preferences of a user. */
export interface Preferred {
  /** The kind of outcome. */
  readonly is: 'preferred'
  /** What the user has chosen. */
  readonly chosen: Chosen
  /** Whether a preference has just changed. */
  readonly changed: boolean
  /** The theme that was chosen just now, for the browser to remember: the sign-in page uses it; null: none. */
  readonly theme: Theme | null
  /** The language that was chosen just now, for the browser to remember; null: the choice was taken back. Left out: no change. */
  readonly language?: string | null
  /** The list that was saved under a name just now; null: none. */
  readonly saved: {
    /** The resource of the list. */
    readonly resource: Resource
    /** The query of its URL. */
    readonly query: string
  } | null
}
/** The process answers. */
export interface Healthy {
  /** The kind of outcome. */
  readonly is: 'healthy'
}
/** What a page knows about the relations among a list's filters. */
export interface FilterRelations {
  /** The records that the filters in force name. */
  readonly named: Related
  /** What was searched for to filter by (`?_find[field]=`), and what was found, by field. */
  readonly found: ReadonlyMap<string, SearchedFilter>
}

/** What users choose on a page, with what its control shows of related records. */
export type FilterShown = FilterChosen & {
  /** The chosen record by its label, and those that were searched for. */
  readonly asked: FilterRelations
}

/** What was searched for to filter by, and what was found. */
export interface SearchedFilter {
  /** The text that was searched for. */
  readonly query: string
  /** The records that were found. */
  readonly choices: readonly Choice[]
}
/** A page of a list. */
export interface Listed {
  /** The kind of outcome. */
  readonly is: 'listed'
  /** The resource. */
  readonly resource: Resource
  /** Turns rows into records: the fields that the user may see. */
  readonly lens: Lens
  /** What the request asked for, checked. */
  readonly listing: Listing
  /** The relations among its filters. */
  readonly asked: FilterRelations
  /** The component that shows the list on a page; null: the resource's own list. */
  readonly preset: Preset | null
  /** The rows of the page: values by position, as `lens` reads them. */
  readonly rows: readonly Row[]
  /** The same page, without rows, as the database wrote it; null: it has rows. */
  readonly written: WrittenPage | null
  /** How many records the list has; null: nobody counted. */
  readonly total: {
    /** How many records were counted. */
    readonly count: number
    /** `false`: there are more. */
    readonly exact: boolean
  } | null
  /** Without a total: whether more rows follow. */
  readonly goesOn: boolean
  /** The cursor of the next page; null: none. */
  readonly nextCursor: string | null
  /** The cursor of the previous page; null: none. */
  readonly prevCursor: string | null
  /** The related records of the rows. */
  readonly related: Related
  /** How its rows can be moved; null: they cannot, or nobody asked. */
  readonly moves: Moves | null
  /** The numbers below its columns; null: nobody asked. */
  readonly summary: readonly Summarized[] | null
  /** The view that it is drawn as, whose rows are those of the list; null: as a table. */
  readonly drawn: DrawnList | null
}
/** A list as one of its views. */
export type DrawnList = DrawnBoard | DrawnCalendar
/** A list as columns of cards. */
export interface DrawnBoard {
  /** The kind of view. */
  readonly is: 'board'
  /** The declaration. */
  readonly view: Board
  /** The field by which records are placed. */
  readonly field: Bound
  /** The columns, in their order. */
  readonly columns: readonly BoardColumn[]
}
/** A column of a board. */
export interface BoardColumn {
  /** The stored value of its records; null: they have none; undefined: values that are no options. */
  readonly value: unknown
  /** The rows that it shows. */
  readonly rows: readonly Row[]
  /** How many records it has; null: nobody counted. */
  readonly count: Listed['total']
  /** Whether there are more than it shows. */
  readonly goesOn: boolean
  /** The filters that ask for its records; null: there are none. */
  readonly query: readonly (readonly [name: string, text: string])[] | null
}
/** A list as the days of a month or a week. */
export interface DrawnCalendar {
  /** The kind of view. */
  readonly is: 'calendar'
  /** The declaration. */
  readonly view: Calendar
  /** The field by which records are placed. */
  readonly field: Bound
  /** The month or week. */
  readonly shown: DaysShown
  /** Today, in local time read as UTC. */
  readonly today: number
  /** The days of its weeks. */
  readonly days: readonly CalendarDay[]
  /** The field that colours its records; null: none does, or the caller may not see it. */
  readonly tone: Bound | null
}
/** A day of a calendar. */
export interface CalendarDay {
  /** Its text: `2026-11-28`. */
  readonly day: string
  /** Whether it is of another month. */
  readonly isOutside: boolean
  /** Whether it is today. */
  readonly isToday: boolean
  /** The rows of its records. */
  readonly rows: readonly Row[]
  /** Whether it has more, which nobody counted. */
  readonly goesOn: boolean
  /** The filters that ask for its records; null: there are none. */
  readonly query: readonly (readonly [name: string, text: string])[] | null
}
/** A number over all records of a list. */
export interface Summarized {
  /** The field whose values it is over. */
  readonly field: Bound
  /** What it is. */
  readonly of: SummaryOf
  /** The number as in JSON, a double; null: no record has a value. */
  readonly value: number | null
  /** The same over what is stored: the smallest and the largest are values of the field. */
  readonly stored: number | null
}
/** How rows can be moved where they are listed. */
export interface Moves {
  /** The direction of the list. */
  readonly direction: 'ASC' | 'DESC'
  /** The key of the record before the first row, as text; null: none that is known. */
  readonly before: string | null
  /** The key of the record after the last row, as text; null: none that is known. */
  readonly after: string | null
}
/** Some rows of a list without pages. */
export interface Chunk {
  /** The rows: values by position. */
  readonly rows: readonly Row[]
  /** The same records, without rows, as the database wrote them. Left out: it has rows. */
  readonly written?: WrittenPage
  /** The related records of the rows. */
  readonly related: Related
}
/** A list without pages: all rows, read while they are sent. */
export interface Streamed {
  /** The kind of outcome. */
  readonly is: 'streamed'
  /** The resource. */
  readonly resource: Resource
  /** Turns rows into records: the fields that the user may see. */
  readonly lens: Lens
  /** What the request asked for, checked. */
  readonly listing: Listing
  /** The relations among its filters. */
  readonly asked: FilterRelations
  /** The component that shows the list on a page; null: the resource's own list. */
  readonly preset: Preset | null
  /** The rows, read in chunks. */
  readonly chunks: AsyncIterable<Chunk>
  /** How its rows can be moved; null: they cannot, or nobody asked. */
  readonly moves: Moves | null
  /** The numbers below its columns; null: nobody asked. */
  readonly summary: readonly Summarized[] | null
}
/** All rows of a list as a file, read while they are sent. */
export interface Exported {
  /** The kind of outcome. */
  readonly is: 'exported'
  /** The resource. */
  readonly resource: Resource
  /** Turns rows into records: the fields that the user may see. */
  readonly lens: Lens
  /** The key, if the file has it before what is shown; null: it has not. */
  readonly key: Bound | null
  /** The rows, read in chunks. */
  readonly chunks: AsyncIterable<Chunk>
  /** The relations whose labels are written, too. */
  readonly relations: readonly Relation[]
  /** What the list is called. */
  readonly title: string
  /** The format of the file; null: CSV. */
  readonly format: FileFormat | null
}
/** The form of an import of records. */
export interface Importing {
  /** The kind of outcome. */
  readonly is: 'importing'
  /** The resource. */
  readonly resource: Resource
  /** What the caller may do by an import: create records, change those that the rows name, or either. */
  readonly modes: readonly ImportMode[]
  /** What is asked for; else the first of them. */
  readonly mode: ImportMode
  /** The fields that rows may hold. */
  readonly fields: readonly Bound[]
  /** The field that names the records to change; null: the caller may change none, or may not see it. */
  readonly key: Bound | null
  /** The fields by whose values, together, they are found besides; empty: by the key alone. */
  readonly match: readonly Bound[]
  /** What a file that was checked would do; null: none was. */
  readonly checked: ImportCheck | null
  /** What the columns of the sent file are taken for; null: no file was sent, or none that can be read. */
  readonly columns: FileColumns | null
  /** Why the import was refused; null: it was not. */
  readonly error: DaymarkError | null
  /** A key to send along, so that a form that is sent twice writes once. */
  readonly once: string
}
/** An empty file of the columns that an import takes. */
export interface ImportTemplate {
  /** The kind of outcome. */
  readonly is: 'importTemplate'
  /** The resource. */
  readonly resource: Resource
  /** The fields that it has columns for. */
  readonly fields: readonly Bound[]
  /** The format of the file; null: CSV. */
  readonly format: FileFormat | null
}
/** What an import has done, or would do. */
export interface ImportCounts {
  /** How many records it creates. */
  readonly created: number
  /** How many records it changes. */
  readonly updated: number
  /** How many rows are as their records are. */
  readonly unchanged: number
  /** The names of the columns that are not imported: nobody writes what they show, or not this caller. */
  readonly ignored: readonly string[]
}
/** What an import would do. */
export interface ImportCheck extends ImportCounts {
  /** The labels of the fields that its file has columns for. */
  readonly fields: readonly string[]
  /** What its rows find records by, for a text; empty: nothing. */
  readonly named: string
}
/** Records were imported. */
export interface Imported extends ImportCounts {
  /** The kind of outcome. */
  readonly is: 'imported'
  /** The resource. */
  readonly resource: Resource
}
/** One row of a list, as the list shows it. */
export interface ListedRow {
  /** The kind of outcome. */
  readonly is: 'row'
  /** The resource. */
  readonly resource: Resource
  /** Turns rows into records: the fields that the user may see. */
  readonly lens: Lens
  /** The component that shows the list on a page; null: the resource's own list. */
  readonly preset: Preset | null
  /** The row: values by position. */
  readonly row: Row
  /** The related records of the row. */
  readonly related: Related
  /** The row's number on its page. */
  readonly number: number
  /** How the row can be moved; null: it cannot, or nobody asked. */
  readonly moves: Moves | null
}
/** What was read for the value of a component. */
export interface Read {
  /** The value, as in JSON. */
  readonly value: Json
  /** The field whose kind shows the value; null: none. */
  readonly field: Bound | null
  /** The stored value, if there is a field. */
  readonly stored: unknown
  /** The record that has the value; null: none. */
  readonly record: { readonly resource: Resource; readonly key: string; readonly label: string } | null
}
/** A group of a chart: a value of a column, or a period. */
export interface ChartGroup {
  /** What users read. */
  readonly label: string
  /** The same for an axis, as short as possible. */
  readonly short: string
  /** Its value, as in JSON: of a period, its beginning. Null: its records have none; `undefined`: no value forms it. */
  readonly wire: Json | undefined
  /** The end of a period, which is not in it, as in JSON; null: it is none. */
  readonly until: Json
  /** Whether it is the period that is not over yet. */
  readonly isCurrent: boolean
  /** Whether it is all records that are in none of the others. */
  readonly isOthers: boolean
  /** What its value means, by which it is coloured; null: nothing. */
  readonly tone: Shade | null
  /** The list of its records, by its resource and filters; null: no list can show them. */
  readonly link: { readonly resource: Resource; readonly query: readonly (readonly [name: string, text: string])[] } | null
}
/** A series of a chart. */
export interface ChartSeries {
  /** What users read. */
  readonly label: string
  /** The field that shows the numbers as its own, with its decimals; null: none does. */
  readonly field: Bound | null
  /** The value that forms the series, as in JSON. Null: its records have none; `undefined`: no value forms it. */
  readonly wire: Json | undefined
  /** Whether it is all records that are in none of the others. */
  readonly isOthers: boolean
  /** What its value means, by which it is coloured; null: nothing. */
  readonly tone: Shade | null
  /** The number of each group; null: there is none. */
  readonly values: readonly (number | null)[]
}
/** What a chart shows. */
export interface ChartRead {
  /** Whether its groups are periods. */
  readonly isOverTime: boolean
  /** The days that it is about, in words; null: any. */
  readonly days: string | null
  /** Whether the series are parts of a whole, which is their sum. */
  readonly isWhole: boolean
  /** The groups, in the order of the chart. */
  readonly groups: readonly ChartGroup[]
  /** The series. */
  readonly series: readonly ChartSeries[]
  /** Whether there are more groups or series than it shows. */
  readonly hasMore: boolean
}
/** A component with what was read for it. Components that the user may not see are left out. */
export type Filled =
  | { readonly is: 'plain'; readonly component: Extract<Component, { is: 'heading' | 'paragraph' | 'alert' }> }
  | {
      readonly is: 'group'
      readonly component: Extract<Component, { is: 'box' | 'grid' | 'fragment' | 'modal' | 'off-canvas' }>
      readonly inside: readonly Filled[]
    }
  /** A fragment that is asked for later. */
  | { readonly is: 'deferred'; readonly component: Extract<Component, { is: 'fragment' }> }
  | { readonly is: 'button'; readonly button: FilledButton; readonly at: PageAt }
  | { readonly is: 'tabs'; readonly component: Tabs; readonly tabs: readonly FilledTab[]; readonly current: string }
  | { readonly is: 'table'; readonly component: TableBuilder; readonly list: Listed }
  | { readonly is: 'form'; readonly component: FormBuilder; readonly form: Formed; readonly at: PageAt }
  | {
      readonly is: 'metric'
      readonly component: Metric
      readonly value: Read
      /** What the value is compared with; null: nothing. */
      readonly before: Read | null
      readonly link: Resource | string | null
      /** The filters of the list that it leads to. */
      readonly query: readonly (readonly [name: string, text: string])[]
    }
  | { readonly is: 'badge'; readonly component: Badge; readonly value: Read }
  | { readonly is: 'chart'; readonly component: Chart; readonly read: ChartRead }
  | { readonly is: 'progress'; readonly component: Meter; readonly value: Read; readonly max: Read }
/** A button of a page that the user may use. */
export interface FilledButton {
  /** The button, as declared. */
  readonly button: PageButton
  /** Its number among the buttons of its page. */
  readonly number: number
  /** What it runs; null: it fires an event or leads elsewhere. */
  readonly action: BoundAction | null
  /** The resource whose handler it runs; null: it calls a method of the page. */
  readonly resource: Resource | null
}
/** One of several tabs. */
export interface FilledTab {
  /** Selects the tab in the page's URL. */
  readonly uri: string
  /** What users read on the tab. */
  readonly label: string
  /** Its components; null: the tab is not shown, and was not read. */
  readonly inside: readonly Filled[] | null
}
/** Which page it is: one of a resource, or of the panel. */
export interface PageAt {
  /** The resource; null: the panel. */
  readonly resource: Resource | null
  /** The URI of the page; `home` is the panel's first page. */
  readonly uri: string
  /** The key of the record that the page shows; null: none. */
  readonly key: string | null
}
/** A page of components. */
export interface Composed {
  /** The kind of outcome. */
  readonly is: 'composed'
  /** Which page it is. */
  readonly at: PageAt
  /** The page, as declared. */
  readonly page: Page
  /** The buttons beside its heading. */
  readonly buttons: readonly FilledButton[]
  /** What users choose on it, as it was chosen. */
  readonly filters: readonly FilterShown[]
  /** The components that the user may see. */
  readonly inside: readonly Filled[]
  /** Why a form on it was refused. */
  readonly error?: DaymarkError | null
  /** The query of its URL, if the page is shown in answer to a form on it. */
  readonly query?: Query
}
/** A part of a page. */
export interface Part {
  /** The kind of outcome. */
  readonly is: 'part'
  /** Which page it is a part of. */
  readonly at: PageAt
  /** The list, the row or the component. */
  readonly content: Listed | Streamed | ListedRow | Filled
}
/** One record. */
export interface Shown {
  /** The kind of outcome. */
  readonly is: 'shown'
  /** The resource. */
  readonly resource: Resource
  /** Turns the row into a record: the fields that the user may see. */
  readonly lens: Lens
  /** The row: values by position. */
  readonly row: Row
  /** The record's key, as text. */
  readonly key: string
  /** The record's version; null: nobody asked for it. */
  readonly version: string | null
  /** The record in JSON, if it is known already; else null. */
  readonly text: string | null
  /** The relations that `include=` asked for. */
  readonly include: readonly NamedRelation[]
  /** The related records. */
  readonly related: Related
  /** How its page groups the fields. */
  readonly sections: Sections
  /** The lists of related records on the detail page. */
  readonly belonging: readonly Belonging[]
}
/** A list of related records on the detail page. */
export interface Belonging {
  /** The table that shows it. */
  readonly table: TableBuilder
  /** The resource of its records. */
  readonly resource: Resource
  /** The field of its records that refers to this one. */
  readonly by: Bound
  /** The list; null: it could not be read, which leaves the rest of the page as it is. */
  readonly list: Listed | null
}
/** The history of a record: a page of what writes did to it, the newest first. */
export interface History {
  /** The kind of outcome. */
  readonly is: 'history'
  /** The resource. */
  readonly resource: Resource
  /** Turns the row into a record: the fields that the user may see. */
  readonly lens: Lens
  /** The row as it is stored now: values by position. */
  readonly row: Row
  /** The record's key, as text. */
  readonly key: string
  /** What writes did. */
  readonly entries: readonly HistoryEntry[]
  /** How many entries a page has at most. */
  readonly perPage: number
  /** Whether it is the first page. */
  readonly isFirst: boolean
  /** The cursor of the page with older entries; null: there are none. */
  readonly nextCursor: string | null
  /** The related records that relations led to, where a page shows their labels. */
  readonly related: Related
}
/** A file that a record holds. */
export interface FileSent {
  /** The kind of outcome. */
  readonly is: 'file'
  /** Its path, which never names another content. */
  readonly path: string
  /** Its bytes. */
  readonly file: StoredFile
}
/** How what was typed into a field will look. */
export interface Previewed {
  /** The kind of outcome. */
  readonly is: 'previewed'
  /** The field. */
  readonly field: Bound
  /** The value, as it would be stored; null: nothing was typed. */
  readonly value: unknown
}
/** A file that was kept for a record to take. */
export interface Uploaded {
  /** The kind of outcome. */
  readonly is: 'uploaded'
  /** Its path: the value of the field. */
  readonly path: string
  /** Its length in bytes. */
  readonly size: number
}
/** What one write did to a record. */
export interface HistoryEntry {
  /** Identifies it. */
  readonly id: number
  /** When it was written. */
  readonly at: Date
  /** What the write did; `restore`: it took a record out of the trash. */
  readonly action: 'create' | 'update' | 'delete' | 'restore'
  /** The id of the user. */
  readonly userId: string
  /** The name that the user had then. */
  readonly userName: string
  /** The fields that it changed, as far as the caller may see them. */
  readonly changes: readonly FieldChange[]
  /** Whether the caller can take it back: some of its values from before are not those of now, and the caller may write them. */
  readonly restores: boolean
}
/** What a write did to a field. */
export interface FieldChange {
  /** The field. */
  readonly field: Bound
  /** Its value before, as in JSON. Of a secret, always null. */
  readonly before: Json
  /** Its value after, as in JSON. Of a secret, always null. */
  readonly after: Json
}
/** A record was created or updated. */
export interface Saved {
  /** The kind of outcome. */
  readonly is: 'saved'
  /** `true`: created; `false`: updated. */
  readonly created: boolean
  /** The resource. */
  readonly resource: Resource
  /** Turns the row into a record: the fields that the user may see. */
  readonly lens: Lens
  /** The row as it is stored now: values by position. */
  readonly row: Row
  /** The record's key, as text. */
  readonly key: string
  /** The record's new version. */
  readonly version: string
  /** The record in JSON, if it is known already; else null. */
  readonly text: string | null
  /** Where a form goes next: to itself, to a new form, back to its page, or to the record (null). */
  readonly next: 'continue' | 'another' | 'back' | null
  /** The page to return to, as the browser sent it: unchecked. */
  readonly back?: string
  /** What the form began with, and the next one begins with, too. */
  readonly begun: Begun
}
/** What a new record begins with, as in a URL: texts by field. */
export type Begun = readonly (readonly [field: string, text: string])[]
/** One control of a form. */
export interface FormField {
  /** The field. */
  readonly field: Bound
  /** What the user typed, or the stored value as the control shows it, or the default. */
  readonly text: string
  /** The stored value as text; null: nothing is stored. */
  readonly stored: string | null
  /** The value that the form starts with, as it is stored; null: none, or only the text that it was prefilled with or that was typed. */
  readonly begins: unknown
  /** The values that the stored one may be changed to, itself first; null: any. */
  readonly next: readonly unknown[] | null
  /** The text when the form was opened. The form sends it along, so that a conflict shows who changed what. */
  readonly was: string
  /** Whether the user left the field as it was when the form was opened. */
  readonly untouched: boolean
  /** What is wrong with the value. */
  readonly errors: readonly string[]
  /** Whether the user may change it. */
  readonly writable: boolean
  /** Why they may not change it in this record, though in others they may; null: they may, or in none. */
  readonly closed: string | null
  /** The related records that `text` and `stored` name, in the order of their labels, as far as the caller may see them. */
  readonly related: readonly Choice[]
  /** The records that a search for a related record found; null: nobody searched. */
  readonly choices: readonly Choice[] | null
  /** What was searched for. */
  readonly searched: string
}
/** A computed value in a form. */
export interface Followed {
  /** What it is. */
  readonly computed: BoundComputed
  /** The value of what the form holds; null: there is none, or it cannot be told yet. */
  readonly value: Json
}
/** What a form shows besides its controls. */
interface Following {
  /** The names of all that it shows, in their order. */
  readonly names: readonly string[]
  /** The computed values among them. */
  readonly computed: readonly Followed[]
}
/** The form of a record. After a refusal, it holds what the user typed. */
export interface Formed extends Following {
  /** The kind of outcome. */
  readonly is: 'form'
  /** The page that it is on, if that is not the resource's own form; else null. */
  readonly pageUri: string | null
  /** The resource. */
  readonly resource: Resource
  /** The record's key, as text; null: a new record. */
  readonly key: string | null
  /** The record's label; null: none. */
  readonly label: string | null
  /** The version that the form sends; null: none. */
  readonly version: string | null
  /** The controls. */
  readonly fields: readonly FormField[]
  /** The related records that are edited along with it, by list. */
  readonly nested: readonly FormedNested[]
  /** Why it was refused; null: it was not. With `stale`, the user chooses between what they typed and what is stored now. */
  readonly error: DaymarkError | null
  /** The stored record with every column; null: a new one. */
  readonly record: Readonly<Record<string, unknown>> | null
  /** The one-time key of the form of a new record. */
  readonly once: string
  /** What the URL of the form of a new record says about it. */
  readonly begun: Begun
  /** The page to return to once it is saved, as the browser sent it: unchecked; empty: none. */
  readonly back: string
  /** The change that the form takes back once it is saved; null: none. */
  readonly restoring: Restoring | null
  /** What the user may do besides. */
  readonly may: {
    /** Whether they may view the record. */
    readonly view: boolean
    /** Whether they may delete the record. */
    readonly delete: boolean
    /** Whether they may create records. */
    readonly create: boolean
  }
}
/** Related records that are edited in the form of the record that they belong to. */
export interface FormedNested {
  /** The name of the list, which the names of its controls begin with. */
  readonly name: string
  /** Its heading. */
  readonly title: string
  /** The resource of the related records. */
  readonly resource: Resource
  /** The relation that links them. */
  readonly by: Bound
  /** The related records, and those that are to become some. */
  readonly rows: readonly FormedRow[]
  /** A new one, as it begins; null: the user may not create any. */
  readonly fresh: FormedRow | null
  /** The most rows. */
  readonly most: number
  /** Whether there are more than the form can hold, which it therefore leaves out. */
  readonly isElsewhere: boolean
  /** What is wrong with the list as a whole. */
  readonly errors: readonly string[]
}
/** A related record in the form of another one. */
export interface FormedRow extends Following {
  /** The key, as text; null: a new one. */
  readonly key: string | null
  /** The label; null: a new one. */
  readonly label: string | null
  /** The version that the form sends; null: none. */
  readonly version: string | null
  /** What it began with, as the form sends it; null: a new one. */
  readonly was: string | null
  /** Whether it is to be deleted. */
  readonly isDeleted: boolean
  /** Whether it becomes a record only if something is filled in. */
  readonly isSpare: boolean
  /** Whether the user may delete it; a new one can always be taken back. */
  readonly mayDelete: boolean
  /** The controls. */
  readonly fields: readonly FormField[]
  /** What is wrong with the record as a whole. */
  readonly errors: readonly string[]
}
/** A change that a form takes back: it begins with the values from before. */
export interface Restoring {
  /** When the change was made. */
  readonly at: Date
  /** Who made it, by the name they had then. */
  readonly userName: string
  /** The stored values of before, by field: those that the caller can write, and that are others now. */
  readonly values: ReadonlyMap<Bound, unknown>
}
/** A delete that a form asks for the first time: nothing is deleted yet. */
export interface Confirm {
  /** The kind of outcome. */
  readonly is: 'confirm'
  /** The resource. */
  readonly resource: Resource
  /** The keys of the records; null: one record, by its own path. */
  readonly ids: readonly string[] | null
  /** The labels of the records. */
  readonly labels: readonly string[]
  /** How many records there are. */
  readonly count: number
  /** The version that was read, if the delete must name it; else null. */
  readonly version: string | null
  /** How it could be taken back; null: the caller cannot. */
  readonly undo: Undo | null
  /** The key of a single record; null: there are several. */
  readonly key: string | null
  /** What refers to them, so that the database will refuse. */
  readonly uses: readonly Use[]
}
/** A handler or a method has run. */
export interface Acted {
  /** The kind of outcome. */
  readonly is: 'acted'
  /** What it returned. */
  readonly answer: Answer
  /** The page of its form, as the browser sent it: unchecked. */
  readonly back: string
  /** The resource to whose list to go on, since that page is one of a record that the action has taken away; null: it is there. */
  readonly gone?: Resource | null
}
/** The form of an action, before it runs. */
export interface Asked {
  /** The kind of outcome. */
  readonly is: 'asked'
  /** The resource; null: the action is a method of a page. */
  readonly resource: Resource | null
  /** The action. */
  readonly action: BoundAction
  /** The controls. */
  readonly fields: readonly FormField[]
  /** The fields that are to be changed, of those that are offered; null: all of them are asked for. */
  readonly picked: ReadonlySet<string> | null
  /** The labels of the first selected records. */
  readonly labels: readonly string[]
  /** How many records are selected. */
  readonly count: number
  /** The question to confirm; null: none. */
  readonly confirm: string | null
  /** Whether the button says that something is destroyed. */
  readonly danger: boolean
  /** Hidden fields that name the page and the button. */
  readonly from: readonly (readonly [name: string, value: string])[]
  /** Hidden fields that name the records. */
  readonly subject: readonly (readonly [name: string, value: string])[]
  /** Why the form was refused; null: it was not. */
  readonly error: DaymarkError | null
  /** The one-time key of the form. */
  readonly once: string
  /** The page of the form, as the browser sent it: unchecked. */
  readonly back: string
}
/** A job that has begun, or its progress. */
export interface JobShown {
  /** The kind of outcome. */
  readonly is: 'job'
  /** The job. */
  readonly job: Job
  /** Whether it has just begun. */
  readonly started: boolean
}
/** A job at each step, up to its end. */
export interface Progress {
  /** The kind of outcome. */
  readonly is: 'progress'
  /** The job at each step. */
  readonly states: AsyncIterable<Job | null>
}
/** The content of a form could be saved. */
export interface Valid {
  /** The kind of outcome. */
  readonly is: 'valid'
  /** The resource. */
  readonly resource: Resource
  /** What the form would show. */
  readonly would: Would
}
/** What a form would show with what is typed so far, by the names under which errors are said: `total`, `lines.0.total`. */
export interface Would {
  /** The computed values that the form shows. */
  readonly computed: ReadonlyMap<string, WouldBe>
  /** The blank fields that a chosen record fills. */
  readonly filled: ReadonlyMap<string, WouldBe>
}
/** One value of them. */
export interface WouldBe {
  /** As in JSON; null: none, or it cannot be told yet. */
  readonly value: Json
  /** The text that stands for it: of a computed value as users read it, else as a control holds it; null: none. */
  readonly text: string | null
}
/** Related records that match a search. */
export interface Found {
  /** The kind of outcome. */
  readonly is: 'found'
  /** The resource that was searched from. */
  readonly resource: Resource
  /** The relation, or the key if the records are those of the resource itself; null: a key that is no field that the caller may see. */
  readonly field: Bound | null
  /** What was searched for. */
  readonly query: string
  /** The records that were found. */
  readonly choices: readonly Choice[]
}
/** Where the user may go, by what they typed. */
export interface Palette {
  /** The kind of outcome. */
  readonly is: 'palette'
  /** What the user typed. */
  readonly query: string
  /** The resources that the user may list. */
  readonly lists: readonly Resource[]
  /** The panel's first page and its own pages, in order. */
  readonly pages: readonly PageFound[]
  /** The resources in which the user may create a record. */
  readonly creates: readonly Resource[]
  /** Whether to offer the profile page. */
  readonly profile: boolean
  /** What was found in each resource. */
  readonly within: readonly FoundWithin[]
}
/** A page to go to. */
export interface PageFound {
  /** Which page it is. */
  readonly at: PageAt
  /** Its title. */
  readonly title: string
}
/** What was found in one resource. */
export interface FoundWithin {
  /** The resource. */
  readonly resource: Resource
  /** The pages that were found. */
  readonly pages: readonly PageFound[]
  /** The records that were found. */
  readonly choices: readonly Choice[]
  /** Whether there are more records than these. */
  readonly more: boolean
}
/** Records were deleted. */
export interface Deleted {
  /** The kind of outcome. */
  readonly is: 'deleted'
  /** The resource. */
  readonly resource: Resource
  /** How many records were deleted. */
  readonly count: number
  /** The label of the only record; null: there were several, or nobody is to be told. */
  readonly label: string | null
  /** The page that asked, as the browser sent it: unchecked. */
  readonly back: string
  /** How to take it back; null: the caller cannot, or nobody is to be told. */
  readonly undo: Undo | null
}
/** A body or a query that breaks the rules: 422. */
export interface Invalid {
  /** The kind of outcome. */
  readonly is: 'invalid'
  /** What is wrong. */
  readonly error: DaymarkError
  /** The call; null: it was refused before there was one. */
  readonly call: Call | null
}
/** The record has changed since the caller read it: 412. */
export interface Stale {
  /** The kind of outcome. */
  readonly is: 'stale'
  /** What is wrong, with the current record. */
  readonly error: StaleError
  /** The call; null: it was refused before there was one. */
  readonly call: Call | null
}
/** The sign-in page. After a refusal, it holds what the user typed. */
export interface SignIn {
  /** The kind of outcome. */
  readonly is: 'signIn'
  /** What the user typed. */
  readonly username: string
  /** Whether the user asks to be remembered. */
  readonly remember: boolean
  /** Where to go after signing in, as the browser sent it: unchecked. */
  readonly to: string
  /** Why the sign-in was refused; null: it was not. */
  readonly error: DaymarkError | null
}
/** A user has signed in. */
export interface SignedIn {
  /** The kind of outcome. */
  readonly is: 'signedIn'
  /** The user. */
  readonly identity: Identity
  /** The cookie or the tokens; null: the user was signed in before. */
  readonly grant: Grant | null
  /** Where to go next, as the browser sent it: unchecked. */
  readonly to: string
  /** The language that the user has chosen, for this browser to remember. Left out: none. */
  readonly language?: string
  /** How many recovery codes are left, if one was used; else null. */
  readonly codesLeft?: number | null
  /** Wrong codes that came with the user's password before this sign-in; null: none. */
  readonly wrongCodes?: CodesCounted | null
  /** What is left of the sign-ins that the browser has begun at OpenID providers. Left out: nothing has changed. */
  readonly begun?: readonly OpenIdBegun[]
  /** What is left of the challenges for passkeys that the browser has. Left out: nothing has changed. */
  readonly challenges?: readonly PasskeyChallenge[]
}
/** A browser may ask for a passkey. */
export interface PasskeyAsked {
  /** The kind of outcome. */
  readonly is: 'passkeyAsked'
  /** What it needs for that. */
  readonly options: ReturnType<typeof signInOptions>
  /** What it keeps until it answers. */
  readonly challenges: readonly PasskeyChallenge[]
}
/** A browser may have a passkey made. */
export interface PasskeyBegun {
  /** The kind of outcome. */
  readonly is: 'passkeyBegun'
  /** What it needs for that. */
  readonly options: ReturnType<typeof newOptions>
  /** What it keeps until it answers. */
  readonly challenges: readonly PasskeyChallenge[]
}
/** The passkeys of a user. */
export interface Passkeys {
  /** The kind of outcome. */
  readonly is: 'passkeys'
  /** The passkeys, newest first. */
  readonly passkeys: readonly Passkey[]
  /** The origin of the pages on which they work. */
  readonly origin: string
  /** Whether the user confirms a new one with their password. */
  readonly asksPassword: boolean
  /** The most that a user may have. */
  readonly most: number
  /** The `User-Agent` header, by which a new one may be called. */
  readonly agent: string
  /** The name that the user typed, after a refusal; null: none. */
  readonly typed: string | null
  /** What the call has done; `asks`: whether to remove it; null: nothing. */
  readonly did: { readonly is: 'added' | 'renamed' | 'asks' | 'removed'; readonly passkey: Passkey } | null
  /** What is left of the challenges that the browser has. Left out: nothing has changed. */
  readonly challenges?: readonly PasskeyChallenge[]
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}
/** A sign-in with an OpenID provider has begun: the browser goes there. */
export interface OpenIdSentOn {
  /** The kind of outcome. */
  readonly is: 'openIdBegun'
  /** Where the browser has to go. */
  readonly url: string
  /** What it keeps until it comes back. */
  readonly begun: readonly OpenIdBegun[]
}
/** The password was right, or an OpenID provider knows the user, who has to give a code, too. After a refusal, with what was wrong. */
export interface CodeAsked {
  /** The kind of outcome. */
  readonly is: 'codeAsked'
  /** The user's username. */
  readonly username: string
  /** What the code has to be sent with. */
  readonly ticket: string
  /** How long the ticket is valid, in seconds. */
  readonly expiresIn: number
  /** Where to go after signing in, as the browser sent it: unchecked. */
  readonly to: string
  /** Why a code was refused; null: none was. */
  readonly error: DaymarkError | null
  /** What is left of the sign-ins that the browser has begun at OpenID providers. Left out: nothing has changed. */
  readonly begun?: readonly OpenIdBegun[]
}
/** The user has to set up two-factor sign-in before anything else. */
export interface Limited {
  /** The kind of outcome. */
  readonly is: 'limited'
  /** What is wrong: nothing but that. */
  readonly error: DaymarkError
}
/** The two-factor sign-in of a user: on, or what is needed to set it up. */
export interface TwoFactorShown {
  /** The kind of outcome. */
  readonly is: 'twoFactor'
  /** The user's username. */
  readonly username: string
  /** Null: it is off. */
  readonly on: {
    /** When it was turned on. */
    readonly since: Date
    /** How many recovery codes are left. */
    readonly codesLeft: number
    /** Wrong codes that came with the user's password, since the last sign-in or before it; null: none. */
    readonly wrongCodes: CodesCounted | null
  } | null
  /** Whether the user must have it on. */
  readonly required: boolean
  /** Whether the user can do nothing else yet. */
  readonly limited: boolean
  /** Whether the user has to give the password to turn it on. */
  readonly asksPassword: boolean
  /** The provider at which a user without a password has to confirm it first; null: there is nothing to confirm. */
  readonly confirmsAt: OpenIdProvider | null
  /** A secret for an authenticator app; null: it is on, or has just been turned off. */
  readonly setUp: {
    /** In base32. */
    readonly secret: string
    /** What a QR code for the app says. */
    readonly uri: string
    /** That QR code: whether each square is dark, by row. */
    readonly squares: readonly (readonly boolean[])[]
  } | null
  /** What the call has done: turned it on or off, or made new recovery codes; null: nothing. */
  readonly did: 'on' | 'off' | 'codes' | null
  /** The code that the user typed, after a refusal for another reason; else empty. */
  readonly typed: string
  /** New recovery codes, which are shown just this once; empty: none. */
  readonly codes: readonly string[]
  /** Where to go next, as the browser sent it: unchecked. */
  readonly to: string
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}
/** The API keys of a user. */
export interface ApiKeys {
  /** The kind of outcome. */
  readonly is: 'apiKeys'
  /** The keys, newest first, with whether each is still good. */
  readonly keys: readonly (ApiKey & { readonly valid: boolean })[]
  /** Whether the user confirms a new one with their password. */
  readonly asksPassword: boolean
  /** The provider at which a user without a password has to confirm it first; null: there is nothing to confirm. */
  readonly confirmsAt: OpenIdProvider | null
  /** The most days that a new one may be valid; null: it may be for ever. */
  readonly mostDays: number | null
  /** How many days a new one is valid, unless others are asked for. */
  readonly usualDays: number
  /** The user's roles, to which a key may be limited. */
  readonly roles: readonly string[]
  /** What the user typed, after a refusal; null: nothing. */
  readonly typed: { readonly name: string; readonly days: string; readonly readOnly: boolean; readonly roles: readonly string[] } | null
  /** What the call has done: made a key, whose text is shown just this once, or deleted one; `asks`: whether to delete it; null: nothing. */
  readonly did:
    | { readonly is: 'made'; readonly key: ApiKey & { readonly valid: boolean }; readonly text: string }
    | { readonly is: 'asks' | 'deleted'; readonly key: ApiKey }
    | null
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}
/** A refresh token was exchanged. */
export interface Refreshed {
  /** The kind of outcome. */
  readonly is: 'refreshed'
  /** The new tokens. */
  readonly grant: Grant
}
/** One session or several have ended. */
export interface SignedOut {
  /** The kind of outcome. */
  readonly is: 'signedOut'
  /** Whether the session that asked has ended, too. */
  readonly self: boolean
  /** How many sessions have ended. */
  readonly count: number
  /** The OpenID provider where the browser has to sign out, too; null: at none. */
  readonly onward: { readonly label: string; readonly url: string } | null
}
/** The profile of a user. */
export interface Profile {
  /** The kind of outcome. */
  readonly is: 'profile'
  /** The user. */
  readonly identity: Identity
  /** The user's IANA time zone; null: the panel's. */
  readonly timeZone: string | null
  /** The user's sessions. */
  readonly sessions: readonly Session[]
  /** The id of the session that asks; null: none. */
  readonly current: string | null
  /** What the user can change. */
  readonly editable: {
    /** Whether they can change their name. */
    readonly name: boolean
    /** Whether they can change their password. */
    readonly password: boolean
    /** Whether they can change their time zone. */
    readonly timeZone: boolean
  }
  /** Whether two-factor sign-in is on; null: the user cannot have it. */
  readonly twoFactor: boolean | null
  /** How many passkeys the user has; null: the user may have none. */
  readonly passkeys: number | null
  /** How many API keys the user has; null: the user may have none. */
  readonly apiKeys: number | null
  /** What the user typed, after a refusal. */
  readonly typed: Readonly<Record<string, string>>
  /** Why a change was refused; null: it was not. */
  readonly error: DaymarkError | null
  /** Whether something has just changed. */
  readonly changed: boolean
}
/** A link to set a new password: its form, or that it is done. */
export interface ResetPassword {
  /** The kind of outcome. */
  readonly is: 'reset'
  /** The user's username. */
  readonly username: string
  /** Whether the password has been set. */
  readonly done: boolean
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}
/** Who has forgotten their password: the form that asks, or that a link is on its way if there is such a user. */
export interface Forgot {
  /** The kind of outcome. */
  readonly is: 'forgot'
  /** The username that was typed. */
  readonly username: string
  /** Whether a link was asked for. */
  readonly sent: boolean
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}
/** What a plugin answers: data for programs, and a view for people. */
export interface Answered {
  /** The kind of outcome. */
  readonly is: 'answered'
  /** The data: the JSON of programs, and what the view gets. */
  readonly data: object
  /** The name of the view. Default: none, and people get the data, too. */
  readonly view?: string | null
}
/** Nobody is signed in, or the password or token is not valid: 401. */
export interface Unauthenticated {
  /** The kind of outcome. */
  readonly is: 'unauthenticated'
  /** What is wrong. */
  readonly error: DaymarkError
}
/** Anything else that went wrong: its status is that of the error. */
export interface Refused {
  /** The kind of outcome. */
  readonly is: 'refused'
  /** What is wrong. */
  readonly error: DaymarkError
}

/** What a verb ends in, before it is rendered as JSON or a page. */
export type Outcome =
  | Home
  | Healthy
  | Preferred
  | Listed
  | Streamed
  | Exported
  | Importing
  | ImportTemplate
  | Imported
  | Part
  | Composed
  | Shown
  | History
  | FileSent
  | Uploaded
  | Previewed
  | Formed
  | Confirm
  | Found
  | Acted
  | Asked
  | JobShown
  | Progress
  | Valid
  | Palette
  | Saved
  | Deleted
  | Invalid
  | Stale
  | SignIn
  | SignedIn
  | OpenIdSentOn
  | CodeAsked
  | Limited
  | TwoFactorShown
  | PasskeyAsked
  | PasskeyBegun
  | Passkeys
  | ApiKeys
  | Refreshed
  | SignedOut
  | Profile
  | ResetPassword
  | Forgot
  | Answered
  | Unauthenticated
  | Refused

/** Thrown inside a write if the version does not match. */
export class StaleError extends DaymarkError {
  /** The current record, as the user may see it; null: they may not. */
  readonly current: { readonly lens: Lens; readonly row: Row; readonly version: string } | null
  constructor(message: string, current: StaleError['current']) {
    super('stale', message)
    this.current = current
  }
}

/** Thrown where what a form holds could not be saved. */
export class UnfitError extends DaymarkError {
  /** What the form would show nevertheless. */
  readonly would: Would
  constructor({ message, errors, cause }: DaymarkError, would: Would) {
    super('invalid', message, { errors, cause })
    this.would = would
  }
}

/** Thrown where a user has to set up two-factor sign-in first. */
export class LimitedError extends DaymarkError {
  constructor(message: string) {
    super('forbidden', message)
  }
}

/** Turns an error into an Outcome. One that is not a DaymarkError is a bug, of which the caller learns nothing. */
export function outcomeOf(thrown: unknown, call: Call | null): Outcome {
  if (thrown instanceof StaleError) return { is: 'stale', error: thrown, call }
  if (!(thrown instanceof DaymarkError))
    return { is: 'refused', error: new DaymarkError('internal', 'Something went wrong on our side', { cause: thrown }) }
  if (thrown instanceof LimitedError) return { is: 'limited', error: thrown }
  if (thrown.code === 'invalid') return { is: 'invalid', error: thrown, call }
  if (thrown.code === 'unauthenticated') return { is: 'unauthenticated', error: thrown }
  return { is: 'refused', error: thrown }
}
