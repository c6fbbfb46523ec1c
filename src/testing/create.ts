import { getTableName, type InferSelectModel, type Table } from 'drizzle-orm'
import type { Realm } from '../crud/call.js'
import { rowObject } from '../crud/lens.js'
import { type KeyValue, keyText } from '../field/key.js'
import { type Model, modelOf } from '../resource/model.js'
import type { Reads, Store, Writes } from '../store/store.js'
import { type Factory, factory } from './factory.js'

/** Stores a row that a factory made, and with it the records that it needs. Past hooks, rules and policies: it is the test's own word. */
export async function createRow<T extends Table>(
  realm: Realm,
  made: Factory<T>,
  given: Record<string, unknown>,
): Promise<InferSelectModel<T>> {
  const insertInto = (tx: Reads & Writes) => insert(realm, tx, made as unknown as Factory, given)
  return (await storeOf(realm, made.table).transaction(insertInto)) as InferSelectModel<T>
}

function storeOf({ resources, storeOf }: Realm, table: Table): Store {
  const all = [...resources.values()]
  const resource = all.find((one) => one.model.table === table) ?? all.find((one) => !one.ownStore)
  if (!resource) throw new TypeError(`No resource of this panel has the table "${getTableName(table)}"`)
  return storeOf(resource)
}

async function insert(realm: Realm, tx: Reads & Writes, made: Factory, given: Record<string, unknown>): Promise<Record<string, unknown>> {
  // A resource may name its records by another column than the primary key.
  const model = [...realm.resources.values()].find((one) => one.model.table === made.table)?.model ?? modelOf(made.table)
  const values: Record<string, unknown> = made.make(given)
  for (const column of model.columns.values()) {
    const { key, references, notNull, hasDefault } = column
    if (!references || !notNull || hasDefault || values[key] !== undefined) continue
    if (references.table === made.table) throw new TypeError(`Say which record "${key}" refers to: it is one of the same table`)
    values[key] = (await insert(realm, tx, factory(references.table), {}))[references.key]
  }
  return read(tx, model, await tx.create(model, values))
}

async function read(tx: Reads, model: Model, key: unknown): Promise<Record<string, unknown>> {
  const columns = [...model.columns.keys()]
  const row = await tx.find(model, key, columns)
  if (!row) throw new Error(`The new record ${keyText(key as KeyValue)} of "${model.name}" cannot be found`)
  return rowObject(columns, row)
}
