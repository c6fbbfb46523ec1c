import type { Model } from '../resource/model/model.js'
import type { ListQuery, Reads, Row } from './store.js'

/** A field of a record in JSON, and where its value is. */
export interface WrittenField {
  /** Its name in JSON. */
  readonly name: string
  /** The column that has its value, as a position in `ListQuery.columns`. */
  readonly at: number
}

/** A page whose records the database wrote as JSON. */
export interface WrittenPage {
  /**
   * The records, as JSON objects with commas between them, in the order of the list, as text or in UTF-8: at most as many as were asked for.
   */
  readonly records: string | Uint8Array
  /** How many records it has. */
  readonly count: number
  /** Whether `list` would return more. */
  readonly more: boolean
  /**
   * The first and the last of the records, as `list` would return them, with the columns of the fields alone; null: there is none, or the
   * query was not for more records than are written.
   */
  ends(): readonly [Row, Row] | null
}

/**
 * Writes the pages that a `list` would return, each value as `JSON.stringify` writes it: for a database that writes JSON faster than it
 * returns values. Null: a page is better asked for by `list`, or it has values that the database would write otherwise.
 */
export interface Writer {
  /** @param most how many records to write: of one more, the last is left out, or the first if the page lies before its position */
  page(model: Model, query: ListQuery, fields: readonly WrittenField[], most: number): Promise<WrittenPage | null>
  /** The same, along with the number of records that meet the condition, where that saves a way to the database; counting may stop at `cap`. */
  counted?(
    model: Model,
    query: ListQuery,
    fields: readonly WrittenField[],
    most: number,
    cap: number | undefined,
  ): Promise<{ readonly page: WrittenPage; readonly total: number } | null>
}

// By the function, so that a store with a `list` of the user's own, made from one of ours, does not keep the writer of that one.
const writers = new WeakMap<Reads['list'], Writer>()

/** Says that a writer writes what a `list` returns. */
export function writes(list: Reads['list'], writer: Writer): void {
  writers.set(list, writer)
}

/** What writes the pages of a store's `list`; undefined: nothing does. */
export function writerOf({ list }: Reads): Writer | undefined {
  return writers.get(list)
}
