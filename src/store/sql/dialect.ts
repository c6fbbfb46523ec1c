import type { SQL } from 'drizzle-orm'
import type { FullText } from '../../resource/full-text.js'
import type { Column, Model } from '../../resource/model.js'

/** A column in statements of one dialect: how its values go in, compare and come out. Values are never null here. */
export interface Codec {
  /** Its place in the table, which names it in the shape of a query. */
  readonly id: number
  readonly column: Column
  readonly nullable: boolean
  /** Its name in the database, in the casing of a user's Drizzle database. */
  readonly name: string
  /** The column as it is read, and asked for a text or whether it has any value. */
  readonly sql: SQL
  /** What is asked to be a value; the column itself unless that keeps more than our values have. */
  readonly equatable: SQL
  /** What greater and smaller are asked of, and the order; the column itself unless it is stored in another order than its values have. */
  readonly sortable: SQL
  /** A value to be stored, for the driver. */
  store(value: unknown): unknown
  /** A value to be compared with `equatable`. */
  equal(value: unknown): unknown
  /** A value to be compared with `sortable`, by this sign. */
  compare(value: unknown, by: 'gt' | 'gte' | 'lt' | 'lte'): unknown
  /** A value of a position, to be compared with `sortable`: besides, what is never stored by us, but may stand in the column. */
  place(value: unknown): unknown
  /** What the driver gives → the stored value; null where that is the same. */
  readonly decode: ((value: unknown) => unknown) | null
}

/** A table in statements of one dialect. */
export interface Mapped {
  readonly id: number
  readonly model: Model
  readonly codecs: ReadonlyMap<string, Codec>
  readonly key: Codec
  column(key: string): Codec
  /** Those of a list of keys, and their part of a shape. A lens asks with the same list each time. */
  columns(keys: readonly string[]): Columns
}

export interface Columns {
  readonly shape: string
  readonly codecs: readonly Codec[]
}

export interface Among {
  readonly form: string
  readonly bind: readonly unknown[]
}

/** A text to be found in columns: a name for the form of the SQL that asks for it, and what that binds. */
export interface Pattern {
  readonly form: string
  readonly bind: readonly string[]
}

/** What differs between databases. The rest of `store/sql` is the same for all. */
export interface Dialect {
  readonly name: Model['dialect']
  /** Drizzle's writer of SQL text. */
  write(query: SQL): { readonly sql: string; readonly params: readonly unknown[] }
  codec(column: Column, id: number): Codec
  /** Values for an IN: what to bind, and a name for the form of the SQL that takes it; null: more than the database takes. */
  among(values: readonly unknown[]): Among | null
  /** Whether a column holds one of the values of such a form; `slot` gives the next bound value. */
  amongSql(column: SQL, form: string, slot: () => SQL): SQL
  /** The pattern of a text, to be found anywhere, at the start or as the whole; null: too long for the database. */
  pattern(text: string, at: 'anywhere' | 'start' | 'whole'): Pattern | null
  /** Whether a column holds the text of such a form; `bound` stands for what it binds. */
  matches(codec: Codec, form: string, bound: readonly SQL[]): SQL
  /** Columns that hold lists of values. */
  readonly list: {
    /** What is bound to find a value among those of a list. */
    one(codec: Codec, value: string | number): unknown
    has(codec: Codec, one: SQL): SQL
  }
  readonly fullText: {
    /** What is bound to find rows that hold, for each word, one that begins with it. */
    words(columns: readonly Codec[], words: readonly string[]): string
    matches(table: Mapped, columns: readonly Codec[], of: FullText, words: SQL): SQL
  }
  /** One step of ORDER BY with nulls last; `reversed`: the whole order backwards, so that they come first. */
  orderBy(column: SQL, direction: 'ASC' | 'DESC', nullable: boolean, reversed: boolean): SQL
}
