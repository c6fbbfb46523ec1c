import type { Condition } from '../resource/condition/condition.js'
import type { Model } from '../resource/model/model.js'
import type { Reads, Row, Store, Values, Waiting, Writes } from './store.js'

/**
 * A write that ends its transaction: it is committed without waiting for anybody to see the result, which saves round trips. Later
 * statements throw, and later errors roll nothing back. Only for callers that will not refuse the write any more.
 */
export interface Last {
  /** Whether such a write may be the last: it must be one statement, and return the record as it finally is. */
  can(write: 'create' | 'update' | 'delete', model: Model, values?: Values): boolean
  /** Returns the new record as it is in the database. */
  create(model: Model, values: Values, columns: readonly string[]): Promise<Row | null>
  /** Returns the changed record, whose key must stay the same; null: there is none that also meets the condition, and nothing was changed. */
  update(model: Model, key: unknown, values: Values, columns: readonly string[], where?: Condition): Promise<Row | null>
  /** Whether there was a record with this key that also meets the condition. */
  delete(model: Model, key: unknown, where?: Condition): Promise<boolean>
}

/** Runs a transaction. If the store supports it, `last` can end it. */
export type Ending = <T>(fn: (tx: Reads & Writes, last?: Last) => Promise<T>, waiting?: Waiting) => Promise<T>

const endings = new WeakMap<Store['transaction'], Ending>()

/** Registers how a store's transactions can end. */
export function setEnding({ transaction }: Pick<Store, 'transaction'>, ending: Ending): void {
  endings.set(transaction, ending)
}

/**
 * Runs a transaction of a store, with `last` if it supports that. Looked up by the `transaction` function itself, so that a store that
 * wraps another one, and does something around its transactions, is never bypassed.
 */
export function endingOf(store: Pick<Store, 'transaction'>): Ending {
  return endings.get(store.transaction) ?? ((fn, waiting) => store.transaction((tx) => fn(tx), waiting))
}
