import type * as z from 'zod'
import { type Html, html } from '../base/html.js'
import { type Builder, builderOf, type OwnMethods, type Wired } from './builder.js'
import type { Bound, ColumnType, FileRule, Json, Kind, Operator, RowsOf, ViewContext, Zone } from './field.js'
import { Illegible, legible } from './illegible.js'
import type { Shade } from './tone.js'

type Merge<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never
/** What a kind's own methods state: each fact is there only if its method was called. */
export type OwnFacts<Own extends OwnMethods> = [keyof Own] extends [never]
  ? Record<never, never>
  : Partial<Merge<ReturnType<Own[keyof Own]>>>

/** Nothing, where a kind does not say more of its values than that they are JSON. */
type WiredBy<W> = [Json] extends [W] ? never : Wired<W>

/** The settings of `defineKind`. Required are `name`, `columns`, `schema` and `input`. */
export interface KindSpec<V, Own extends OwnMethods, O extends Operator = Operator, W extends Json = Json> {
  /** Its name in messages and in the document. Unique. */
  readonly name: string
  /** The column types that can hold it. Start-up refuses it over any other. */
  readonly columns: readonly ColumnType[]
  /** The operators of its filters. Default: `['eq', 'ne', 'null']`. */
  readonly operators?: readonly O[]
  /** The operators of a field that holds `many` values; `contains` asks for one of them. Default: `['null']`. */
  readonly operatorsOfMany?: readonly ('contains' | 'null')[]
  /** The alignment of its table cells. Default: `start`. */
  readonly align?: 'start' | 'end' | 'center'
  /** Whether index pages leave it out unless they name it. Default: `false`. */
  readonly long?: boolean
  /** Whether every cell has a copy button, as with `.copyable()`. Default: `false`. */
  readonly copyable?: boolean
  /** Whether what was typed is never sent back, as with a password. Default: `false`. */
  readonly secret?: boolean
  /**
   * Whether its control can show on demand how what is typed will look: `previewUrl` of the context answers a POST of `text` with its
   * `cell`. For values that are a text in JSON. Default: `false`.
   */
  readonly preview?: boolean
  /**
   * Whether `?search=` finds its values by the whole of what was typed, as a number or a key, if the kind has a method `searchable` that states
   * `{ searchable: true }`. Else it looks for the words in them, as text. Default: `false`.
   */
  readonly exact?: boolean
  /**
   * Whether users who may read the field may know the exact stored value: cursors contain it, so that no position is rounded. Default:
   * `true` if there is no `wire`.
   */
  readonly open?: boolean
  /**
   * Whether the value is the key of another resource's record, or lists such keys: start-up finds that resource, and writes check that the
   * record exists. Default: `false`.
   */
  readonly relation?: boolean
  /**
   * Whether its values are days or instants, so that charts can group them by periods: in JSON `YYYY-MM-DD`, or RFC 3339. Default: neither.
   */
  readonly time?: 'day' | 'instant'
  /**
   * Which files it takes, if its values name files in the panel's `files`: what a form sends is kept there, and the value is the file's
   * path, a text. Default: its values name none.
   */
  file?(field: Bound<OwnFacts<Own>>): FileRule
  /** Whether a form sends several values; `read` gets them as one JSON list. Default: never. */
  many?(field: Bound<OwnFacts<Own>>): boolean
  /** Whether one control has all of its `many` values, one on each line. Default: each has a control of its own. */
  readonly lines?: boolean
  /** How a form sends the field as rows. Default: it sends one text. */
  readonly rows?: RowsOf<OwnFacts<Own>>
  /**
   * What a value means, by which charts colour it: a tone, or `plain` for one without among others that have one; null: values of the field
   * have none. Default: null.
   */
  tone?(value: V, field: Bound<OwnFacts<Own>>): Shade | null
  /**
   * The only values that a field can have, in their order, as Drizzle returns them: a board has a column for each. Null: others, too. Default:
   * null.
   */
  options?(field: Bound<OwnFacts<Own>>): readonly V[] | null
  /** Returns what is wrong with the field's declaration, which stops the start as `field-methods`; null: nothing. Default: nothing. */
  fault?(field: Bound<OwnFacts<Own>>): string | null
  /**
   * What Drizzle returns → the values, as Drizzle returns them, that users may change it to; null: any that `schema` takes. Clearing it counts
   * as a change to null. `next` of the context has their texts, for the controls. Default: any.
   *
   * @param roles the roles of the user; null: what users of any roles may
   */
  next?(value: V, field: Bound<OwnFacts<Own>>, roles: readonly string[] | null): readonly (V | null)[] | null
  /**
   * The values, as Drizzle returns them, that users may give to a new record, and to one without a value; null: any that `schema` takes.
   * Default: any.
   *
   * @param roles the roles of the user; null: what users of any roles may
   */
  begins?(field: Bound<OwnFacts<Own>>, roles: readonly string[] | null): readonly V[] | null
  /** The roles that the field's declaration names: the start finds misspelt ones. Default: none. */
  roles?(field: Bound<OwnFacts<Own>>): readonly string[]
  /** The kind's own builder methods: each returns the facts that it states, and `field.own` has them. Default: none. */
  readonly own?: Own
  /** The facts of those methods that are lists and that further calls extend. Default: none, a further call replaces them. */
  readonly adds?: readonly Extract<keyof OwnFacts<Own>, string>[]
  /** The zod schema of the value in JSON, without transforms. The OpenAPI document shows it, too; null is added for nullable fields. */
  schema(field: Bound<OwnFacts<Own>>): z.ZodType
  /**
   * The text of a form control or a query parameter → the value in JSON. Return what you cannot read as it is, for `schema` to refuse.
   * Default: the text.
   */
  read?(text: string, field: Bound<OwnFacts<Own>>, zone: Zone): unknown
  /** The value in JSON → what Drizzle stores. A promise is allowed only if the kind has no operators. Default: the same. */
  value?(wire: Json, field: Bound<OwnFacts<Own>>): V | Promise<V>
  /**
   * What Drizzle returns → the value in JSON. It must depend on its arguments alone: results are cached. A value that it throws at is shown
   * as empty, as one that `text`, `words` or `cell` throw at. Default: the same.
   */
  wire?(value: V, field: Bound<OwnFacts<Own>>): W
  /**
   * A number over several stored values, such as their sum or average → the same as in JSON and on pages: 1250 hundredths → 12.5. Null: none
   * says anything, so start-up refuses sums, averages and charts over such fields. Default: null if there is a `wire`, else the same number.
   */
  readonly over?: ((number: number, field: Bound<OwnFacts<Own>>) => number) | null
  /**
   * Whether `wire` returns the very value that Drizzle returns, or the `toISOString` of a `Date`: a database may then write the JSON itself.
   * Default: whether there is no `wire`.
   */
  plain?(field: Bound<OwnFacts<Own>>): boolean
  /**
   * What Drizzle returns → the text of the form control, which `read` takes back. It must depend on its arguments alone. Default:
   * `String(value)`.
   */
  text?(value: V, field: Bound<OwnFacts<Own>>, zone: Zone): string
  /** What Drizzle returns → words, as text: for the filters in force. Default: `text`. */
  words?(value: V, field: Bound<OwnFacts<Own>>, zone: Zone): string
  /**
   * What Drizzle returns → the HTML of a table cell and on the detail page. It must depend on its arguments alone. Never called with null.
   * Default: the `text`.
   */
  cell?(value: V, field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
  /** The form control. `text` is what the user typed, or the stored value's text, or empty. */
  input(text: string, field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
  /**
   * The control in a cell that saves at once, for a kind with the method `updateOnPreview`: a form, as `ctx.save` says. `text` is as for
   * `input`. Default: none, values are changed in forms alone.
   */
  live?(text: string, field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
  /** The form control of its `eq` filter. Default: `input`. */
  filter?(text: string, field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
  /** The form controls of an `eq` filter by any of several values, all of the name `ctx.name`. Default: none, the filter is by one. */
  filterSeveral?(texts: readonly string[], field: Bound<OwnFacts<Own>>, ctx: ViewContext): Html
}

/** The operators of a field's filters. */
export const operatorsOf = (field: Bound): readonly Operator[] =>
  field.kind.many(field) ? field.kind.operatorsOfMany : field.kind.operators

/** The `wire` of kinds whose JSON value is the stored one. */
export const asStored = (value: unknown): Json => legible(value) as Json

/** JSON has no NaN or infinity. */
const finite = (number: number): number | null => (Number.isFinite(number) ? number : null)

/** The `over` of kinds whose numbers are the stored ones. */
export const asCounted = (number: number): number => number

/**
 * Makes a kind of field, and returns the function that starts a field of it: `rating('Quality')`. The built-in kinds are made the same way.
 *
 * @typeParam V the stored value, as Drizzle returns it
 * @typeParam Own the kind's own builder methods
 * @typeParam O its operators, as `daymark/client` knows them; by default any, and the server refuses the wrong ones
 * @typeParam W what `wire` returns, as `daymark/client` types the values then; by default they are typed by their column
 * @throws TypeError for the operator `within` without `time`
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
export function defineKind<V, Own extends OwnMethods = Record<never, never>, O extends Operator = Operator, W extends Json = Json>(
  spec: KindSpec<V, Own, O, W>,
): (label?: string) => Builder<V, Own, O | WiredBy<W>> {
  const { wire, text = (value: V) => String(value), words = text, cell = (value, field, ctx) => html`${text(value, field, ctx)}` } = spec
  // Nobody could say which day or instant it begins at.
  if (!spec.time && spec.operators?.some((one) => one === 'within'))
    throw new TypeError(`The kind "${spec.name}" has the operator \`within\`, but no \`time\``)
  const warned = new Set<string>()
  /**
   * A kind's own functions never see an illegible value, and one that they throw at is as one: else a single record, written by another
   * program, would take away the whole list.
   */
  function orElse<T, C, A = V>(otherwise: T, show: (value: A, field: Bound<OwnFacts<Own>>, ctx: C) => T) {
    return (value: A, field: Bound<OwnFacts<Own>>, ctx: C): T => {
      if (value instanceof Illegible) return otherwise
      try {
        return show(value, field, ctx)
      } catch {
        // The error may quote the value.
        const text = `The kind "${spec.name}" threw at a stored value of the field "${field.key}", which is shown as empty`
        if (!warned.has(field.key)) process.emitWarning(text)
        warned.add(field.key)
        return otherwise
      }
    }
  }
  const over = spec.over === undefined && !wire ? asCounted : (spec.over ?? null)
  const kind: Kind<V, OwnFacts<Own>> = Object.freeze({
    name: spec.name,
    columns: spec.columns,
    operators: spec.operators ?? (['eq', 'ne', 'null'] as const),
    operatorsOfMany: spec.operatorsOfMany ?? (['null'] as const),
    align: spec.align ?? 'start',
    long: spec.long ?? false,
    copyable: spec.copyable ?? false,
    secret: spec.secret ?? false,
    preview: spec.preview ?? false,
    exact: spec.exact ?? false,
    open: spec.open ?? spec.wire === undefined,
    relation: spec.relation ?? false,
    time: spec.time ?? null,
    many: spec.many ?? (() => false),
    lines: spec.lines ?? false,
    file: spec.file ?? null,
    rows: spec.rows ?? null,
    tone: spec.tone ?? (() => null),
    options: spec.options ?? (() => null),
    fault: spec.fault ?? (() => null),
    next: spec.next ?? null,
    begins: spec.begins ?? null,
    roles: spec.roles ?? (() => []),
    schema: spec.schema,
    read: spec.read ?? ((typed: string) => typed),
    value: spec.value ?? ((wire: Json) => wire as V),
    plain: spec.plain ?? (() => wire === undefined),
    wire: wire ? orElse<Json, void>(null, wire) : asStored,
    over: over && orElse<number | null, void, number>(null, (number, field) => finite(over(number, field))),
    text: orElse('', text),
    words: orElse('', words),
    cell: orElse(html``, cell),
    input: spec.input,
    live: spec.live ?? null,
    filter: spec.filter ?? spec.input,
    filterSeveral: spec.filterSeveral ?? null,
  })
  return builderOf<V, Own, O | WiredBy<W>>(kind, spec.own ?? ({} as Own), spec.adds ?? [])
}

/**
 * The form control for one line of text. Browsers trim the value of such a control and remove line breaks, so a value that they would
 * change gets a plain control: saving it untouched changes nothing.
 */
export function lineInput(text: string, type: 'email' | 'url' | 'tel' | 'text', field: Bound<never> | Bound, ctx: ViewContext): Html {
  if (/[\r\n]/.test(text)) {
    return html`<textarea rows="3"${controlAttributes(field, ctx)}>
${text}</textarea>`
  }
  return html`<input type="${text === text.trim() ? type : 'text'}" value="${text}" autocomplete="off"${controlAttributes(field, ctx)}>`
}

/**
 * Prints the attributes that every form control needs: `id`, `name`, `placeholder`, `required`, `readonly`, and those that tie its hint and
 * errors to it. They begin with a space.
 */
export function controlAttributes(field: Bound<never> | Bound, ctx: ViewContext): Html {
  return describedAttributes(field, ctx, null)
}

/** The same for a control that a further element describes, whose id is `by`. */
export function describedAttributes(field: Bound<never> | Bound, ctx: ViewContext, by: string | null): Html {
  const described = [by, field.hint !== null && `${ctx.id}-hint`, ctx.error.length > 0 && `${ctx.id}-error`].filter(Boolean).join(' ')
  return html` id="${ctx.id}" name="${ctx.name}"${field.placeholder !== null && html` placeholder="${field.placeholder}"`}${
    field.required && html` required`
  }${field.readOnly && html` readonly`}${described !== '' && html` aria-describedby="${described}"`}${
    ctx.error.length > 0 && html` aria-invalid="true"`
  }`
}
