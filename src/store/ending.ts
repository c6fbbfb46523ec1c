import type { Condition } from '../resource/condition.js'
import type { Model } from '../resource/model.js'
import type { Reads, Row, Store, Values, Waiting, Writes } from './store.js'

/**
 * The last thing that is asked in a transaction, by whoever refuses nothing any more: it is committed without waiting for anybody to look at the answer, which spares ways to
 * a server. Whatever is asked after it throws; what is thrown after it takes nothing back.
 */
export interface Last {
  /** Whether such a write may be the last: what it gives back is all that becomes of the record. */
  can(write: 'create' | 'update' | 'delete', model: Model): boolean
  /** Gives the new record as it stands in the database. */
  create(model: Model, values: Values, columns: readonly string[]): Promise<Row | null>
  /** Gives the changed one, whose key stays what it is; null: there is none, and nothing was changed. */
  update(model: Model, key: unknown, values: Values, columns: readonly string[]): Promise<Row | null>
  /** Says whether there was such a record, which also meets the condition. */
  delete(model: Model, key: unknown, where?: Condition): Promise<boolean>
}

/** A transaction that may end with its last write, where its store knows of any. */
export type Ending = <T>(fn: (tx: Reads & Writes, last?: Last) => Promise<T>, waiting?: Waiting) => Promise<T>

const endings = new WeakMap<Store['transaction'], Ending>()

/** Says how the transactions of a store end. */
export function setEnding({ transaction }: Pick<Store, 'transaction'>, ending: Ending): void {
  endings.set(transaction, ending)
}

/**
 * A transaction of a store, with its way to end, if it has one. That is known by `transaction` itself: a store that is made of another one, and does something of its own
 * around a transaction, before a write or behind all of them, is not gone past.
 */
export function endingOf(store: Pick<Store, 'transaction'>): Ending {
  return endings.get(store.transaction) ?? ((fn, waiting) => store.transaction((tx) => fn(tx), waiting))
}
