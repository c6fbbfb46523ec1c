import type { SQL } from 'drizzle-orm'
import type { Mapped } from './dialect.js'

/** The shape of a statement and its values. A query is read, adding to both, in the same order in which its SQL takes slots. */
export class Draft {
  shape: string
  readonly values: unknown[] = []
  /** The keys of the columns that it sets: their values come first. */
  readonly sets: string[] = []
  /** The tables whose values its condition compares with; null: none, as of nearly every statement. */
  others: Set<Mapped> | null = null
  constructor(
    verb: string,
    readonly table: Mapped,
  ) {
    // The colon keeps the table's number from running into that of a column.
    this.shape = `${verb}${table.id}:`
  }
}

export type Slot = () => SQL
