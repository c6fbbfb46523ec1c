import type { SQL } from 'drizzle-orm'
import type { Mapped } from './dialect.js'

/** The shape of a statement and its values. A query is read, adding to both, in the same order in which its SQL takes slots. */
export class Draft {
  shape: string
  readonly values: unknown[] = []
  /** The keys of the columns that it sets to values. */
  readonly sets: string[] = []
  /** The keys of the columns that its values are set to or compared with, by the place of the value. None: of no column. */
  readonly keys: (string | undefined)[] = []
  /** The tables whose values its condition compares with; null: none, as of nearly every statement. */
  others: Set<Mapped> | null = null
  constructor(
    verb: string,
    readonly table: Mapped,
  ) {
    // The colon keeps the table's number from running into that of a column.
    this.shape = `${verb}${table.id}:`
  }

  /** Adds a value that a column is set to or compared with. */
  push(key: string | undefined, value: unknown): void {
    this.keys[this.values.length] = key
    this.values.push(value)
  }
}

export type Slot = () => SQL
