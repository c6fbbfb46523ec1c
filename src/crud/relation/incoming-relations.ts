import type { Identity } from '../../auth/identity.js'
import type { Bound } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import { may } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import { lensOf } from '../call/lens.js'

/**
 * The relations that lead to a resource, if the caller may list the other resource and read the field. `to` is this resource, or another
 * one over the same records.
 */
export function* incomingRelations(
  realm: Realm,
  identity: Identity,
  resource: Resource,
): Generator<{ readonly other: Resource; readonly field: Bound; readonly to: Resource }> {
  const { table, key } = resource.model
  for (const other of realm.resources.values()) {
    if (!may(realm, identity, other, 'viewAny')) continue
    const { readable } = lensOf(identity, other, { name: 'index', whole: false })
    for (const field of readable.values()) {
      const to = realm.links.get(field)
      if (to?.model.table === table && to.model.key.key === key.key) yield { other, field, to }
    }
  }
}

/** The filter operator for the records that a relation leads from to one. */
export const incomingOperator = (field: Bound): 'contains' | 'eq' => (field.kind.many(field) ? 'contains' : 'eq')
