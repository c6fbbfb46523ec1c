import type { SQL } from 'drizzle-orm'
import type { FullText } from '../../resource/model/full-text.js'
import type { Column, Link, Model } from '../../resource/model/model.js'

/** How one dialect stores, compares and reads a column. Values here are never null. */
export interface Codec {
  /** Its position in the table, which identifies it in the shape of a query. */
  readonly id: number
  readonly column: Column
  readonly nullable: boolean
  /** Its name in the database, in the casing of the user's Drizzle database. */
  readonly name: string
  /** The column itself. */
  readonly bare: SQL
  /** The column as it is selected, searched for a text and compared with NULL. */
  readonly sql: SQL
  /** The operand of `=` and `<>`: the column itself, unless it stores values more finely than ours. */
  readonly equatable: SQL
  /** The operand of `<`, `>` and ORDER BY: the column itself, unless its stored form sorts differently from its values. */
  readonly sortable: SQL
  /** Encodes a value to store. */
  store(value: unknown): unknown
  /** Encodes a value to compare with `equatable`. */
  equal(value: unknown): unknown
  /** Encodes a value to compare with `sortable` by this operator. */
  compare(value: unknown, by: 'gt' | 'gte' | 'lt' | 'lte'): unknown
  /**
   * Encodes a value of a position to compare with `sortable`. Unlike the others, it takes values that we never store but the column may
   * contain.
   */
  place(value: unknown): unknown
  /** Turns the driver's value into the stored value; null: they are the same. */
  readonly decode: ((value: unknown) => unknown) | null
  /** The link table, if it is no column but lists linked records; null: it is a column. */
  readonly linked: Linked | null
  /** The related records, if it is no column but tells of them; null: it is a column. */
  readonly tally: Tallied | null
}

/** What is told of related records. */
export interface Tallied {
  /** Their table, and those that a condition on them compares with. */
  readonly tables: readonly Mapped[]
  /** The number over those that refer to the record with this key. */
  at(key: SQL): SQL
}

/** What a link table holds of a record. */
export interface Linked {
  readonly link: Link
  /** The link table. */
  readonly table: Mapped
  /** Its column that refers to the other record. */
  readonly target: Codec
  /** A key as lists of keys have it → as its column stores it. */
  stored(key: unknown): unknown
  /** The condition that the record is linked to one that meets a condition on the target. */
  with(target: SQL): SQL
  /** The condition that the record is linked to any. */
  readonly any: SQL
}

/** A table in one dialect. */
export interface Mapped {
  readonly id: number
  readonly model: Model
  readonly codecs: ReadonlyMap<string, Codec>
  readonly key: Codec
  /** The other tables that its lists of records are read from, and what it tells of related ones. */
  readonly links: readonly Mapped[]
  /** Another table of the same database. */
  beside(model: Model): Mapped
  column(key: string): Codec
  /** The codecs of a list of keys, and its part of a shape. Cached by the list itself, since a lens always passes the same one. */
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

/** A text to find in columns: a name for the form of its SQL, and the values that this binds. */
export interface Pattern {
  readonly form: string
  readonly bind: readonly string[]
}

/** What differs between the databases: the rest of `store/sql` is the same for all. */
export interface Dialect {
  readonly name: Model['dialect']
  /** Drizzle's writer of SQL text. */
  write(query: SQL): { readonly sql: string; readonly params: readonly unknown[] }
  /** @param as what stands for the column. Default: its name in its table. */
  codec(column: Column, id: number, as?: SQL): Codec
  /** The values of an IN: what to bind, and a name for the form of the SQL; null: too many for the database. */
  among(values: readonly unknown[]): Among | null
  /** The SQL of an IN in such a form; `slot` gives the next bound value. */
  amongSql(column: SQL, form: string, slot: () => SQL): SQL
  /** The pattern that finds a text anywhere, at the start or as the whole; null: too long for the database. */
  pattern(text: string, at: 'anywhere' | 'start' | 'whole'): Pattern | null
  /** The SQL of a match in such a form; `bound` are its bound values. */
  matches(codec: Codec, form: string, bound: readonly SQL[]): SQL
  /** Columns that hold lists of values. */
  readonly list: {
    /** The value to bind to find `value` in a list. */
    one(codec: Codec, value: string | number): unknown
    has(codec: Codec, one: SQL): SQL
    /** Whether a text with commas between names has this one. */
    named(codec: Codec, one: SQL): SQL
  }
  /** The texts of a column in all rows of a table that meet a condition, as one value. What its type cannot hold is left out. */
  readonly texts: {
    of(codec: Codec, from: SQL): SQL
    /** The driver's value → the texts. */
    read(value: unknown): readonly string[]
  }
  /**
   * Numbers over a column of related rows. They don't depend on the order in which a database reads these, which a position in a list sorted by
   * them could not bear.
   */
  readonly numbers: { sum(codec: Codec): SQL; average(codec: Codec): SQL }
  readonly fullText: {
    /** The query to bind: for each word, a word that begins with it. */
    words(columns: readonly Codec[], words: readonly string[]): string
    matches(table: Mapped, columns: readonly Codec[], of: FullText, words: SQL): SQL
  }
  /** One step of ORDER BY, with nulls last; `reversed`: the whole order is reversed, so nulls come first. */
  orderBy(column: SQL, direction: 'ASC' | 'DESC', nullable: boolean, reversed: boolean): SQL
}
