import type * as z from 'zod'
import type { Html } from '../base/html.js'
import type { Translate } from '../base/messages.js'
import type { StandardSchema } from './standard-schema.js'
import type { StoredTime } from './stored-time.js'
import type { Shade } from './tone.js'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** What a column holds, whatever the database calls it. `other`: what no built-in kind can hold. */
export type ColumnType =
  | 'integer'
  | 'bigint'
  | 'real'
  | 'numeric'
  | 'text'
  | 'uuid'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'time'
  | 'json'
  | 'bytes'
  | 'other'

/** A filter operator. `filter[field]=value` means `eq`; `from` and `to` include their ends. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'from' | 'to' | 'contains' | 'startsWith' | 'within' | 'null'

/** `true`: everybody who may see the resource; role names: users with one of them; `false`: nobody. */
export type RoleRule = boolean | readonly string[]

/** What the methods of a field state. Kinds add facts of their own. */
export interface Facts {
  /** What users read; null: the key as words. */
  readonly label: string | null
  /** A line of help below the form control; null: none. */
  readonly hint: string | null
  /** Text in the empty form control; null: none. */
  readonly placeholder: string | null
  /** Whether a value is needed on create and can't be cleared later. */
  readonly required: boolean
  /** Whether the field is shown, but never written. */
  readonly readOnly: boolean
  /** Whether lists can be sorted by it. */
  readonly sortable: boolean
  /** `false` keeps it out of the column picker. */
  readonly columnSelection: boolean
  /** The value of a new record if none is sent; `undefined`: none. */
  readonly default: unknown
  /** A sample value for the OpenAPI document; `undefined`: none. */
  readonly example: unknown
  /** Validation rules, in the order of their calls. */
  readonly rules: readonly StandardSchema[]
  /** Who may see it. */
  readonly visible: RoleRule
  /** Who may change it. */
  readonly editable: RoleRule
  /** Which stored records let users change it; null: all. */
  readonly editableWhen: EditableWhen | null
  /** When a form shows it; null: always. */
  readonly showWhen: ShowWhen | null
}

/** Which stored records let users change a field. */
export interface EditableWhen {
  /** The condition on the columns of the record, as it was declared. */
  readonly where: object
  /** What users read where they may not; null: the condition in words. */
  readonly why: string | null
}

/** Which values another field of the form must have. */
export interface ShowWhen {
  /** The key of the other field. */
  readonly field: string
  /** The values as texts of its form control; empty: anything but an empty text. */
  readonly texts: readonly string[]
}

declare const value: unique symbol
declare const marks: unique symbol

/**
 * A declared field: its kind and its facts, frozen. The types `V` (its value) and `M` (what a client may do with it) exist at compile time
 * only.
 */
export interface Field<V = unknown, M = unknown> {
  /** Its kind. */
  readonly kind: Kind
  /** What its methods stated. */
  readonly facts: Readonly<Facts & Record<string, unknown>>
  readonly [value]?: V
  readonly [marks]?: M
}

/** The type of the values that a field holds. */
export type ValueOf<F> = F extends Field<infer V> ? V : never
/** What a field's type says of it: its operators, and what its builder methods stated. */
export type MarksOf<F> = F extends { readonly [marks]?: infer M } ? NonNullable<M> : never

/** The column behind a field, as a kind sees it. */
export interface BoundColumn {
  /** What it holds. */
  readonly type: ColumnType
  /** The smallest and the largest number that it takes; null: no such limit. */
  readonly range: readonly [min: number, max: number] | null
  /** The most characters that it takes; null: no limit. */
  readonly maxLength: number | null
  /** The values of its `enum`; null: it has none. */
  readonly options: readonly string[] | null
  /** Which values of its type the database takes: any, its `options` alone, or some that no schema can tell, such as addresses. */
  readonly takes: 'any' | 'options' | 'some'
  /** The type of one value in an array column, or of one key where it lists records; null: it is neither. */
  readonly element: BoundColumn | null
  /** Whether Drizzle returns a JavaScript `Date` for it. */
  readonly asDate: boolean
  /** How many digits of a second's fraction a date and time keeps. */
  readonly precision: 0 | 3
  /** How a text column holds the times of its field; null: it is no such column. */
  readonly stored: StoredTime | null
  /** How many digits a numeric column keeps after the point, and always writes; null: as many as a value has, or it is none. */
  readonly scale: number | null
}

/** Which files a field takes. */
export interface FileRule {
  /** The most bytes. */
  readonly maxBytes: number
  /** The extensions of their names, in lower case and without a dot; null: any. */
  readonly extensions: readonly string[] | null
  /** Whether a file is one of its extension, by its first bytes: up to 4096. Default: any is. */
  is?(extension: string, start: Uint8Array): boolean
}

/** How to read and write times and numbers for a user. */
export interface Zone {
  /** An IANA time zone. */
  readonly timeZone: string
  /** The BCP 47 tag by which numbers are written. Default: as in program code. */
  readonly locale?: string
}

/**
 * How a form sends a field as rows of the same parts: the controls are named `lines.0.amount`, and a hidden `lines` says that there may be
 * some.
 */
// As with a kind, fields of every kind stand side by side.
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface RowsOf<Own = any> {
  /** The parts of a row by name, in their order. */
  parts(field: Bound<Own>): ReadonlyMap<string, Bound>
  /** The texts of rows, in the order of the parts → the one text that `read` and `input` get. */
  text(rows: readonly (readonly string[])[], field: Bound<Own>): string
}

/** What `read` returns for text that it cannot take, if it can say more than that the text isn't valid. */
export class Unreadable {
  /** Returns what is wrong, for the user. */
  readonly say: (t: Translate, label: string) => string
  constructor(say: (t: Translate, label: string) => string) {
    this.say = say
  }
}

/** A field of a resource with everything that start-up resolved. Frozen. */
export interface Bound<Own = Record<string, unknown>> extends Omit<Facts, 'label'> {
  /** Its name: the column's key in the Drizzle table. */
  readonly key: string
  /** What users read. */
  readonly label: string
  /** Its kind. */
  readonly kind: Kind
  /** The column behind it. */
  readonly column: BoundColumn
  /** Whether it can be null. */
  readonly nullable: boolean
  /** Whether the column or the declaration fills it in if nothing is sent. */
  readonly hasDefault: boolean
  /** What the kind's own methods stated. */
  readonly own: Readonly<Own>
}

/** What a kind's `cell`, `input` and `filter` get besides the value and the field. */
export interface ViewContext {
  /** Returns a text of the panel by its key. */
  readonly t: Translate
  /** The panel's `locale`, a BCP 47 tag. */
  readonly locale: string
  /** The user's IANA time zone. */
  readonly timeZone: string
  /** The id of the element, unique on its page. */
  readonly id: string
  /** The name of the form control: the field's key, unless it is the control of a filter or in a cell. */
  readonly name: string
  /** What is wrong with the value, in texts for the user; empty: nothing. */
  readonly error: readonly string[]
  /** The related record, if the field is a relation; else null. */
  readonly related: {
    /** The label of the related record. */
    readonly label: string
    /** The URL of its page; null if the user may not see it. */
    readonly href: string | null
    /** Whether it lies in the trash. */
    readonly trashed?: boolean
  } | null
  /** The related records in the order of their labels, if the field lists several; else empty. */
  readonly chosen: readonly {
    /** The key of the related record, as text. */
    readonly key: string
    /** The label of the related record. */
    readonly label: string
    /** The URL of its page; null if the user may not see it. */
    readonly href: string | null
    /** Whether it lies in the trash. */
    readonly trashed?: boolean
  }[]
  /** Whether there is room for words, as on a detail page; in the columns of a list, use a sign. */
  readonly inWords: boolean
  /**
   * The texts of the values that the stored value of a record may be changed to, its own first, as the kind's `next` says; of a new record, an
   * empty one and those that it may begin with, as `begins` says. Null: any.
   */
  readonly next: readonly string[] | null
  /** The URL that searches for related records; null: none. */
  readonly searchUrl: string | null
  /** Returns the URL of a file that the field holds, by its path; null: it holds no such file, or the user may not see it. */
  fileUrl(path: string): string | null
  /** The URL that takes a file for the field; null: none. */
  readonly uploadUrl: string | null
  /** The URL that shows how what is typed will look; null: none. */
  readonly previewUrl: string | null
  /** What the user may do with the value where it stands. */
  readonly can: {
    /** Whether the user may change the value. */
    readonly update: boolean
  }
  /** What a form in the cell needs to save the value; null: a cell does not save. */
  readonly save: InPlace | null
}

/** What a form in a cell needs to save one value, besides its fields `field`, `was` and `value`. */
export interface InPlace {
  /** The URL to post to. */
  readonly action: string
  /** Hidden fields that the form must contain. */
  readonly hidden: Html
  /** Unique on the page: a prefix for ids. */
  readonly id: string
  /** The record's key, as text. */
  readonly key: string
  /** The record's label. */
  readonly record: string
  /**
   * In a list whose rows carry no forms: the URL of the record's form, to link to. A script loads the row with its form. Otherwise null.
   */
  readonly instead: string | null
  /** The value as the cell would show it without a control; null: the control shows it itself. */
  readonly shown: Html | null
}

/**
 * A kind of field, frozen, as `defineKind` makes it. `V` is the stored value as Drizzle returns it, `Own` what the kind's own methods
 * state. A kind never sees a request, a resource or SQL.
 */
// The default is `any` on purpose: a list of fields holds kinds of every value type.
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface Kind<V = any, Own = any> {
  /** Its name in messages and in the document. */
  readonly name: string
  /** The columns that can hold it; checked at start-up. */
  readonly columns: readonly ColumnType[]
  /** The operators of its filters. */
  readonly operators: readonly Operator[]
  /** The operators of the filters of a field that holds several values. */
  readonly operatorsOfMany: readonly Operator[]
  /** The alignment of its table cells. */
  readonly align: 'start' | 'end' | 'center'
  /** Whether index pages and derived lists leave it out unless they name it, as with long text and JSON. */
  readonly long: boolean
  /** Whether every cell has a copy button. */
  readonly copyable: boolean
  /** Whether what was typed is never sent back, not even after a refusal. */
  readonly secret: boolean
  /** Whether forms show on demand how what is typed will look. */
  readonly preview: boolean
  /** Whether a search finds its values by the whole of what was typed, and not by the words in them. */
  readonly exact: boolean
  /** Whether users who may read the field may know the exact stored value: cursors contain it. */
  readonly open: boolean
  /** Whether a form sends several values for this field; `read` gets them as one JSON list. */
  many(field: Bound<Own>): boolean
  /** Whether one control has all of several values, one on each line. */
  readonly lines: boolean
  /** Whether the value is the key of another resource's record, or lists such keys. */
  readonly relation: boolean
  /** Whether its values are days, or instants; null: neither. */
  readonly time: 'day' | 'instant' | null
  /** Which files it takes, if its values name files; null: they don't. */
  readonly file: ((field: Bound<Own>) => FileRule) | null
  /** How a form sends it as rows; null: it sends one text. */
  readonly rows: RowsOf<Own> | null
  /** What a value means, by which charts colour it; `plain`: other values mean something; null: none does. */
  tone(value: V, field: Bound<Own>): Shade | null
  /** The only values that a field can have, in their order; null: others, too. */
  options(field: Bound<Own>): readonly unknown[] | null
  /** What is wrong with the declaration of this field, which stops the start as `field-methods`; null: nothing. */
  fault(field: Bound<Own>): string | null
  /** The stored values that a stored value may be changed to by users with these roles, or, with null, with any; null: any. */
  readonly next: ((value: V, field: Bound<Own>, roles: readonly string[] | null) => readonly unknown[] | null) | null
  /** The stored values that a new record may begin with, or one that has none, written by such users; null: any. */
  readonly begins: ((field: Bound<Own>, roles: readonly string[] | null) => readonly unknown[] | null) | null
  /** The roles that the declaration of this field names. */
  roles(field: Bound<Own>): readonly string[]
  /** The zod schema of the value in JSON, without transforms: the OpenAPI document shows it, too. Null is added for nullable fields. */
  schema(field: Bound<Own>): z.ZodType
  /**
   * The text of a form control or a query parameter → the value in JSON. What it cannot read it returns as it is, for `schema` to refuse.
   */
  read(text: string, field: Bound<Own>, zone: Zone): unknown
  /** The value in JSON → the stored value. A promise is allowed only if the kind has no operators. */
  value(wire: Json, field: Bound<Own>): V | Promise<V>
  /** The stored value → the value in JSON. */
  wire(value: V, field: Bound<Own>): Json
  /** A number over stored values, such as their sum or average → the same as in JSON, or null if that is no number; null: it says nothing. */
  readonly over: ((number: number, field: Bound<Own>) => number | null) | null
  /** Whether `wire` returns the stored value itself, or the `toISOString` of a `Date`. */
  plain(field: Bound<Own>): boolean
  /** The stored value → the text of the form control, which `read` takes back. */
  text(value: V, field: Bound<Own>, zone: Zone): string
  /** The stored value → words, as text. */
  words(value: V, field: Bound<Own>, zone: Zone): string
  /** The stored value → the HTML of a table cell or on a detail page. Never called with null. */
  cell(value: V, field: Bound<Own>, ctx: ViewContext): Html
  /** The form control. `text` is what the user typed, or the stored value's text, or empty. */
  input(text: string, field: Bound<Own>, ctx: ViewContext): Html
  /** The control in a cell that saves at once, for fields with `updateOnPreview`; null: there is none. `text` is as for `input`. */
  readonly live: ((text: string, field: Bound<Own>, ctx: ViewContext) => Html) | null
  /** The form control of its `eq` filter. */
  filter(text: string, field: Bound<Own>, ctx: ViewContext): Html
  /** The form controls of an `eq` filter by any of several values, all of the name `ctx.name`; null: the filter is by one. */
  readonly filterSeveral: ((texts: readonly string[], field: Bound<Own>, ctx: ViewContext) => Html) | null
}
