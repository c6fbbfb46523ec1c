// What lists end in, as tables, boards, calendars, streams and files.
import type { DaysShown } from '../../field/days-shown.js'
import type { Bound } from '../../field/field.js'
import type { SummaryOf } from '../../resource/pages/summary.js'
import type { Board, Calendar } from '../../resource/pages/view.js'
import type { Resource } from '../../resource/resource.js'
import type { Row } from '../../store/store.js'
import type { WrittenPage } from '../../store/written.js'
import type { Lens } from '../call/lens.js'
import type { Preset } from '../call/preset.js'
import type { ChosenFilter } from '../query/chosen-filters.js'
import type { Listing } from '../query/list-query.js'
import type { FileFormat } from '../realm/file-format.js'
import type { Related } from '../relation/related.js'
import type { Choice } from '../relation/related-label.js'
import type { Relation } from '../relation/relation.js'

/** What a page knows about the relations among a list's filters. */
export interface FilterRelations {
  /** The records that the filters in force name. */
  readonly named: Related
  /** What was searched for to filter by (`?_find[field]=`), and what was found, by field. */
  readonly found: ReadonlyMap<string, SearchedFilter>
}

/** What users choose on a page, with what its control shows of related records. */
export type ShownFilter = ChosenFilter & {
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
  readonly summary: readonly SummaryNumber[] | null
  /** The view that it is drawn as, whose rows are those of the list; null: as a table. */
  readonly drawn: ListViewData | null
}

/** A list as one of its views. */
export type ListViewData = BoardData | CalendarData

/** A list as columns of cards. */
export interface BoardData {
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
export interface CalendarData {
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
export interface SummaryNumber {
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
  readonly summary: readonly SummaryNumber[] | null
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
