import type * as z from 'zod'
import { type Html, html } from '../base/html.js'
import { type Builder, builderOf, type OwnMethods } from './builder.js'
import type { Bound, ColumnType, Json, Kind, Operator, ViewContext, Zone } from './field.js'
import { Illegible, legible } from './illegible.js'

type Merge<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never
/** The facts that a kind's own methods state, each there only when its method was called. */
export type OwnFacts<Own extends OwnMethods> = [keyof Own] extends [never]
  ? Record<never, never>
  : Partial<Merge<ReturnType<Own[keyof Own]>>>

/** What `defineKind` takes: `name`, `columns`, `schema` and `read`; the rest has defaults. */
export interface KindSpec<V, Own extends OwnMethods, O extends Operator = Operator> {
  /** Unique; it is the kind's name in the document and in messages. */
  readonly name: string
  readonly columns: readonly ColumnType[]
  /** Default `['eq', 'ne', 'null']`. */
  readonly operators?: readonly O[]
  /** Of a field that holds several values, where `contains` asks for one of them. Default: whether there are any. */
  readonly operatorsOfMany?: readonly ('contains' | 'null')[]
  readonly align?: 'start' | 'end' | 'center'
  readonly long?: boolean
  /** Whether a cell offers its text to be copied. */
  readonly copyable?: boolean
  /** Whether what was typed is never sent back, as a password. */
  readonly secret?: boolean
  /** Whether whoever may read the field may know the very value that is stored: a cursor holds that, so that no position is rounded. Default: where there is no `wire`. */
  readonly open?: boolean
  /** The value is the key of another resource's record: start-up finds the resource, writes look the record up, labels are read with the page. */
  readonly relation?: boolean
  /** Whether a form sends several values. Default: never. */
  many?(field: Bound<OwnFacts<Own>>): boolean
  /** What of a declaration cannot work, where that can be told at the start. Default: nothing. */
  fault?(field: Bound<OwnFacts<Own>>): string | null
  /** The kind's own builder methods: each returns the facts that it states. */
  readonly own?: Own
  /** Which of those facts are lists to which a further call adds, in place of beginning them anew. */
  readonly adds?: readonly Extract<keyof OwnFacts<Own>, string>[]
  schema(field: Bound<OwnFacts<Own>>): z.ZodType
  /** Default: the text itself. */
  read?(text: string, field: Bound<OwnFacts<Own>>, zone: Zone): unknown
  /** Default: the value on the wire is the stored value. */
  value?(wire: Json, field: Bound<OwnFacts<Own>>): V | Promise<V>
  wire?(value: V, field: Bound<OwnFacts<Own>>): Json
  text?(value: V, field: Bound<OwnFacts<Own>>, zone: Zone): string
  /** The value in words, where there is room for nothing else: in what a list is filtered by. Default: `text`. */
  words?(value: V, field: Bound<OwnFacts<Own>>, zone: Zone): string
  cell?(value: V, field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
  input(text: string, field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
  /** Default: the form control. */
  filter?(text: string, field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
}

/** The operators that a field is filtered by. */
export const operatorsOf = (field: Bound): readonly Operator[] =>
  field.kind.many(field) ? field.kind.operatorsOfMany : field.kind.operators

/** The `wire` of a kind whose values are sent as they are stored. */
export const asStored = (value: unknown): Json => legible(value) as Json

/**
 * Makes a kind of field and gives what starts a field of it. Built-in and third-party kinds are made alike.
 *
 * @typeParam O its operators, as `daymark/client` knows them. Default: any, and the server refuses the wrong ones
 *
 * @example
 * ```ts
 * import { controlAttributes, defineKind, html } from 'daymark'
 * import { z } from 'zod'
 *
 * // A number of stars, stored as an integer: rating('Quality').stars(10)
 * export const rating = defineKind<number, { stars(most: number): { stars: number } }>({
 *   name: 'rating',
 *   columns: ['integer'],
 *   own: { stars: (stars) => ({ stars }) },
 *   schema: ({ own }) => z.int().min(0).max(own.stars ?? 5),
 *   read: (text) => (/^\d+$/.test(text) ? Number(text) : text),
 *   cell: (stars) => html`<span aria-label="${stars} stars">${'★'.repeat(stars)}</span>`,
 *   input: (text, field, ctx) => html`<input type="number" min="0" max="${field.own.stars ?? 5}" value="${text}"${controlAttributes(field, ctx)}>`,
 * })
 * ```
 */
export function defineKind<V, Own extends OwnMethods = Record<never, never>, O extends Operator = Operator>(
  spec: KindSpec<V, Own, O>,
): (label?: string) => Builder<V, Own, O> {
  const { wire, text = (value: V) => String(value), words = text, cell = (value, field, ctx) => html`${text(value, field, ctx)}` } = spec
  const blank = html``
  const kind: Kind<V, OwnFacts<Own>> = Object.freeze({
    name: spec.name,
    columns: spec.columns,
    operators: spec.operators ?? (['eq', 'ne', 'null'] as const),
    operatorsOfMany: spec.operatorsOfMany ?? (['null'] as const),
    align: spec.align ?? 'start',
    long: spec.long ?? false,
    copyable: spec.copyable ?? false,
    secret: spec.secret ?? false,
    open: spec.open ?? spec.wire === undefined,
    relation: spec.relation ?? false,
    many: spec.many ?? (() => false),
    fault: spec.fault ?? (() => null),
    schema: spec.schema,
    read: spec.read ?? ((typed: string) => typed),
    value: spec.value ?? ((wire: Json) => wire as V),
    // No kind is asked for what cannot be read.
    wire: wire ? (value: V, field: Bound<OwnFacts<Own>>) => (value instanceof Illegible ? null : wire(value, field)) : asStored,
    text: (value: V, field: Bound<OwnFacts<Own>>, zone: Zone) => (value instanceof Illegible ? '' : text(value, field, zone)),
    words: (value: V, field: Bound<OwnFacts<Own>>, zone: Zone) => (value instanceof Illegible ? '' : words(value, field, zone)),
    cell: (value: V, field: Bound<OwnFacts<Own>>, ctx: ViewContext) => (value instanceof Illegible ? blank : cell(value, field, ctx)),
    input: spec.input,
    filter: spec.filter ?? spec.input,
  })
  return builderOf<V, Own, O>(kind, spec.own ?? ({} as Own), spec.adds ?? [])
}

/**
 * A control for one line of text of a certain form. A browser trims such a control and takes line breaks out of it, so what it would change
 * stands in a plain one: saving it untouched changes nothing.
 */
export function lineInput(text: string, type: 'email' | 'url' | 'tel' | 'text', field: Bound<never> | Bound, ctx: ViewContext): Html {
  if (/[\r\n]/.test(text)) {
    return html`<textarea rows="3"${controlAttributes(field, ctx)}>
${text}</textarea>`
  }
  return html`<input type="${text === text.trim() ? type : 'text'}" value="${text}" autocomplete="off"${controlAttributes(field, ctx)}>`
}

/** The attributes that every form control carries: name, id, required, and what ties its hint and errors to it. */
export function controlAttributes(field: Bound<never> | Bound, ctx: ViewContext): Html {
  const described = [field.hint !== null && `${ctx.id}-hint`, ctx.error.length > 0 && `${ctx.id}-error`].filter(Boolean).join(' ')
  return html` id="${ctx.id}" name="${ctx.name}"${field.placeholder !== null && html` placeholder="${field.placeholder}"`}${
    field.required && html` required`
  }${field.readOnly && html` readonly`}${described !== '' && html` aria-describedby="${described}"`}${
    ctx.error.length > 0 && html` aria-invalid="true"`
  }`
}
