import { getTableName, type InferSelectModel, type Table } from 'drizzle-orm'
import { DaymarkError } from '../base/errors.js'
import type { Realm } from '../crud/call/call.js'
import { rowObject } from '../crud/call/lens.js'
import { type KeyValue, keyText } from '../field/key.js'
import { always } from '../resource/condition/condition.js'
import { type Model, modelOf } from '../resource/model/model.js'
import type { Reads, Store, Writes } from '../store/store.js'
import type { Factory } from './factory.js'
import { passNumbers } from './number.js'

/** Each try skips twice as many numbers as the one before. */
const mostTries = 16

type Values = Record<string, unknown>

/** A row to store, and the records it needs. */
interface Planned {
  readonly made: Factory
  readonly model: Model
  readonly store: Store
  /** Values given by the test. */
  readonly said: Values
  /** All values; generated again if a generated one is taken. */
  values: Values
  tries: number
  readonly needs: ReadonlyMap<string, Need>
  /** Values from needed records in other stores, once those are stored. */
  readonly found: Values
}

/** A record that a column refers to, and the column of that record that is referred to. */
interface Need {
  readonly of: Planned
  readonly key: string
}

/** Makes the rows of a table that no test has said how to make. */
export type FactoryOf = <T extends Table>(table: T) => Factory<T>

/** Stores a factory's row and the records it needs, each in its own store. Bypasses hooks, rules and policies. */
export async function createRow<T extends Table>(
  realm: Realm,
  factoryOf: FactoryOf,
  made: Factory<T>,
  said: Values,
): Promise<InferSelectModel<T>> {
  const store = storeOf(realm, made.table)
  if (!store) throw new TypeError(`No resource of this panel has the table "${getTableName(made.table)}"`)
  return (await create(planOf(realm, factoryOf, made as unknown as Factory, said, store))) as InferSelectModel<T>
}

function storeOf({ resources, storeOf }: Realm, table: Table): Store | null {
  const all = [...resources.values()]
  const resource = all.find((one) => one.model.table === table) ?? all.find((one) => !one.ownStore)
  return resource ? storeOf(resource) : null
}

function planOf(realm: Realm, factoryOf: FactoryOf, made: Factory, said: Values, store: Store): Planned {
  const { table } = made
  // A resource may use another column than the primary key as its key.
  const model = [...realm.resources.values()].find((one) => one.model.table === table)?.model ?? modelOf(table)
  const values: Values = made.make(said)
  const needs = new Map<string, Need>()
  for (const { key, references, notNull, hasDefault } of model.columns.values()) {
    if (!references || !notNull || hasDefault || values[key] !== undefined) continue
    if (references.table === table) throw new TypeError(`Say which record "${key}" refers to: it is one of the same table`)
    const of = planOf(realm, factoryOf, factoryOf(references.table), {}, storeOf(realm, references.table) ?? store)
    needs.set(key, { of, key: references.key })
  }
  return { made, model, store, said, values, tries: 0, needs, found: {} }
}

async function create(row: Planned): Promise<Values> {
  await createElsewhere(row, row.store)
  for (;;) {
    let refused: Planned | null = null
    const insertAll = (tx: Reads & Writes) =>
      insert(tx, row, (one) => {
        refused = one
      })
    try {
      return await row.store.transaction(insertAll)
    } catch (thrown) {
      if (!refused || !(await makeAnew(refused, thrown))) throw thrown
    }
  }
}

/** Stores the needed records of other stores first: a transaction of one store must not wait for another store. */
async function createElsewhere(row: Planned, store: Store): Promise<void> {
  for (const [column, { of, key }] of row.needs) {
    if (of.store === store) await createElsewhere(of, store)
    else row.found[column] = (await create(of))[key]
  }
}

async function insert(tx: Reads & Writes, row: Planned, refused: (row: Planned) => void): Promise<Values> {
  const { model, needs, found } = row
  const values: Values = { ...row.values, ...found }
  for (const [column, { of, key }] of needs) if (!(column in found)) values[column] = (await insert(tx, of, refused))[key]
  try {
    return await read(tx, model, await tx.create(model, values))
  } catch (thrown) {
    refused(row)
    throw named(thrown, model)
  }
}

/** Adds the table, columns and constraint to a refusal: the transaction may hold several rows. */
function named(thrown: unknown, { name }: Model): unknown {
  if (!(thrown instanceof DaymarkError) || (thrown.errors.size === 0 && thrown.constraint === null)) return thrown
  const { code, message, errors, constraint } = thrown
  const said = [...errors].map(([column, texts]) => `${name}.${column}: ${texts.join(' ')}`).join('; ') || `${name}: ${message}`
  return new DaymarkError(code, constraint === null ? said : `${said} (${constraint})`, { errors, constraint, cause: thrown })
}

/** Generates new values for those already taken, as in a database kept from an earlier run. False if nothing refused can change. */
async function makeAnew(row: Planned, thrown: unknown): Promise<boolean> {
  const { made, model, store, said, values } = row
  if (!(thrown instanceof DaymarkError) || thrown.code !== 'conflict' || row.tries === mostTries) return false
  passNumbers(made.table, (await store.count(model, always)) + 2 ** row.tries - 1)
  row.tries++
  row.values = made.make(said)
  return [...thrown.errors.keys()].some((column) => row.values[column] !== values[column])
}

async function read(tx: Reads, model: Model, key: unknown): Promise<Values> {
  const columns = [...model.columns.keys()]
  const row = await tx.find(model, key, columns)
  if (!row) throw new Error(`The new record ${keyText(key as KeyValue)} of "${model.name}" cannot be found`)
  return rowObject(columns, row)
}
