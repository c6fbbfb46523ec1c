import type { Chunk, Exported } from '../crud/outcome.js'
import type { Json } from '../field/field.js'
import { csvOf, csvType } from './csv.js'
import { type ExportedColumn, exportedColumns } from './exported-columns.js'
import type { Around, Reply } from './face.js'

/** Streams a list as a file, the same in every face. */
export function exportedReply(exported: Exported, { realm }: Around): Reply {
  const { format, resource, title, chunks } = exported
  const { t, locale, timeZone } = realm
  const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(new Date())
  const columns = exportedColumns(exported, (label) => t('export.key', { label }), locale)
  return {
    status: 200,
    headers: {
      'content-type': format?.type ?? csvType,
      'content-disposition': `attachment; filename="${resource.uriKey}-${today}.${format?.name ?? 'csv'}"`,
      'cache-control': 'no-store',
    },
    body: format ? format.write({ title, columns, chunks: valuesOf(columns, chunks), timeZone, locale, t }) : csvOf(columns, chunks),
  }
}

async function* valuesOf(columns: readonly ExportedColumn[], chunks: AsyncIterable<Chunk>): AsyncGenerator<readonly (readonly Json[])[]> {
  for await (const { rows, related } of chunks) yield rows.map((row) => columns.map(({ value }) => value(row, related)))
}
