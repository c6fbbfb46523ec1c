import type { Bound } from '../field/field.js'
import type { Resource } from '../resource/resource.js'
import type { Realm } from './call.js'

/** The fields by which records of a panel's resources belong to those of one of them, whoever may see which. */
export function* leadingHere(realm: Realm, resource: Resource): Generator<{ readonly other: Resource; readonly field: Bound }> {
  for (const other of realm.resources.values())
    for (const field of other.fields.values()) if (realm.links.get(field) === resource) yield { other, field }
}
