import { isLater } from '../../base/later.js'
import { parseValue } from '../../field/check.js'
import type { Bound, Json } from '../../field/field.js'
import { tellFault } from '../../resource/action/policy.js'
import { isTold } from '../../resource/tally.js'
import type { Row } from '../../store/store.js'
import { formInitialValue } from '../body/initial-values.js'
import type { ValidatedBody } from '../body/validated-body.js'
import type { Call } from '../call/call.js'
import { isWritable } from '../call/field-access.js'
import type { Lens } from '../call/lens.js'
import type { FormComputed } from '../outcomes/forms.js'

/** What stands in a field while somebody types, as it would be stored; null: nothing was typed. `value` is `undefined` if it says nothing. */
export type TypedValues = (field: Bound) => { readonly value: unknown } | null

/**
 * The computed values among these names, of what is typed or else stored. A calculation that fails has no value, and is logged.
 *
 * @param seen what the caller may see of the record
 * @param row the record, or that of which a new one is a copy; null: there is none
 */
export function previewComputed(
  call: Call,
  seen: Lens,
  names: readonly string[],
  row: Row | null,
  typed: TypedValues,
): readonly FormComputed[] {
  if (!names.some((name) => seen.computed.has(name))) return []
  const now = nowIn(call, seen, row, typed)
  const whole = seen.columns.map((column) => now(column))
  return names.flatMap((name) => {
    const one = seen.shown.find((one) => one.key === name)
    if (!one || 'field' in one) return []
    const isKnown = one.computed.needs.every((need) => whole[seen.at.get(need) as number] !== undefined)
    return [{ computed: one.computed, value: isKnown ? computedNow(call, () => one.value(whole)) : null }]
  })
}

/** The computed values among these names in the form of a new record in which nothing is filled in. */
export function emptyComputed({ computed }: Lens, names: readonly string[]): readonly FormComputed[] {
  return names.flatMap((name) => {
    const one = computed.get(name)
    return one ? [{ computed: one, value: null }] : []
  })
}

function computedNow({ identity }: Call, compute: () => Json): Json {
  try {
    return compute()
  } catch (thrown) {
    tellFault(identity, thrown)
    return null
  }
}

/** What a column would hold; `undefined`: only the database could tell, or the user who has not typed it yet. */
function nowIn(
  { resource: { model, fields }, identity, input }: Call,
  { at }: Lens,
  row: Row | null,
  typed: TypedValues,
): (column: string) => unknown {
  const creating = input.key === null
  return (name) => {
    const field = fields.get(name)
    const said = field && typed(field)
    if (said) return said.value
    const column = model.columns.get(name)
    if (row && !(creating && (column === model.key || isTold(model, name)))) return row[at.get(name) as number]
    const initial = field && formInitialValue(model, field, identity.roles)
    if (initial !== undefined) return initial
    return !column || column.notNull || column.hasDefault ? undefined : null
  }
}

/** What the texts of a form say. */
export function typedInTexts(call: Call, texts: ReadonlyMap<string, string>): TypedValues {
  return (field) => {
    const text = isWritable(call, field, call.input.key === null) ? texts.get(field.key) : undefined
    if (text === undefined) return null
    return { value: text === '' && field.nullable ? null : storedOf(field, field.kind.read(text, field, call.realm)) }
  }
}

/** What a validated body says, and what relations fill. What breaks a rule alone can be computed with. */
export function typedInBody({ fields }: ValidatedBody, fills: ReadonlyMap<string, { readonly value: unknown }>): TypedValues {
  return (field) => {
    const one = fields.find((one) => one.field === field)
    const fill = fills.get(field.key)
    if (fill) return fill
    if (!one?.writable) return null
    return { value: one.checked.ok ? one.checked.value : storedOf(field, one.wire) }
  }
}

function storedOf(field: Bound, wire: unknown): unknown {
  const value = wire === null || wire === '' ? undefined : parseValue(field, wire)?.value
  return isLater(value) ? undefined : value
}
