import { isLater } from '../base/later.js'
import { takes } from './check.js'
import type { Bound } from './field.js'

/**
 * Converts a field's default to what its column stores: the 5 of a decimal becomes text, a time written as text a `Date`. A default that
 * the kind refuses stays as it is, and start-up reports it.
 */
export function withStoredDefault(field: Bound): Bound {
  if (field.default === undefined || field.default === null) return Object.freeze(field)
  try {
    const wire = field.kind.wire(field.default, field)
    const value: unknown = takes(field, wire) ? field.kind.value(wire, field) : field.default
    return Object.freeze(isLater(value) ? field : { ...field, default: value })
  } catch {
    return Object.freeze(field)
  }
}

// Checks only the kind: an application's own rules may be asynchronous.
/** Whether a field takes its own default. */
export function takesDefault(field: Bound): boolean {
  if (field.default === undefined || field.default === null) return true
  try {
    return takes(field, field.kind.wire(field.default, field))
  } catch {
    return false
  }
}
