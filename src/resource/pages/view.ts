import type { Table } from 'drizzle-orm'
import { a, type Settings as SettingsOf } from '../../base/setting.js'
import type { Bound, MarksOf } from '../../field/field.js'
import type { ColumnKey, KeyName } from '../condition/declared.js'
import { refuseWrong } from '../problem.js'

/** What the views of a list have in common. */
interface Drawn<K extends string, C extends string> {
  /** The name in URLs: `?view=board`. */
  readonly uri: string
  /** What users read; null: the panel's word for it. */
  readonly label: string | null
  /** The field by which records are placed. */
  readonly field: K
  /** The fields and computed values that a record shows besides its label. */
  readonly card: readonly C[]
  /** Whether the list is drawn so where the URL names no view. */
  readonly initial: boolean
}

/** A list as columns of cards, one for each option of a field; made with `view.board`. */
export interface Board<K extends string = string, C extends string = string> extends Drawn<K, C> {
  /** Its kind. */
  readonly is: 'board'
  /** The most cards of a column. */
  readonly limit: number
  /** Whether records without a value have a column even while there are none. */
  readonly none: boolean
}

/** A list as the days of a month or a week; made with `view.calendar`. */
export interface Calendar<K extends string = string, C extends string = string> extends Drawn<K, C> {
  /** Its kind. */
  readonly is: 'calendar'
  /** What it shows where the URL names neither a month nor a week. */
  readonly period: 'month' | 'week'
  /** The field whose value colours a record; null: all have one colour. */
  readonly tone: C | null
}

/** A way to draw a list, besides as a table. */
export type ListView = Board | Calendar

interface Settings<C extends string> {
  /** What users read on the link to it. Default: `Board` or `Calendar`, in the panel's language. */
  readonly label?: string
  /** Its name in URLs, `?view=…`: lower-case letters, digits and hyphens; needed if a resource has two of a kind. Default: `board` or `calendar`. */
  readonly uri?: string
  /** `true`: a list whose URL names no view is drawn so. Default: `false`, it is a table. */
  readonly initial?: boolean
  /** What a record shows besides its label: fields and computed values. Default: nothing. */
  readonly card?: readonly C[]
}

/** The settings of `view.board`. */
export interface BoardSpec<C extends string = string> extends Settings<C> {
  /** The most cards of a column, from 1 to 100; a link leads to the others. Default: 25. */
  readonly limit?: number
  /** `true`: records without a value have a column even while there are none, so that one can be moved there. Default: `false`. */
  readonly none?: boolean
}

/** What a card is to show; nothing, unless its settings say so. */
type CardOf<S> = S extends { readonly card: readonly (infer C extends string)[] } ? C : never

/** What colours a record; nothing, unless its settings say so. */
type ToneOf<S> = S extends { readonly tone: infer C extends string } ? C : never

/** The settings of `view.calendar`. */
export interface CalendarSpec<C extends string = string> extends Settings<C> {
  /** The field that colours a record by the tone of its value: a `select` with `tones`. Default: all have one colour. */
  readonly tone?: C
  /** What the calendar begins with: the month or the week of today. Default: `month`. Users choose the other one. */
  readonly period?: 'month' | 'week'
}

/**
 * Ways to draw a list besides the table: declared in `views` of `defineResource`. They show the same records under the same rights, with the
 * same search, filters and query tags.
 *
 * @example
 * ```ts
 * import { date, defineResource, id, select, text, view } from 'daymark'
 * import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const tasks = sqliteTable('tasks', {
 *   id: integer().primaryKey(),
 *   title: varchar().notNull(),
 *   status: varchar({ enum: ['open', 'doing', 'done'] }).notNull(),
 *   due: varchar(),
 * })
 *
 * export const Tasks = defineResource({
 *   model: tasks,
 *   fields: { id: id(), title: text('Title'), status: select('Status'), due: date('Due') },
 *   filters: ['status', 'due'],
 *   views: [view.board('status', { card: ['due'] }), view.calendar('due')],
 * })
 * ```
 */
export const view: {
  /** Columns of cards, one for each option of a `select`. The field is among the `filters`, so that a column can lead to all of its records. */
  board<const K extends string, const S extends BoardSpec = BoardSpec<never>>(field: K, spec?: S): Board<K, CardOf<S>>
  /** The days of a month or a week, by a `date` or `dateTime`. The field is among the `filters`, so that a day can lead to all of its records. */
  calendar<const K extends string, const S extends CalendarSpec = CalendarSpec<never>>(
    field: K,
    spec?: S,
  ): Calendar<K, CardOf<S> | ToneOf<S>>
} = Object.freeze({ board, calendar })

const ofBoth: SettingsOf<Settings<string>> = { label: a.text, uri: a.text, initial: a.switch, card: a.list(a.text) }
const ofCalendars: SettingsOf<CalendarSpec> = { ...ofBoth, tone: a.text, period: a.value }
const ofBoards: SettingsOf<BoardSpec> = { ...ofBoth, limit: a.value, none: a.switch }

function board(field: string, spec: BoardSpec = {}): Board<never, never> {
  refuseWrong('view.board', spec, ofBoards)
  const { limit = 25, none = false } = spec
  return Object.freeze<Board>({ is: 'board', ...drawn('board', field, spec), limit, none }) as Board<never, never>
}

function calendar(field: string, spec: CalendarSpec = {}): Calendar<never, never> {
  refuseWrong('view.calendar', spec, ofCalendars)
  const { tone = null, period = 'month' } = spec
  return Object.freeze<Calendar>({ is: 'calendar', ...drawn('calendar', field, spec), period, tone }) as Calendar<never, never>
}

function drawn(is: string, field: string, spec: Settings<string>): Drawn<string, string> {
  const { uri = is, label = null, initial = false, card = [] } = spec
  return { uri, label, field, card: Object.freeze([...card]), initial }
}

/** The fields of one of several options: without `fields`, start-up knows them. */
export type OptionKey<F, T extends Table> = [keyof F] extends [never]
  ? ColumnKey<T>
  : { [K in KeyName<F>]: F[K] extends { readonly options: unknown } ? ('eq' extends MarksOf<F[K]> ? K : never) : never }[KeyName<F>]

/** The fields of days and instants: without `fields`, start-up knows them. */
export type TimeKey<F, T extends Table> = [keyof F] extends [never]
  ? ColumnKey<T>
  : { [K in KeyName<F>]: 'within' extends MarksOf<F[K]> ? K : never }[KeyName<F>]

/** The name of the table among the views of a list. */
export const tableView = 'table'

/** What a link to all of certain records adds to its query: of a list that begins as a calendar, a month would be shown. */
export function asWhole({ views }: { readonly views: readonly ListView[] }): { readonly view?: string } {
  return views.some(({ is, initial }) => is === 'calendar' && initial) ? { view: tableView } : {}
}

/** Why a list cannot be drawn by a field; null: it can. */
export function viewFault({ is }: ListView, field: Bound): string | null {
  const { kind } = field
  if (is === 'calendar') return kind.time === null ? 'has no days' : null
  const options = kind.options(field)
  if (options === null || kind.many(field)) return 'does not take one of several options'
  // A form sends none so, and a board would have a column that nothing can be moved to.
  return field.nullable && options.includes('') ? 'has the option "", which says the same as no value: leave it out' : null
}
