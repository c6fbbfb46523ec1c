import type { Condition } from '../resource/condition/condition.js'
import type { Model } from '../resource/model/model.js'

/** Stored values in the order of the columns asked for, as Drizzle returns them: a `Date`, a boolean. */
export type Row = readonly unknown[]

/** Stored values by column, each named by its key in the Drizzle table. */
export type Values = Readonly<Record<string, unknown>>

/** One step of a sort. Nulls come last in either direction. */
export interface Order {
  /** The column, by its key in the Drizzle table; with `along`, a name of its own, which `columns` may have, too. */
  readonly column: string
  /** The direction of this step. */
  readonly direction: 'ASC' | 'DESC'
  /** Where the value is, if not in the record itself. A store of your own is never asked for one. */
  readonly along?: Along
}

/** A value of the record that others lead to, one after another; null where one of them leads to none. */
export interface Along {
  /** The records on the way, at least one. */
  readonly steps: readonly {
    /** The column that refers to it: of the list's own record, then of the one before. */
    readonly by: string
    /** Its model, by whose key it is referred to. */
    readonly of: Model
    /** The condition that it must meet: else it leads to none. */
    readonly where: Condition
  }[]
  /** The column of the last one. */
  readonly column: string
}

/** Where a page begins: after a row, or, read backwards, before it. */
export interface Position {
  /** The row's values in the columns of the order. */
  readonly values: readonly unknown[]
  /** On which side of the row the page is. */
  readonly side: 'after' | 'before'
}

/** A page of a list, as data. Columns are named by their keys in the Drizzle table. */
export interface ListQuery {
  /** The columns to return, in this order. Those of `order` may be among them, wherever their values are. */
  readonly columns: readonly string[]
  /** The condition that records must meet. */
  readonly where: Condition
  /** The sort. It is total: the last step is the key. */
  readonly order: readonly Order[]
  /** The most rows to return. */
  readonly limit: number
  /** How many rows to skip; not together with `position`. Default: 0. */
  readonly offset?: number
  /** Where the page begins. On either side, return rows in the order of the list. Default: at its start. */
  readonly position?: Position
  /** `true`: `offset` counts from the end. Return rows in the order of the list all the same. Default: `false`. */
  readonly fromEnd?: boolean
  /**
   * `true`: no user code gets the rows, so you may return rows that another call got, too. Freeze a list or a row that you return again.
   * Default: `false`.
   */
  readonly shared?: boolean
  /** What `version` returned since this was asked for, so that you need not compute it again. Default: unknown. */
  readonly seen?: unknown
}

/** What the records of a group have in common. */
export interface Grouping {
  /** The column, by its key in the Drizzle table. It holds one value: no JSON, no list of records. */
  readonly column: string
  /**
   * The bounds of intervals, in ascending order, one more than there are intervals: a group's value is then the number of its interval, from
   * 0, whose values are at least its first bound and less than its second. Records outside of all are left out. Default: there is a group for
   * each value, null included.
   */
  readonly bounds?: readonly unknown[]
}

/** A number over the records of each group. */
export interface Aggregation {
  /** What is computed: how many records there are or, over a column, how many have a value in it; or a number over those values. */
  readonly of: 'count' | 'sum' | 'average' | 'smallest' | 'largest'
  /** The column of numbers that it is over; null: a count of the records. */
  readonly column: string | null
  /** The condition that records must meet. */
  readonly where: Condition
  /** What forms the groups; empty: all records are one. */
  readonly by: readonly Grouping[]
  /** `value`: the largest number first, nulls last, then as `group`; `group`: by the values of the groups, ascending, nulls last. */
  readonly order: 'value' | 'group'
  /** The most groups to return. */
  readonly limit: number
  /** As in `ListQuery`. Default: `false`. */
  readonly shared?: boolean
}

/** A group and its number. */
export interface Aggregated {
  /** The values of the groupings, in their order. */
  readonly by: readonly unknown[]
  /** The number, as a double; null: no record of the group has a value. */
  readonly value: number | null
}

/** What a store can read. Keys are stored values of the model's key column. */
export interface Reads {
  /** The rows of a page, each a list of values in the order of `query.columns`. */
  list(model: Model, query: ListQuery): Promise<readonly Row[]>
  /** The number of records that meet a condition; counting may stop at `cap`. `seen` is as in `ListQuery`. */
  count(model: Model, where: Condition, cap?: number, seen?: unknown): Promise<number>
  /** A number over the records of each group. Groups without records are missing; without groupings there is always one. */
  aggregate(model: Model, aggregation: Aggregation): Promise<readonly Aggregated[]>
  /** The record with this key if it also meets the condition, else null. */
  find(model: Model, key: unknown, columns: readonly string[], where?: Condition): Promise<Row | null>
  /** The records with these keys if they also meet the condition, in any order. Missing ones are left out. Takes any number of keys. */
  findMany(model: Model, keys: readonly unknown[], columns: readonly string[], where?: Condition): Promise<readonly Row[]>
}

/**
 * What a store can write, inside a transaction only. Values are stored exactly or refused.
 *
 * @throws DaymarkError `invalid` for a value that cannot be stored, naming the column; `conflict` for a violated unique or foreign key,
 * naming the columns if the database does
 */
export interface Writes {
  /** Writes one record and returns its key. Defaults of the Drizzle schema (`$defaultFn`, `$onUpdate`) apply. */
  create(model: Model, values: Values): Promise<unknown>
  /** Changes the record with this key if it also meets the condition, and returns how many that were. `$onUpdate` applies. */
  update(model: Model, key: unknown, values: Values, where?: Condition): Promise<number>
  /** Deletes the record with this key if it also meets the condition, and returns how many that were. */
  delete(model: Model, key: unknown, where?: Condition): Promise<number>
  /** Deletes the records with these keys if they also meet the condition, and returns how many that were. */
  deleteMany(model: Model, keys: readonly unknown[], where?: Condition): Promise<number>
}

/** How a transaction waits for its turn. */
export interface Waiting {
  /**
   * When the wait ends, in milliseconds of `performance.now()`; after that, the request gets a 503 with `Retry-After`. Default: 5 seconds
   * from the call.
   */
  readonly until?: number
  /** `true`: nothing in `fn` can ask the store itself, as a hook could, so the store need not watch for that. Default: `false`. */
  readonly trusted?: boolean
}

/** Where records live. Writes exist only inside a transaction. */
export interface Store extends Reads {
  /**
   * Runs `fn` in one transaction and returns its result. What `fn` throws rolls everything back, and is thrown on.
   *
   * Inside `fn`, await nothing but the store: other writers wait. Nobody else changes what `find` and `findMany` read there by key before
   * its end. Calls made at once, without awaiting each other, are done in that order. If the database rolls back in favour of another
   * transaction, `fn` runs again: outside of the store, it must do nothing that may not happen twice.
   *
   * @throws DaymarkError `unavailable` if the wait ends
   */
  transaction<T>(fn: (tx: Reads & Writes) => Promise<T>, waiting?: Waiting): Promise<T>
  /**
   * Returns another value whenever anything that can be read here may have changed, whoever changed it: at once, and never late. With it, a
   * repeated GET gets the same answer while nothing has changed. Leave it out if you cannot promise that.
   */
  version?(): unknown
  /** Whether `version` reports every change of these records. A view, for one, may change with the time of day. Default: it does. */
  tells?(model: Model): boolean
  /** Asks the database the least that there is to ask; rejects if it does not answer. For `ready`. Default: it is always there. */
  ping?(): Promise<unknown>
  /** Whether one process at a time writes, so that others only get in between two transactions: long work leaves them room. Default: `false`. */
  readonly oneWriter?: boolean
  /** Finishes what is in flight and closes. */
  close(): Promise<void>
}
