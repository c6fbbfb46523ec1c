import type { Condition } from '../resource/condition.js'
import type { Model } from '../resource/model.js'
import type { Reads, Row, Store, Values, Waiting, Writes } from './store.js'

/**
 * The last thing that is asked in a transaction, by whoever refuses nothing any more: where it can be, it is committed without waiting for anybody to look at the answer,
 * which spares ways to a server. Whatever is asked after it throws; what is thrown after it takes nothing back, unless it gave null.
 */
export interface Last {
  /** Gives the new record as it stands in the database; null where it cannot be found there, and then nothing is committed. */
  create(model: Model, values: Values, columns: readonly string[]): Promise<Row | null>
  /** The same of a changed one, whose key stays what it is. */
  update(model: Model, key: unknown, values: Values, columns: readonly string[]): Promise<Row | null>
  /** Whether there was such a record, which also meets the condition. */
  delete(model: Model, key: unknown, where?: Condition): Promise<boolean>
}

/** A transaction that may end with its last write. */
export type Ending = <T>(fn: (tx: Reads & Writes, last: Last) => Promise<T>, waiting?: Waiting) => Promise<T>

const endings = new WeakMap<Store['transaction'], Ending>()

/** Says how the transactions of a store end. */
export function setEnding({ transaction }: Pick<Store, 'transaction'>, ending: Ending): void {
  endings.set(transaction, ending)
}

/**
 * How those of a store end; undefined: as they always do. It is known by `transaction` itself: a store that is made of another one, and does something of its own around a
 * transaction, before a write or behind all of them, is not gone past.
 */
export function endingOf({ transaction }: Pick<Store, 'transaction'>): Ending | undefined {
  return endings.get(transaction)
}
