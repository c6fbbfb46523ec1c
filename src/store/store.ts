import type { Condition } from '../resource/condition.js'
import type { Model } from '../resource/model.js'

/** Stored values in the order of the columns that were asked for, as Drizzle decodes them. */
export type Row = readonly unknown[]

/** Stored values by column. */
export type Values = Readonly<Record<string, unknown>>

/** One step of an order. Nulls stand last, whatever the direction. */
export interface Order {
  readonly column: string
  readonly direction: 'ASC' | 'DESC'
}

/** Where a page begins: after (or, read backwards, before) the row that has these values in the columns of the order. */
export interface Position {
  readonly values: readonly unknown[]
  readonly side: 'after' | 'before'
}

/** A list, as data. Columns are keys of the model. The order is total: its last step is the key. */
export interface ListQuery {
  readonly columns: readonly string[]
  readonly where: Condition
  readonly order: readonly Order[]
  readonly limit: number
  /** Rows to skip; not together with `position`. */
  readonly offset?: number
  /** Rows come in the order of the list on either side. */
  readonly position?: Position
  /** `offset` counts from the end. The rows still come in the order of the list. */
  readonly fromEnd?: boolean
  /** Nobody's own code gets the rows, so that they may be those that somebody else got: a list, or a row, that may be given again is frozen. */
  readonly shared?: boolean
  /** What `version` said since this was asked for: it need not be asked again. */
  readonly seen?: unknown
}

/** What can be read. Keys are stored values of the model's key column. */
export interface Reads {
  list(model: Model, query: ListQuery): Promise<readonly Row[]>
  /** How many rows; with `cap`, counting stops there. `seen` as in a list. */
  count(model: Model, where: Condition, cap?: number, seen?: unknown): Promise<number>
  /** The sum of a column of numbers, and of how many records; those that have none are left aside. */
  sum(model: Model, column: string, where: Condition): Promise<{ readonly sum: number; readonly count: number }>
  /** The record of a key, where it also meets the condition. */
  find(model: Model, key: unknown, columns: readonly string[], where?: Condition): Promise<Row | null>
  /** Records of several keys, in no order; keys that are not there are left out. Any number of keys. */
  findMany(model: Model, keys: readonly unknown[], columns: readonly string[], where?: Condition): Promise<readonly Row[]>
}

/**
 * What can be written, inside a transaction only. Values are stored exactly or refused with a 422 before the database sees them.
 * A unique or foreign key that is hurt is a `conflict` DaymarkError that names the columns where the database says them.
 */
export interface Writes {
  /** Gives the key of the new record. Defaults of the schema (`$defaultFn`, `$onUpdate`) are honoured. */
  create(model: Model, values: Values): Promise<unknown>
  /** Changes the record of a key where it also meets the condition, and says how many rows that were. `$onUpdate` is honoured. */
  update(model: Model, key: unknown, values: Values, where?: Condition): Promise<number>
  delete(model: Model, key: unknown, where?: Condition): Promise<number>
  deleteMany(model: Model, keys: readonly unknown[], where?: Condition): Promise<number>
}

/** How long a write may wait for its turn. */
export interface Waiting {
  /** When the wait ends, in milliseconds of `performance.now()`; then a 503 with `Retry-After`. Default: 5 s from the call. */
  readonly until?: number
  /** Nothing in `fn` can ask this store itself, as a hook could: whether anything does need not be watched. Default: no. */
  readonly trusted?: boolean
}

/**
 * Where the records are. A write outside a transaction doesn't compile. What `fn` throws rolls back and is thrown on.
 * Inside `fn`, await nothing but the store: other writers wait. What `find` and `findMany` read there by key, nobody else changes before its end.
 * What is asked for inside without waiting for what was asked before is done in that order.
 * A database that had to roll back for the sake of another transaction has `fn` run again: outside of the store, `fn` does nothing that mustn't happen twice.
 */
export interface Store extends Reads {
  transaction<T>(fn: (tx: Reads & Writes) => Promise<T>, waiting?: Waiting): Promise<T>
  /** Another one whenever anything that can be read here may have changed, whoever has changed it; at once, and never late. Without it nobody knows. */
  version?(): unknown
  /** Whether `version` tells of every change of these records: what a view shows may change with the time of day. Default: it does. */
  tells?(model: Model): boolean
  /** Finishes what is in flight and closes. */
  close(): Promise<void>
}
