import type { Identity } from '../../auth/identity.js'
import type { Bound } from '../../field/field.js'
import type { Condition } from '../../resource/condition/condition.js'
import { across, type Through } from '../../resource/relation/through.js'
import type { Resource } from '../../resource/resource.js'
import type { Along } from '../../store/store.js'
import { may, scopeOf } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'

const plain = new WeakMap<Lens, ReadonlyMap<string, Bound>>()

/** The fields that the caller may filter a list by, in the declared order: those that they may read, here or in each resource on the way. */
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

/** Whoever may not list the records on the way, or not read a field there, would find out its values by asking for them. */
function mayFollow(realm: Realm, identity: Identity, lens: Lens, { steps, of }: Through): boolean {
  let { readable } = lens
  for (const { relation, back, target } of steps) {
    if (!may(realm, identity, target, 'viewAny')) return false
    const there = lensOf(identity, target, { name: 'index', whole: false }).readable
    if (!(back ? there : readable).has(relation.key)) return false
    readable = there
  }
  return readable.has(of.key)
}

/** What the lists of a resource show of records that relations lead to, as far as the caller may read it on each step. */
export function throughFields(realm: Realm, identity: Identity, resource: Resource): readonly Through[] {
  const throughs = realm.throughs.get(resource)
  if (!throughs) return []
  const lens = lensOf(identity, resource, { name: 'index', whole: false })
  return resource.pages.index.flatMap((name) => {
    const through = throughs.get(name)
    return through && mayFollow(realm, identity, lens, through) ? [through] : []
  })
}

/** The condition that a record leads to one that meets a condition, over none but records that the caller sees. */
export function throughCondition(identity: Identity, resource: Resource, { steps }: Through, met: Condition): Condition {
  return across(resource, steps, met, (target, inner) => scopeOf(identity, target, inner))
}

/** What a way ends with, within what the caller sees on each step. It leads over relations to one record. */
export const alongOf = (identity: Identity, { steps, of }: Through): Along => ({
  steps: steps.map(({ relation, target }) => ({ by: relation.key, of: target.model, where: scopeOf(identity, target) })),
  column: of.key,
})

/** The resources that the filters and columns of another one look into. */
export function resourcesThrough({ throughs }: Realm, resource: Resource): readonly Resource[] {
  const own = throughs.get(resource)
  return own ? [...own.values()].flatMap(({ steps }) => steps.map(({ target }) => target)) : nowhere
}

const nowhere: readonly Resource[] = []
