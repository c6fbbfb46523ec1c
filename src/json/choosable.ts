import type { Bound } from '../field/field.js'
import { isSelective, matchesOf } from '../resource/relation/narrowing.js'

/**
 * What a schema's description says of a relation that does not take every record, its hint included. Of any other field, nothing.
 *
 * @param among the fields that may be named
 */
export function describedChoices(field: Bound, among: readonly Bound[]): { readonly description?: string } {
  if (!isSelective(field)) return {}
  const { hint } = field
  const others = matchesOf(field).flatMap(([, ours]) => among.filter(({ key }) => key === ours).map(({ key }) => `\`${key}\``))
  const which = others.length > 0 ? `Only of the same ${others.join(' and ')} as this record.` : 'Not every record can be chosen.'
  return { description: [...(hint === null ? [] : [hint]), which, '`async-search` finds those that can be.'].join(' ') }
}
