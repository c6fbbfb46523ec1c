import type * as z from 'zod'
import type { Html } from '../base/html.js'
import type { Translate } from '../base/messages.js'
import type { StandardSchema } from './standard-schema.js'

/** A value as it stands in JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** What a column holds, whatever the database calls it. */
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
  | 'json'
  | 'bytes'
  | 'other'

/** The filter operators. `eq` is what `filter[field]=value` means; `from` and `to` include their ends. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'from' | 'to' | 'contains' | 'startsWith' | 'null'

/** `true`: everybody who may see the resource; role names: who has one of them; `false`: nobody. */
export type RoleRule = boolean | readonly string[]

/** What every field may state. Kinds add facts of their own. */
export interface Facts {
  /** Shown to people; `null`: the key, humanised. */
  readonly label: string | null
  readonly hint: string | null
  readonly placeholder: string | null
  readonly required: boolean
  readonly readOnly: boolean
  readonly sortable: boolean
  /** `false` keeps the column out of the user's column menu. */
  readonly columnSelection: boolean
  /** Filled in on create where nothing is sent; `undefined`: none. */
  readonly default: unknown
  /** A value such as it may be, for the document; `undefined`: none. */
  readonly example: unknown
  readonly rules: readonly StandardSchema[]
  readonly visible: RoleRule
  readonly editable: RoleRule
  /** When a form shows it; `null`: always. */
  readonly showWhen: ShowWhen | null
}

/** Which other field of the form must have which value. */
export interface ShowWhen {
  readonly field: string
  /** The values as texts of the form control; none: any but an empty one. */
  readonly texts: readonly string[]
}

declare const value: unique symbol
declare const marks: unique symbol

/** A declared field: its kind and its facts, frozen. `V` and `M` are phantoms, never set at run time: what it holds, and what a client may do with it. */
export interface Field<V = unknown, M = unknown> {
  readonly kind: Kind
  readonly facts: Readonly<Facts & Record<string, unknown>>
  readonly [value]?: V
  readonly [marks]?: M
}

/** The type of the values that a field holds. */
export type ValueOf<F> = F extends Field<infer V> ? V : never
/** What a field's type says of it: its operators, and what its builder methods stated. */
export type MarksOf<F> = F extends { readonly [marks]?: infer M } ? NonNullable<M> : never

/** The column behind a field, as a kind may know it. */
export interface BoundColumn {
  readonly type: ColumnType
  /** Smallest and largest number that the column takes, where it has such. */
  readonly range: readonly [min: number, max: number] | null
  /** The most characters that the column takes. */
  readonly maxLength: number | null
  readonly options: readonly string[] | null
  /** Of what a list of the database is. */
  readonly element: BoundColumn | null
  /** Whether Drizzle gives a JavaScript `Date` for it. */
  readonly asDate: boolean
  /** Digits of a second's fraction that a date and time keeps. */
  readonly precision: 0 | 3
}

/** Where a person is: how texts of controls are meant. */
export interface Zone {
  /** IANA name. */
  readonly timeZone: string
  /** In whose way numbers are written; none: as programs write them. */
  readonly locale?: string
}

/** What `read` gives for a text that it cannot take, where it has more to say than that it isn't valid. */
export class Unreadable {
  readonly say: (t: Translate, label: string) => string
  constructor(say: (t: Translate, label: string) => string) {
    this.say = say
  }
}

/** A field bound to its resource: what start-up resolved, and the facts. Frozen. */
export interface Bound<Own = Record<string, unknown>> extends Omit<Facts, 'label'> {
  readonly key: string
  readonly label: string
  readonly kind: Kind
  readonly column: BoundColumn
  /** NULL may be stored. */
  readonly nullable: boolean
  /** The column, or the declaration, fills it in where nothing is sent. */
  readonly hasDefault: boolean
  /** What the kind's own builder methods stated. */
  readonly own: Readonly<Own>
}

/** What a kind's view may use besides the value and the field. */
export interface ViewContext {
  readonly t: Translate
  readonly locale: string
  readonly timeZone: string
  /** The id of the element, unique on its page. */
  readonly id: string
  /** The name of the form control; the field's key unless a filter or an inline editor says otherwise. */
  readonly name: string
  /** What is wrong with the value, to be tied to the control. */
  readonly error: readonly string[]
  /** The label of the related record. */
  readonly related: { readonly label: string; readonly href: string | null } | null
  /** Whether there is room for words, as on the page of one record: in the columns of a list a sign says it sooner. */
  readonly inWords: boolean
  /** Where related records are searched. */
  readonly searchUrl: string | null
  /** Whether the value may be changed in place by this caller. */
  readonly can: { readonly update: boolean }
  /** How a cell saves its value where it stands; null where it does not. */
  readonly save: InPlace | null
}

/** What a form in a cell needs to save one value: its fields besides `field`, `was` and `value`, and of which record it is. */
export interface InPlace {
  readonly action: string
  readonly hidden: Html
  /** The text of the record's key. */
  readonly key: string
  /** What the record is called. */
  readonly record: string
  /** Where rows are too many to carry a form each: what leads to the form of the record. A script asks for the row with its form. */
  readonly instead: string | null
}

/**
 * A kind of field: a frozen table. `V` is the stored value (what Drizzle gives for the column), `Own` the facts that its own builder methods state.
 * A kind never sees a request, a resource or SQL.
 */
// The default is `any` on purpose: a list of fields holds kinds of every value type.
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface Kind<V = any, Own = any> {
  readonly name: string
  /** The columns that it can hold; checked at start-up. */
  readonly columns: readonly ColumnType[]
  readonly operators: readonly Operator[]
  /** Of a field that holds several values. */
  readonly operatorsOfMany: readonly Operator[]
  /** Where the value stands in a table cell. */
  readonly align: 'start' | 'end' | 'center'
  /** Whether an index page and a derived listing leave it out unless asked: long text, json. */
  readonly long: boolean
  /** Whether a cell offers its text to be copied, without the field saying so. */
  readonly copyable: boolean
  /** Whether what was typed is never sent back: no page that answers a refusal holds it. */
  readonly secret: boolean
  /** Whether whoever may read the field may know the very value that is stored: cursors hold it. */
  readonly open: boolean
  /** Whether a form sends several values for one field: their texts are read as one JSON list. */
  many(field: Bound<Own>): boolean
  /** Whether the value is the key of a record of another resource. */
  readonly relation: boolean
  /** What of its declaration cannot work, for start-up to say: no value could ever be valid, or be stored; `null`: nothing. */
  fault(field: Bound<Own>): string | null
  /** The schema of a value on the wire, without transforms: it also makes the OpenAPI document. Null is added where the field is nullable. */
  schema(field: Bound<Own>): z.ZodType
  /** Text of a form control or a query parameter → the value on the wire; what cannot be read is given back as it is, for `schema` to refuse. */
  read(text: string, field: Bound<Own>, zone: Zone): unknown
  /** The value on the wire → the stored value; a promise only where there are no operators to filter by. */
  value(wire: Json, field: Bound<Own>): V | Promise<V>
  /** The stored value → the value on the wire. */
  wire(value: V, field: Bound<Own>): Json
  /** The stored value as a form control shows it; `read` takes it back. */
  text(value: V, field: Bound<Own>, zone: Zone): string
  /** The value in words, as text. */
  words(value: V, field: Bound<Own>, zone: Zone): string
  /** The value in a table or on a detail page. Never called with null. */
  cell(value: V, field: Bound<Own>, ctx: ViewContext): Html
  /** The form control. `text` is what was typed, or the stored value's text, or empty. */
  input(text: string, field: Bound<Own>, ctx: ViewContext): Html
  /** The control of its `eq` filter. */
  filter(text: string, field: Bound<Own>, ctx: ViewContext): Html
}
