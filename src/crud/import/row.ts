import type { Bound } from '../../field/field.js'
import type { KeyValue } from '../../field/key.js'
import type { Row } from '../../store/store.js'
import type { ValidatedBody } from '../body/validated-body.js'
import type { Values } from './find-by-values.js'

/** A row of an import. */
export interface ImportRow {
  /** Where it stands, as errors name it: `lines[3]` of a file, `records[0]` of a body. */
  readonly name: string
  /** The same in a text: `line 3`, `records[0]`. */
  readonly label: string
  /** The number of its first line in the file, or its place in the body, beginning with 1. */
  readonly line: number
  /** The key of the record that it names, as text; empty: it names none. */
  readonly key: string
  /**
   * The values by which it finds its record if it names no key, in the order of the fields for that; null: one is blank.
   *
   * @throws DaymarkError `invalid` naming each that cannot be read
   */
  match(): Values | null
  /**
   * What it holds, each field validated on its own.
   *
   * @param creating whether it creates a record
   * @param but fields to leave out: what a record was found by, it has
   */
  sent(creating: boolean, but?: readonly Bound[]): Promise<ValidatedBody>
}

/** A row of an import, and what it does. */
export interface Plan {
  readonly row: ImportRow
  readonly sent: ValidatedBody
  /** The key of the record that it changes; undefined: it creates one. */
  readonly key: KeyValue | undefined
  /** The record as it is; null: it creates one. */
  readonly before: Row | null
  /** The fields by whose values it was found; empty: by its key, or it creates one. */
  readonly by: readonly Bound[]
  /** What it writes: the values of a new record, or those that change. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The rows of an import. */
export interface ImportRows {
  /** The rows. */
  readonly rows: readonly ImportRow[]
  /** The labels of the fields that they hold. */
  readonly fields: readonly string[]
  /** The names of the columns that are not imported. */
  readonly ignored: readonly string[]
  /** The fields by which they find records, besides the key; empty: by the key alone. */
  readonly by: readonly Bound[]
  /** All that they find records by, for a text; empty: nothing, or users do not read it. */
  readonly named: string
}

/** The most rows of an import: they are in memory, and written in one transaction. */
export const mostRows = 10_000
