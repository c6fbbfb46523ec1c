import type { Bound } from '../field/field.js'
import type { Resource } from './resource.js'

// In all rows together: what a form may send, with some for its other fields.
const mostValues = 800
const usualRows = 100

/**
 * The fields of a related record that are edited in the form of the record that it belongs to, in their order.
 *
 * @param by the relation that links them, which that form sets
 */
export function nestedFields({ fields, pages }: Resource, by: string, inForm: true | readonly string[]): readonly Bound[] {
  const names = inForm === true ? pages.form : inForm
  return names.flatMap((name) => (name === by ? [] : (fields.get(name) ?? [])))
}

/** The most related records that a form can hold: each field is a value, two for a switch, and three say which record it is. */
export function mostNested(fields: readonly Bound[]): number {
  const values = fields.reduce((sum, { column }) => sum + (column.type === 'boolean' ? 2 : 1), 3)
  return Math.min(usualRows, Math.floor(mostValues / values))
}
