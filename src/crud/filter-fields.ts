import type { Identity } from '../auth/identity.js'
import type { Bound } from '../field/field.js'
import type { Condition } from '../resource/condition.js'
import type { Resource } from '../resource/resource.js'
import type { Through } from '../resource/through.js'
import { may, scopeOf } from './allow.js'
import type { Realm } from './call.js'
import { type Lens, lensOf } from './lens.js'

const plain = new WeakMap<Lens, ReadonlyMap<string, Bound>>()

/** The fields that the caller may filter a list by, in the declared order: those that they may read, here or in the related resource. */
export function filterFields(realm: Realm, identity: Identity, lens: Lens): ReadonlyMap<string, Bound> {
  const { resource, readable } = lens
  const throughs = realm.throughs.get(resource)
  const known = throughs ? undefined : plain.get(lens)
  if (known) return known
  const fields = new Map<string, Bound>()
  for (const name of resource.filters) {
    const through = throughs?.get(name)
    const field = through ? mayFollow(realm, identity, lens, through) && through.field : readable.get(name)
    if (field) fields.set(name, field)
  }
  if (!throughs) plain.set(lens, fields)
  return fields
}

/** Whoever may not list the related records, or not read the field there, would find out its values by asking for them. */
function mayFollow(realm: Realm, identity: Identity, { readable }: Lens, { relation, of, target }: Through): boolean {
  if (!readable.has(relation.key) || !may(realm, identity, target, 'viewAny')) return false
  return lensOf(identity, target, { name: 'index', whole: false }).readable.has(of.key)
}

/** The condition that the related record meets a condition, and is one that the caller sees. */
export function followed(identity: Identity, { relation, target }: Through, met: Condition): Condition {
  const { model } = target
  return { op: 'among', column: relation.key, of: model, values: model.key.key, where: scopeOf(identity, target, met) }
}

/** The resources that the filters of another one look into. */
export function lookedInto({ throughs }: Realm, resource: Resource): readonly Resource[] {
  const own = throughs.get(resource)
  return own ? [...own.values()].map(({ target }) => target) : nowhere
}

const nowhere: readonly Resource[] = []
