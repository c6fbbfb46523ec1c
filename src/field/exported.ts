import type { Bound, Json } from './field.js'

/** What a file has for a stored value: a value of JSON. */
export function exportedValue(field: Bound, stored: unknown): Json {
  if (stored === null || stored === undefined) return null
  const value = field.kind.wire(stored, field)
  if (typeof value !== 'string' || field.column.type !== 'json') return value
  // In quotes if a form would take it for something else: for another value, or for no JSON.
  return field.kind.read(value, field, { timeZone: 'UTC' }) === value ? value : JSON.stringify(value)
}

/** A value as the text of a cell. */
export function cellText(value: Json): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
