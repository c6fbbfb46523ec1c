import { isLater } from '../base/later.js'
import { takes } from './check.js'
import type { Bound } from './field.js'

/** A field with its default as its column stores it: the 5 of a decimal is text there, and a time that was written as text a `Date`. One that the kind refuses stays, for start-up to say so. */
export function beginning(field: Bound): Bound {
  if (field.default === undefined || field.default === null) return Object.freeze(field)
  try {
    const wire = field.kind.wire(field.default, field)
    const value: unknown = takes(field, wire) ? field.kind.value(wire, field) : field.default
    return Object.freeze(isLater(value) ? field : { ...field, default: value })
  } catch {
    return Object.freeze(field)
  }
}
