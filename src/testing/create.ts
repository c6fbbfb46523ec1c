import { getTableName, type InferSelectModel, type Table } from 'drizzle-orm'
import { DaymarkError } from '../base/errors.js'
import type { Realm } from '../crud/call.js'
import { rowObject } from '../crud/lens.js'
import { type KeyValue, keyText } from '../field/key.js'
import { always } from '../resource/condition.js'
import { type Model, modelOf } from '../resource/model.js'
import type { Reads, Store, Writes } from '../store/store.js'
import { type Factory, factory } from './factory.js'
import { passNumbers } from './number.js'

// Each one steps twice as far as the one before: more than this many rows that nobody counts are no test's.
const mostTries = 16

/** A row that is to be stored, and the records that it needs. */
interface Planned {
  readonly made: Factory
  readonly given: Record<string, unknown>
  readonly model: Model
  readonly store: Store
  readonly needs: ReadonlyMap<string, Need>
}

interface Need {
  readonly of: Planned
  /** The column of that record that is referred to. */
  readonly key: string
}

/** Values of columns that refer to records of other stores, by the row that they are of. */
type Elsewhere = Map<Planned, Record<string, unknown>>

/** Stores a row that a factory made, and with it the records that it needs. Past hooks, rules and policies: it is the test's own word. */
export async function createRow<T extends Table>(
  realm: Realm,
  made: Factory<T>,
  given: Record<string, unknown>,
): Promise<InferSelectModel<T>> {
  return (await create(planOf(realm, made as unknown as Factory, given))) as InferSelectModel<T>
}

function planOf(realm: Realm, made: Factory, given: Record<string, unknown>): Planned {
  // A resource may name its records by another column than the primary key.
  const model = [...realm.resources.values()].find((one) => one.model.table === made.table)?.model ?? modelOf(made.table)
  const values: Record<string, unknown> = made.make(given)
  const needs = new Map<string, Need>()
  for (const { key, references, notNull, hasDefault } of model.columns.values()) {
    if (!references || !notNull || hasDefault || values[key] !== undefined) continue
    if (references.table === made.table) throw new TypeError(`Say which record "${key}" refers to: it is one of the same table`)
    needs.set(key, { of: planOf(realm, factory(references.table), {}), key: references.key })
  }
  return { made, given: values, model, store: storeOf(realm, made.table), needs }
}
