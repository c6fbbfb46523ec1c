import { a } from '../base/setting.js'
import type { Facts, Field, Kind, Operator, RoleRule, ShowWhen } from './field.js'
import type { StandardSchema } from './standard-schema.js'
import { aSchema, noteWrong, stating, taking, wrongArguments } from './taking.js'
import type { Beginning, Transition } from './transition.js'

/** The methods that a kind adds: each returns the facts that it states. */
// biome-ignore lint/suspicious/noExplicitAny: a kind's methods take whatever they declare
export type OwnMethods = Readonly<Record<string, (...args: any[]) => Readonly<Record<string, unknown>>>>

/** A number as text: a decimal that no double holds exactly. */
type Decimal<V> = [Extract<V, bigint>] extends [never] ? never : string

/** The methods of every field. Each call returns a new, frozen field. */
export interface Common<V, Own extends OwnMethods, M> {
  /** What users read. Default: the key as words; a relation without `Id`. */
  label(label: string): Builder<V, Own, M>
  /** A line of help below the form control. Default: none. */
  hint(hint: string): Builder<V, Own, M>
  /** Text in the empty form control. Default: none. */
  placeholder(placeholder: string): Builder<V, Own, M>
  /** A value is needed on create and can't be cleared later. NOT NULL columns without a default are always required. */
  required(): Builder<V, Own, M | 'required'>
  /** The field is shown, never written; a value is accepted if it is sent back unchanged. Generated columns are always read-only. */
  readOnly(): Builder<V, Own, M | 'readOnly'>
  /** Lets users sort lists by the field. */
  sortable(): Builder<V, Own, M | 'sortable'>
  /** `false` keeps the field out of the column picker. Default: `true`. */
  columnSelection(on: boolean): Builder<V, Own, M>
  /**
   * The value of a new record if none is sent, and what its form starts with: as the column stores it, or as in JSON. If the field would
   * refuse the value, the panel doesn't start. Default: the column's own default.
   */
  default(value: V | Decimal<V>): Builder<V, Own, M | 'default'>
  /** A sample value for the OpenAPI document: as the column stores it, or as in JSON. Default: none. */
  example(value: V | Decimal<V>): Builder<V, Own, M>
  /**
   * Adds a validation rule: a schema of any Standard Schema library. It gets the value as in JSON, after the kind's own checks, and doesn't
   * run for null. It may be asynchronous. Further calls add rules.
   */
  rule(schema: StandardSchema): Builder<V, Own, M>
  /**
   * Who may see the field: `true`, `false` or role names. To everybody else, it is as if it were not declared. Default: `true`.
   */
  visible(rule: RoleRule): Builder<V, Own, M | 'hidden'>
  /**
   * Who may change the field: `true`, `false` or role names. Others see it. Default: `true`.
   */
  editable(rule: RoleRule): Builder<V, Own, M>
  /**
   * Lets users change the field only in records that meet a condition, as they are stored before the change: `editableWhen({ state: 'draft' })`.
   * In others it is shown, and refused everywhere; a new record may have any value. Default: in all records.
   *
   * What code does with an `unrestricted` store, and what `beforeSave` makes of the values, is free.
   *
   * @param where columns of the record, each with a value or operators, as in `scope`; no values of other tables
   * @param why what users read where they may not change it. Default: a condition by values is put into words
   */
  editableWhen<const W extends object>(where: W, why?: string): Builder<V, Own, M | Closing<W>>
  /**
   * Shows the field in forms only while another field has one of these values; without values, while that isn't empty. A field that is not
   * shown is not sent, so an edit leaves it unchanged. Default: always shown.
   *
   * It affects pages only: without script the field is always shown, and JSON can set it anyway. Put what must hold into `validate`.
   *
   * @param field the key of another field of the form
   * @param values what the other field may have
   */
  showWhen(field: string, ...values: readonly (string | number | boolean)[]): Builder<V, Own, M>
}

/**
 * A field with its builder methods: those of every field, and those of its kind. `M` is what its type knows: the operators, and which
 * methods were called.
 */
export type Builder<V, Own extends OwnMethods, M = string> = Field<V, M> &
  Common<V, Own, M> & {
    readonly [K in keyof Own]: K extends 'as'
      ? <const N extends string>(name: N) => Builder<V, Own, M | `as ${N}`>
      : K extends 'multiple'
        ? (...args: Parameters<Own[K]>) => Builder<V, Own, Exclude<M, Operator> | ('eq' extends M ? 'contains' : never) | 'null'>
        : K extends 'options'
          ? <const O extends Parameters<Own[K]>[0]>(options: O) => Builder<V, Own, M | `option ${OptionOf<O>}`>
          : K extends 'transitions'
            ? (
                transitions: { readonly [From in OptionIn<M>]: readonly (OptionIn<M> | Transition<OptionIn<M>>)[] },
                more?: Beginning<OptionIn<M>>,
              ) => Builder<V, Own, M>
            : K extends 'stored'
              ? (...args: Parameters<Own[K]>) => Builder<string extends V ? Extract<V, string> : V, Own, M>
              : K extends 'fills'
                ? <const X extends Parameters<Own[K]>[0]>(fields: X) => Builder<V, Own, M | Filling<X, FromOf<ReturnType<Own[K]>>>>
                : (...args: Parameters<Own[K]>) => Builder<V, Own, M>
  }

/** The row of the related record: a phantom, never set at run time. */
declare const filling: unique symbol
/** What `fills` of a relation states, with the row of the related record. */
// A type, since what methods state is a record, which no interface is.
export type FillsOf<R> = { readonly fills: object; readonly [filling]?: R }
type FromOf<S> = S extends FillsOf<infer R> ? R : never
/** What the type of a relation knows of the fields that it fills, and of the row that has their values. */
export interface Filling<X = unknown, R = unknown> {
  readonly fills: X
  readonly from: R
}

/** What the type of a field knows of the condition by which it can be changed. */
export interface Closing<W = unknown> {
  readonly editableWhen: W
}

/** What the type of a field knows of its values in JSON, if its kind says what these are. */
export interface Wired<W = unknown> {
  readonly wire: W
}

type OptionOf<O> = O extends readonly (infer One extends string)[] ? One : keyof O & string
/** The options that a field's type knows; else any text. */
type OptionIn<M> = [Extract<M, `option ${string}`>] extends [never] ? string : M extends `option ${infer One}` ? One : never

const nothing: Facts = {
  label: null,
  hint: null,
  placeholder: null,
  required: false,
  readOnly: false,
  sortable: false,
  columnSelection: true,
  default: undefined,
  example: undefined,
  rules: [],
  visible: true,
  editable: true,
  editableWhen: null,
  showWhen: null,
}

const aRule = a.either(a.switch, a.list(a.text, 'a list of roles'))

const common = {
  label: taking((label: string) => ({ label }), a.text),
  hint: taking((hint: string) => ({ hint }), a.text),
  placeholder: taking((placeholder: string) => ({ placeholder }), a.text),
  required: stating({ required: true }),
  readOnly: stating({ readOnly: true }),
  sortable: stating({ sortable: true }),
  columnSelection: taking((columnSelection: boolean) => ({ columnSelection }), a.switch),
  default: (value: unknown) => ({ default: value }),
  example: (value: unknown) => ({ example: value }),
  visible: taking((visible: RoleRule) => ({ visible: frozenRule(visible) }), aRule),
  editable: taking((editable: RoleRule) => ({ editable: frozenRule(editable) }), aRule),
  editableWhen: taking(
    (where: object, why?: string) => ({ editableWhen: Object.freeze({ where, why: why ?? null }) }),
    a.object,
    a.maybe(a.text),
  ),
  showWhen: taking(
    (field: string, ...values: readonly (string | number | boolean)[]) => ({ showWhen: shownWhen(field, values) }),
    a.text,
    a.maybe(a.either(a.text, a.number, a.switch)),
  ),
} satisfies OwnMethods

const named = taking((label?: string) => ({ label }), a.maybe(a.text))
const byRule = taking((schema: StandardSchema) => ({ schema }), aSchema)

function frozenRule(rule: RoleRule): RoleRule {
  return typeof rule === 'boolean' ? rule : Object.freeze([...rule])
}

function shownWhen(field: string, values: readonly (string | number | boolean)[]): ShowWhen {
  return Object.freeze({
    field,
    texts: Object.freeze(values.map((value) => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value)))),
  })
}

/** Returns the function that starts a field of this kind: `text('Name')`. */
export function builderOf<V, Own extends OwnMethods, M>(
  kind: Kind<V>,
  own: Own,
  adds: readonly string[],
): (label?: string) => Builder<V, Own, M> {
  const methods: OwnMethods = { ...common, ...own }
  const make = (facts: Facts & Record<string, unknown>, wrong: readonly string[] = []): Builder<V, Own, M> => {
    const built: Record<string, unknown> = { kind, facts: Object.freeze(facts) }
    noteWrong(facts, wrong)
    const made = (stated: Readonly<Record<string, unknown>>) => {
      const added = adds.filter((name) => name in facts && name in stated)
      const all = added.map((name) => [name, Object.freeze([...(facts[name] as unknown[]), ...(stated[name] as unknown[])])] as const)
      return make({ ...facts, ...stated, ...Object.fromEntries(all) }, wrong)
    }
    for (const [name, state] of Object.entries(methods))
      built[name] = (...args: unknown[]) => {
        const refused = wrongArguments(name, state, args)
        // The start says so; until then, it is as if the method was not called.
        return refused.length > 0 ? make({ ...facts }, [...wrong, ...refused]) : made(state(...args))
      }
    built.rule = (schema: StandardSchema) => {
      const refused = wrongArguments('rule', byRule, [schema])
      return refused.length > 0
        ? make({ ...facts }, [...wrong, ...refused])
        : make({ ...facts, rules: Object.freeze([...facts.rules, schema]) }, wrong)
    }
    return Object.freeze(built) as unknown as Builder<V, Own, M>
  }
  return (label) => {
    const refused = wrongArguments(kind.name, named, [label])
    return make({ ...nothing, label: refused.length > 0 ? null : (label ?? null) }, refused)
  }
}
