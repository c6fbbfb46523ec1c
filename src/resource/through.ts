import type { Bound } from '../field/field.js'
import { operatorsOf } from '../field/kind.js'
import { always } from './condition.js'
import type { Column } from './model.js'
import { reached } from './reach.js'
import type { Resource } from './resource.js'
import { areAlike } from './values-of.js'

/** A filter by a field of a related record: `companyId.country`. */
export interface Through {
  /** The field that the filter is by, named and labelled by the whole way to it. */
  readonly field: Bound
  /** The relation that it follows. */
  readonly relation: Bound
  /** The field of the related resource. */
  readonly of: Bound
  /** The related resource. */
  readonly target: Resource
}

/** The filters of each resource that follow a relation, by name. */
export type Throughs = ReadonlyMap<Resource, ReadonlyMap<string, Through>>

type Links = ReadonlyMap<Bound, Resource>

const list = (names: readonly string[]) => names.join(', ') || 'none'

/** What is wrong with a filter that follows a relation; null: nothing. */
export function throughFault(resource: Resource, name: string, links: Links): string | null {
  const { fields, model } = resource
  const [first, rest] = parts(name)
  const relation = fields.get(first)
  const target = relation && links.get(relation)
  if (!relation || !target || relation.kind.many(relation)) {
    const valid = [...fields.values()].filter((one) => links.has(one) && !one.kind.many(one)).map(({ key }) => key)
    return `"${name}" follows "${first}", which is no relation to one record. Valid: ${list(valid)}`
  }
  const of = target.fields.get(rest)
  const valid = [...target.fields.values()].filter((one) => operatorsOf(one).length > 0).map(({ key }) => key)
  if (!of || !valid.includes(rest)) return `"${rest}" is not a field of ${target.uriKey} that can be filtered by. Valid: ${list(valid)}`
  const { key } = target.model
  if (!areAlike(model.columns.get(first) as Column, key))
    return `"${first}" is stored in another way than the key of ${target.uriKey}, so the database cannot compare them`
  try {
    reached(resource, { op: 'among', column: first, of: target.model, values: key.key, where: always })
    return null
  } catch (thrown) {
    return `"${name}": ${target.uriKey} is not in the same database, or in a store of your own (${(thrown as Error).message})`
  }
}

/**
 * The filters of a panel that follow a relation, and what their fields lead to, if these are relations themselves.
 *
 * @param label the label of such a filter, by those of the relation and of the field
 */
export function throughsOf(
  resources: readonly Resource[],
  links: Links,
  label: (relation: string, field: string) => string,
): { readonly throughs: Throughs; readonly links: Links } {
  const all = new Map(links)
  const throughs = new Map<Resource, ReadonlyMap<string, Through>>()
  for (const resource of resources) {
    const own = new Map<string, Through>()
    for (const name of resource.filters) {
      if (resource.fields.has(name)) continue
      const [first, rest] = parts(name)
      const relation = resource.fields.get(first)
      const target = relation && links.get(relation)
      const of = target?.fields.get(rest)
      if (!relation || !target || !of) continue
      const field: Bound = Object.freeze({ ...of, key: name, label: label(relation.label, of.label) })
      const leads = links.get(of)
      if (leads) all.set(field, leads)
      own.set(name, Object.freeze({ field, relation, of, target }))
    }
    if (own.size > 0) throughs.set(resource, own)
  }
  return { throughs, links: all }
}

function parts(name: string): readonly [relation: string, field: string] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
}
