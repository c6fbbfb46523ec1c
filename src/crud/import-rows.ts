import { invalid } from '../base/errors.js'
import type { Call } from './call.js'
import { rowsOfFile } from './import-file.js'
import { rowsOfRecords } from './import-records.js'
import type { ImportRows } from './import-row.js'
import type { Lens } from './lens.js'
import type { ImportMode } from './outcomes/imports.js'

/**
 * Reads the rows of a body: of the CSV file in `file`, or of the list in `records`.
 *
 * @throws DaymarkError `invalid`
 */
export async function importedRows(call: Call, lens: Lens, mode: ImportMode): Promise<ImportRows> {
  const { body } = call.input
  if (body.from === 'json') return rowsOfRecords(call, lens, mode, body.fields.get('records'))
  const [file, another] = (body.from === 'form' ? body.files?.get('file') : undefined) ?? []
  if (another) throw invalid('file', call.realm.t('body.twice', { name: 'file' }))
  if (file) return rowsOfFile(call, lens, mode, file.bytes)
  throw invalid('file', call.realm.t('import.noFile'))
}
