import type { FullText } from '../../resource/full-text.js'
import type { Column, Model } from '../../resource/model.js'
import type { Reads, Store, Waiting, Writes } from '../store.js'

/** What a transaction over SQL can do besides: run a statement of the house's own, such as one that makes a table. Never one with a value in it. */
export interface Executes {
  execute(sql: string): Promise<void>
}

/** An index over all rows of a table: the names of its columns in order, null for an expression. */
export interface Index {
  readonly columns: readonly (string | null)[]
  /** It finds parts of texts. */
  readonly trigrams: boolean
}

/** The indexes of a table, as its database has them. */
export interface Indexes {
  readonly all: readonly Index[]
  /** The table as SQL names it. */
  readonly table: string
  nameOf(column: Column): string
}

/** A store over a SQL database. */
export interface SqlStore extends Store {
  readonly dialect: Model['dialect']
  indexes(model: Model): Promise<Indexes>
  /** The SQL that makes the index of a resource's words; null: it is there. */
  missingFullText(model: Model, of: FullText): Promise<string | null>
  transaction<T>(fn: (tx: Reads & Writes & Executes) => Promise<T>, waiting?: Waiting): Promise<T>
}
