import type { Condition } from '../../resource/condition/condition.js'
import type { FullText } from '../../resource/model/full-text.js'
import type { Column, Model } from '../../resource/model/model.js'
import type { Reads, Store, Values, Waiting, Writes } from '../store.js'

/** What a transaction over SQL can do besides. */
export interface Executes {
  /** Runs a statement without values, such as one that creates a table. */
  execute(sql: string): Promise<void>
  /** Creates a record for each one of another table of the database, by one statement. */
  createForEach(model: Model, values: Values, each: Each): Promise<void>
  /** Changes all records that meet a condition, by one statement, and returns how many that were. */
  updateAll(model: Model, values: Values, where: Condition): Promise<number>
  /** Deletes all records that meet a condition, by one statement, and returns how many that were. Their links stay. */
  deleteAll(model: Model, where: Condition): Promise<number>
}

/** For which records of another table there is to be one each. */
export interface Each {
  /** The other table. */
  readonly of: Model
  /** The condition that its records must meet. */
  readonly where: Condition
  /** The column that lists one of these names, in JSON or as a text with commas. Default: whatever it lists. */
  readonly lists?: { readonly column: string; readonly some: readonly string[] }
  /** The columns that have a value of theirs, as text, after a text of ours. */
  readonly texts: Readonly<Record<string, { readonly column: string; readonly after: string }>>
}

/** An index over all rows of a table. */
export interface Index {
  /** The names of its columns in order; null for an expression. */
  readonly columns: readonly (string | null)[]
  /** Whether it finds parts of texts. */
  readonly trigrams: boolean
}

/** The indexes of a table, as its database has them. */
export interface Indexes {
  /** Every index. */
  readonly all: readonly Index[]
  /** The name of the table in SQL. */
  readonly table: string
  /** The name of a column in SQL. */
  nameOf(column: Column): string
}

/** A store over a SQL database. */
export interface SqlStore extends Store {
  /** Which database it is. */
  readonly dialect: Model['dialect']
  /** The indexes of a table; null: it is a view, which can have none. */
  indexes(model: Model): Promise<Indexes | null>
  /** The SQL that creates the full-text index of a resource; null if it exists. */
  missingFullText(model: Model, of: FullText): Promise<string | null>
  /** As in `Store`; `tx` can also run a statement. */
  transaction<T>(fn: (tx: Reads & Writes & Executes) => Promise<T>, waiting?: Waiting): Promise<T>
}
