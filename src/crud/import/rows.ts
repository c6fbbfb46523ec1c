import { invalid } from '../../base/errors.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { ImportMode } from '../outcomes/imports.js'
import { rowsOfFile } from './file.js'
import { rowsOfRecords } from './records.js'
import type { ImportRows } from './row.js'

/**
 * Reads the rows of a body: of the CSV file in `file`, or of the list in `records`.
 *
 * @throws DaymarkError `invalid`
 */
export async function readRows(call: Call, lens: Lens, mode: ImportMode): Promise<ImportRows> {
  const { body } = call.input
  if (body.from === 'json') return rowsOfRecords(call, lens, mode, body.fields.get('records'))
  const [file, another] = (body.from === 'form' ? body.files?.get('file') : undefined) ?? []
  if (another) throw invalid('file', call.realm.t('body.twice', { name: 'file' }))
  if (file) return rowsOfFile(call, lens, mode, file.bytes)
  throw invalid('file', call.realm.t('import.noFile'))
}
