import type { Facts, Field, Kind, Operator, RoleRule, ShowWhen } from './field.js'
import type { StandardSchema } from './standard-schema.js'

/** The methods that a kind brings: each returns the facts that it states. */
// biome-ignore lint/suspicious/noExplicitAny: a kind's methods take whatever they declare
export type OwnMethods = Readonly<Record<string, (...args: any[]) => Readonly<Record<string, unknown>>>>

/** What a number may be as text: a decimal that no double is. */
type Decimal<V> = [Extract<V, bigint>] extends [never] ? never : string

/** The methods common to all kinds. Each call returns a new frozen field. */
export interface Common<V, Own extends OwnMethods, M extends string> {
  /** The text that people see; by default the key, humanised. */
  label(label: string): Builder<V, Own, M>
  /** A line below the form control. */
  hint(hint: string): Builder<V, Own, M>
  placeholder(placeholder: string): Builder<V, Own, M>
  /** A value must be given on create and may never become empty. NOT NULL columns without a default are required anyway. */
  required(): Builder<V, Own, M | 'required'>
  /** Shown, never written; it is accepted when it is sent back unchanged. */
  readOnly(): Builder<V, Own, M | 'readOnly'>
  /** Lists may be sorted by it. */
  sortable(): Builder<V, Own, M | 'sortable'>
  /** `false` keeps the column out of the user's column menu. Default `true`. */
  columnSelection(on: boolean): Builder<V, Own, M>
  /** Used on create where nothing is sent: as the column stores it, or as JSON has it. */
  default(value: V | Decimal<V>): Builder<V, Own, M | 'default'>
  /** A value such as it may be; the OpenAPI document shows it. */
  example(value: V | Decimal<V>): Builder<V, Own, M>
  /** A further rule by any Standard Schema (zod, valibot, arktype …), asked with the value on the wire; not with null. */
  rule(schema: StandardSchema): Builder<V, Own, M>
  /** Who may see it: role names, or `false` for nobody. Hidden fields are as good as undeclared. Default `true`. */
  visible(rule: RoleRule): Builder<V, Own, M | 'hidden'>
  /** Who may change it. Default `true`. */
  editable(rule: RoleRule): Builder<V, Own, M>
  /**
   * A form shows it only while another field has one of these values; without values, while it has any. What is not shown is not sent: an edit leaves it as it is.
   * A nicety of the pages, no rule: without script it is always shown, and JSON may set it whenever it may.
   *
   * @param field the key of another field of the form
   */
  showWhen(field: string, ...values: readonly (string | number | boolean)[]): Builder<V, Own, M>
}

/** A field that can be told more: the methods common to all kinds and those of its own kind. `M` is what its type says of it: operators, and what was stated. */
export type Builder<V, Own extends OwnMethods, M extends string = string> = Field<V, M> &
  Common<V, Own, M> & {
    readonly [K in keyof Own]: K extends 'as'
      ? <const N extends string>(name: N) => Builder<V, Own, M | `as ${N}`>
      : K extends 'multiple'
        ? (...args: Parameters<Own[K]>) => Builder<V, Own, Exclude<M, Operator> | 'contains' | 'null'>
        : (...args: Parameters<Own[K]>) => Builder<V, Own, M>
  }

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
  showWhen: null,
}

const common = {
  label: (label: string) => ({ label }),
  hint: (hint: string) => ({ hint }),
  placeholder: (placeholder: string) => ({ placeholder }),
  required: () => ({ required: true }),
  readOnly: () => ({ readOnly: true }),
  sortable: () => ({ sortable: true }),
  columnSelection: (columnSelection: boolean) => ({ columnSelection }),
  default: (value: unknown) => ({ default: value }),
  example: (value: unknown) => ({ example: value }),
  visible: (visible: RoleRule) => ({ visible: frozenRule(visible) }),
  editable: (editable: RoleRule) => ({ editable: frozenRule(editable) }),
  showWhen: (field: string, ...values: readonly (string | number | boolean)[]) => ({ showWhen: shownWhen(field, values) }),
} satisfies OwnMethods

function frozenRule(rule: RoleRule): RoleRule {
  if (typeof rule === 'boolean') return rule
  if (Array.isArray(rule) && rule.every((role) => typeof role === 'string')) return Object.freeze([...rule])
  throw new TypeError("visible() and editable() take true, false or role names: ['admin']")
}

function shownWhen(field: string, values: readonly (string | number | boolean)[]): ShowWhen {
  return Object.freeze({
    field,
    texts: Object.freeze(values.map((value) => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value)))),
  })
}

/** What starts a field of this kind: `text('Name')`. */
export function builderOf<V, Own extends OwnMethods, M extends string>(
  kind: Kind<V>,
  own: Own,
  adds: readonly string[],
): (label?: string) => Builder<V, Own, M> {
  const methods: OwnMethods = { ...common, ...own }
  const make = (facts: Facts & Record<string, unknown>): Builder<V, Own, M> => {
    const built: Record<string, unknown> = { kind, facts: Object.freeze(facts) }
    const made = (stated: Readonly<Record<string, unknown>>) => {
      const added = adds.filter((name) => name in facts && name in stated)
      const all = added.map((name) => [name, Object.freeze([...(facts[name] as unknown[]), ...(stated[name] as unknown[])])] as const)
      return make({ ...facts, ...stated, ...Object.fromEntries(all) })
    }
    for (const [name, state] of Object.entries(methods)) built[name] = (...args: unknown[]) => made(state(...args))
    built.rule = (schema: StandardSchema) => make({ ...facts, rules: Object.freeze([...facts.rules, schema]) })
    return Object.freeze(built) as unknown as Builder<V, Own, M>
  }
  return (label) => make({ ...nothing, label: label ?? null })
}
