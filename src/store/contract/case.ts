import assert from 'node:assert/strict'
import { DaymarkError, type ErrorCode } from '../../base/errors.js'
import { always, type Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { ListQuery, Order, Store, Values } from '../store.js'

/** One thing that a store must do, as a test case. */
export interface StoreCase {
  /** What the store must do, in words. */
  readonly name: string
  /** `true`: only for stores in which one transaction waits for the end of the other. Leave it out where several write at once. */
  readonly inTurns?: true
  /**
   * Runs the case over a new store whose tables are empty.
   *
   * @throws Error if the store fails the case
   */
  run(open: () => Store | Promise<Store>): Promise<void>
}

/** A case that opens one store and closes it. */
export function storeCase(name: string, test: (store: Store) => Promise<void>): StoreCase {
  return {
    name,
    async run(open) {
      const store = await open()
      try {
        await test(store)
      } finally {
        await store.close()
      }
    },
  }
}

/** A case for stores whose transactions take turns. */
export function turnCase(name: string, test: (store: Store) => Promise<void>): StoreCase {
  return { ...storeCase(name, test), inTurns: true }
}

/** Creates records in one transaction and returns their keys. */
export function fill(store: Store, model: Model, rows: readonly Values[]): Promise<unknown[]> {
  return store.transaction(async (tx) => {
    const keys: unknown[] = []
    for (const row of rows) keys.push(await tx.create(model, row))
    return keys
  })
}

/** A query for the keys of all records; `rest` overrides parts of it. */
export function keysBy(model: Model, order: readonly Order[] = [], rest: Partial<ListQuery> = {}): ListQuery {
  const key: Order = { column: model.key.key, direction: 'ASC' }
  return { columns: [model.key.key], where: always, order: [...order, key], limit: 1000, ...rest }
}

/** The keys of the records that meet a condition, sorted. */
export async function keysWhere(store: Store, model: Model, where: Condition): Promise<unknown[]> {
  return (await store.list(model, keysBy(model, [], { where }))).map(([key]) => key)
}

/** Asserts that something is refused with this code, naming exactly these columns. */
export async function refused(work: Promise<unknown>, code: ErrorCode, columns: readonly string[]): Promise<void> {
  assert.deepEqual(await refusal(work, code), [...columns].sort())
}

/** Asserts that a reference to nothing is refused, naming its column or none: SQLite does not say which it is. */
export async function refusedReference(work: Promise<unknown>, column: string): Promise<void> {
  const named = await refusal(work, 'conflict')
  assert.deepEqual(named, named.length === 0 ? [] : [column])
}

/** The columns that a refusal names, sorted. */
async function refusal(work: Promise<unknown>, code: ErrorCode): Promise<readonly string[]> {
  let named: readonly string[] = []
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof DaymarkError, `expected a DaymarkError, got ${String(error)}`)
    assert.equal(error.code, code)
    named = [...error.errors.keys()].sort()
    return true
  })
  return named
}
