import { is, SQL } from 'drizzle-orm'
import { takes } from '../field/check.js'
import type { Bound } from '../field/field.js'
import type { Model } from '../resource/model.js'

const known = new WeakMap<Bound, { readonly value: unknown }>()

/**
 * What a form for a new record begins a field with: its own default, or that of its column where Drizzle knows the very value. A switch that begins off where the column
 * says `default(true)` would be saved as off. `undefined`: with nothing.
 */
export function initialOf({ columns }: Model, field: Bound): unknown {
  if (field.default !== undefined) return field.default ?? undefined
  const found = known.get(field) ?? { value: columnDefault(columns.get(field.key)?.drizzle.default, field) }
  known.set(field, found)
  return found.value
}

// One that the field itself would refuse is left to the database.
function columnDefault(value: unknown, field: Bound): unknown {
  if (value === undefined || value === null || is(value, SQL) || field.kind.secret) return undefined
  try {
    return takes(field, field.kind.wire(value, field)) ? value : undefined
  } catch {
    return undefined
  }
}
