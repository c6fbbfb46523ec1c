import type { Bound } from '../../field/field.js'
import type { Resource } from '../resource.js'

// In all rows of all lists together: what a form may send, with some for its other fields.
const mostNames = 1000
const usualRows = 100

/**
 * The fields of a related record that are edited in the form of the record that it belongs to, in their order.
 *
 * @param by the relation that links them, which that form sets
 */
export function nestedFields(resource: Resource, by: string, inForm: true | readonly string[]): readonly Bound[] {
  return nestedNames(resource, by, inForm).flatMap((name) => resource.fields.get(name) ?? [])
}

/** The names of all that is shown of it there, in their order: computed values, too. */
export function nestedNames({ pages }: Resource, by: string, inForm: true | readonly string[]): readonly string[] {
  return (inForm === true ? pages.form : inForm).filter((name) => name !== by)
}

/**
 * The most related records that a form can hold: each field has a name in it, a relation two more to search without script, and four say
 * which record it is, and whether it is deleted.
 *
 * @param resource whose form it is: all its lists are sent together
 */
export function mostNested({ related }: Resource, fields: readonly Bound[]): number {
  const lists = related.filter(({ inForm }) => inForm !== null).length
  const names = fields.reduce((sum, { kind }) => sum + (kind.relation ? 3 : 1), 4)
  return Math.max(1, Math.min(usualRows, Math.floor(mostNames / names / lists)))
}
