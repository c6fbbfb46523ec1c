import type { Table } from 'drizzle-orm'
import { type Condition, condition, othersIn, type Where } from '../condition/condition.js'
import type { Resource } from '../resource.js'
import { placeOf } from './place.js'

// Several panels may share a resource: what is elsewhere for one of them is for all.
const elsewhere = new WeakMap<Resource, Set<Table>>()

/** Notes which tables lie in another database than that of a resource, as far as the resources of a panel say so. */
export function placeTables(resources: readonly Resource[], database: string | object | undefined): void {
  for (const resource of resources) {
    const place = placeOf(resource, database)
    const here = resources.filter((one) => placeOf(one, database) === place).map(({ model }) => model.table)
    const far = elsewhere.get(resource) ?? new Set()
    for (const { model } of resources) if (!here.includes(model.table)) far.add(model.table)
    elsewhere.set(resource, far)
  }
}

/** Whether a table lies in another database than that of a resource, as far as is known. */
export const isFar = (resource: Resource, table: Table): boolean => elsewhere.get(resource)?.has(table) ?? false

/**
 * The condition, if the store of the resource can ask all of its tables.
 *
 * @throws TypeError for a table of another database, and for any other table of a store of one's own
 */
export function reached(resource: Resource, met: Condition): Condition {
  for (const { table, name } of othersIn(met)) {
    if (resource.ownStore) throw new TypeError(`valuesOf("${name}"): a store of your own knows no other tables`)
    if (isFar(resource, table)) throw new TypeError(`valuesOf("${name}"): this table is in another database`)
  }
  return met
}

/**
 * A condition of a declaration, or of user code, on the records of a resource.
 *
 * @throws TypeError as `condition` and `reached` do
 */
export function whereOf<R>(resource: Resource, where: Where<R>, timeZone: string): Condition {
  return reached(resource, condition(where, resource.model.columns, timeZone))
}
