import { DaymarkError } from '../base/errors.js'
import type { Call } from './call.js'
import type { ImportMode } from './import-columns.js'
import { rowsOfFile } from './import-file.js'
import { rowsOfRecords } from './import-records.js'
import type { Lens } from './lens.js'
import type { Sent } from './sent.js'

/** A row of an import. */
export interface ImportRow {
  /** Where it stands, as errors name it: `lines[3]` of a file, `records[0]` of a body. */
  readonly name: string
  /** The number of its first line in the file, or its place in the body, beginning with 1. */
  readonly line: number
  /** The key of the record that it names, as text; empty: it names none. */
  readonly key: string
  /**
   * What it holds, each field validated on its own.
   *
   * @param creating whether it creates a record
   */
  sent(creating: boolean): Promise<Sent>
}

/** The rows of an import. */
export interface ImportRows {
  /** The rows. */
  readonly rows: readonly ImportRow[]
  /** The labels of the fields that they hold. */
  readonly fields: readonly string[]
  /** The names of the columns that are not imported. */
  readonly ignored: readonly string[]
}

/** The most rows of an import: they are in memory, and written in one transaction. */
export const mostRows = 10_000

/**
 * Reads the rows of a body: of the CSV file in `file`, or of the list in `records`.
 *
 * @throws DaymarkError `invalid`
 */
export async function importedRows(call: Call, lens: Lens, mode: ImportMode): Promise<ImportRows> {
  const { body } = call.input
  if (body.from === 'json') return rowsOfRecords(call, lens, mode, body.fields.get('records'), mostRows)
  const file = body.from === 'form' ? body.files?.get('file') : undefined
  if (file) return rowsOfFile(call, lens, mode, file.bytes, mostRows)
  throw new DaymarkError('invalid', call.realm.t('import.noFile'), { errors: [['file', [call.realm.t('import.noFile')]]] })
}
