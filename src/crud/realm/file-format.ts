import type { Translate } from '../../base/messages.js'
import type { Bound, Json } from '../../field/field.js'
import type { Table } from './import-table.js'

/** A format of files that lists are exported to and imported from, besides CSV: what `xlsx()` returns. */
export interface FileFormat {
  /** Its name in `?format=`, and the extension of its files. */
  readonly name: string
  /** What users call its files. */
  readonly label: string
  /** Its media type. */
  readonly type: string
  /** The most rows that a file holds below its head. */
  readonly mostRows: number
  /** The bytes of a file, read while they are sent. */
  write(sheet: Sheet): AsyncIterable<Uint8Array>
  /** Whether bytes look like such a file. */
  is(bytes: Uint8Array): boolean
  /**
   * Reads a file.
   *
   * @param most the most rows
   * @throws DaymarkError `invalid`, naming `file`
   */
  read(bytes: Uint8Array, most: number, t: Translate): Promise<Table>
}

/** A list on its way into a file. */
export interface Sheet {
  /** What the list is called. */
  readonly title: string
  /** Its columns. */
  readonly columns: readonly SheetColumn[]
  /** Its rows, in chunks: values in the order of the columns, as in JSON. */
  readonly chunks: AsyncIterable<readonly (readonly Json[])[]>
  /** The IANA time zone in which times are written. */
  readonly timeZone: string
  /** The BCP 47 tag by which currencies are written. */
  readonly locale: string
  /** Returns a text of the panel by its key. */
  readonly t: Translate
}

/** A column of such a list. */
export interface SheetColumn {
  /** What the first row calls it. */
  readonly label: string
  /** The field whose values it holds; null: it holds labels of related records, or what was computed. */
  readonly field: Bound | null
}
