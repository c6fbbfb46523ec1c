import type { Chunk, Exported } from '../crud/outcomes/lists.js'
import type { Json } from '../field/field.js'
import { csvOf } from './csv.js'
import { type ExportedColumn, exportedColumns } from './exported-columns.js'
import type { PresenterContext, Reply } from './face.js'
import { tableFile } from './table-file.js'

/** Streams a list as a file. */
export function exportedReply(exported: Exported, at: PresenterContext): Reply {
  const { format, resource, title, chunks } = exported
  const { t, locale, timeZone } = at.realm
  const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(new Date())
  const columns = exportedColumns(exported, (label) => t('export.key', { label }), locale)
  const name = `${resource.uriKey}-${today}`
  return tableFile({ name, title, format, columns, chunks: valuesOf(columns, chunks), csv: csvOf(columns, chunks) }, at)
}

async function* valuesOf(columns: readonly ExportedColumn[], chunks: AsyncIterable<Chunk>): AsyncGenerator<readonly (readonly Json[])[]> {
  for await (const { rows, related } of chunks) yield rows.map((row) => columns.map(({ value }) => value(row, related)))
}
