import { is, SQL } from 'drizzle-orm'
import { takes } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { nextValues } from '../../field/next-values.js'
import type { Model } from '../../resource/model/model.js'

const known = new WeakMap<Bound, { readonly value: unknown }>()

/**
 * The initial value of a field in the form of a new record: its own default, or its column's if Drizzle knows the value. Without it, a
 * switch whose column has `default(true)` would be saved as off. `undefined`: none.
 */
export function initialValue({ columns }: Model, field: Bound): unknown {
  return field.default !== undefined ? (field.default ?? undefined) : databaseDefault({ columns }, field)
}

/** What the database is given for a field that a write leaves out, if Drizzle knows the value. `undefined`: none, or it is not known. */
export function databaseDefault({ columns }: Pick<Model, 'columns'>, field: Bound): unknown {
  const found = known.get(field) ?? { value: columnDefault(columns.get(field.key)?.drizzle.default, field) }
  known.set(field, found)
  return found.value
}

/**
 * What the form of a new record begins with: the initial value, if users with these roles may begin with it, else the only one with which
 * they may. `undefined`: nothing.
 */
export function formInitialValue(model: Model, field: Bound, roles: readonly string[]): unknown {
  const usual = initialValue(model, field)
  const next = nextValues(field, null, roles)
  if (next === null || next.includes(usual)) return usual
  // Itself first: nothing.
  return next.length === 2 ? next[1] : undefined
}

// A default that the field would refuse is left to the database.
function columnDefault(value: unknown, field: Bound): unknown {
  if (value === undefined || value === null || is(value, SQL) || field.kind.secret) return undefined
  try {
    return takes(field, field.kind.wire(value, field)) ? value : undefined
  } catch {
    return undefined
  }
}
