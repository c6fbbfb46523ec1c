import type { Identity } from '../../auth/identity.js'
import type { Json } from '../../field/field.js'
import type { Row } from '../../store/store.js'
import type { Call, Realm } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { throughFields } from '../query/filter-fields.js'
import { withThroughValues } from '../query/through-values.js'
import type { ReadsOf } from '../relation/related.js'
import { namedRelations } from '../relation/relation.js'

/**
 * The names, besides those of fields, that a record may be sent back with: of computed values, of included relations, and of what lists show of
 * records that relations lead to.
 */
export function readOnlyNames(realm: Realm, identity: Identity, lens: Lens): Pick<ReadonlySet<string>, 'has'> {
  const relations = namedRelations(realm, identity, lens)
  const isFollowed = (name: string) => throughFields(realm, identity, lens.resource).some(({ shown }) => shown.key === name)
  return { has: (name) => lens.computed.has(name) || relations.has(name) || isFollowed(name) }
}

/** What is shown now of records that relations of a row lead to, by those of the names that are of such columns. The row is whole. */
export async function currentThroughValues(
  { realm, identity, resource }: Call,
  names: Pick<ReadonlySet<string>, 'has'>,
  row: Row,
  readsOf: ReadsOf,
): Promise<ReadonlyMap<string, { readonly label: string; readonly value: Json }>> {
  const throughs = throughFields(realm, identity, resource).filter(({ shown }) => names.has(shown.key))
  const lens = lensOf(identity, resource, { name: 'index', whole: true, only: throughs.map(({ shown }) => shown.key), throughs })
  const [found = row] = await withThroughValues(identity, lens, [row], readsOf)
  const record = lens.record(found)
  return new Map(throughs.map(({ shown: { key, label } }) => [key, { label, value: record[key] ?? null }]))
}
