import type { Identity } from '../../auth/identity.js'
import type { Bound, Json } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { keyFromWire, parseKey } from '../../field/key.js'
import { relationName } from '../../resource/model/bind.js'
import type { Resource } from '../../resource/resource.js'
import type { Row } from '../../store/store.js'
import { may } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { subjectRelations } from './history-subjects.js'

/** A relation that the user may follow. */
export interface Relation {
  /** Its field. */
  readonly field: Bound
  /** The resource that it leads to. */
  readonly target: Resource
  /** The table that rows must name to lead there by it: their key alone says nothing. Absent: all do. */
  readonly table?: string
}

/** A relation with a name in `include` and in records. */
export interface NamedRelation extends Relation {
  /** The name. */
  readonly name: string
  /** The relations of which each row has one. Absent: it is the only one. */
  readonly among?: readonly Relation[]
}

/** The relations that the caller may follow: the field is readable and the related resource may be listed. */
export function relationsOf(realm: Realm, identity: Identity, lens: Lens): readonly Relation[] {
  const relations: Relation[] = []
  const add = (field: Bound) => {
    const target = realm.links.get(field)
    if (target && may(realm, identity, target, 'viewAny')) relations.push({ field, target })
  }
  for (const field of lens.readable.values()) add(field)
  for (const { shown } of lens.throughs.values()) add(shown)
  return relations
}

/** Those of them that have a name: no field and no computed value of the record is called so. */
export function namedRelations(realm: Realm, identity: Identity, lens: Lens): ReadonlyMap<string, NamedRelation> {
  const { fields, computed } = lens.resource
  const named = new Map<string, NamedRelation>()
  for (const relation of relationsOf(realm, identity, lens)) {
    const name = relationName(relation.field)
    if (name !== null && !lens.throughs.has(relation.field.key) && !fields.has(name) && !computed.has(name))
      named.set(name, { ...relation, name })
  }
  const among = subjectRelations(realm, identity, lens)
  if (among[0]) named.set(subjectName, { ...among[0], name: subjectName, among })
  return named
}

/** What the list of all changes calls the records that its entries tell of, in `include`. */
export const subjectName = 'subject'

/** What the related records of a relation are known by. */
export const relatedName = ({ field, table }: Pick<Relation, 'field' | 'table'>): string =>
  table === undefined ? field.key : `${field.key} ${table}`

/** The columns that say where a row leads. */
export const columnsOfRelation = ({ field, table }: Relation): readonly string[] => (table === undefined ? [field.key] : [field.key, 'of'])

/** The keys of the records that a row leads to. */
export function keysOf({ field, target, table }: Relation, lens: Lens, row: Row): readonly unknown[] {
  const value = row[lens.at.get(field.key) as number]
  if (table === undefined) return keysIn(field, value)
  const key = row[lens.at.get('of') as number] === table ? parseKey(String(value), target.model.key) : undefined
  return key === undefined ? [] : [key]
}

/** The keys of related records that a relation's value holds: one, none, or those of a list. */
export function keysIn({ column }: Bound, value: unknown): readonly unknown[] {
  const held = legible(value)
  if (held === null || held === undefined) return []
  const { element } = column
  return element && Array.isArray(held) ? held.map((key: Json) => keyFromWire(key, element.type)) : [held]
}
