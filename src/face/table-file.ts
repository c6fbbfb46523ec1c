import type { FileFormat, Sheet } from '../crud/realm/file-format.js'
import { csvType } from './csv.js'
import type { PresenterContext, Reply } from './face.js'

/** A table as it goes into a file. */
interface TableFile extends Pick<Sheet, 'title' | 'columns' | 'chunks'> {
  /** What the file is called, without its extension. */
  readonly name: string
  /** Its format; null: CSV. */
  readonly format: FileFormat | null
  /** It as CSV, read if that is asked for. */
  readonly csv: Reply['body']
}

/** A table as a file, the same in every face. */
export function tableFile({ name, format, csv, ...sheet }: TableFile, { realm: { t, locale, timeZone } }: PresenterContext): Reply {
  return {
    status: 200,
    headers: {
      'content-type': format?.type ?? csvType,
      'content-disposition': `attachment; filename="${name}.${format?.name ?? 'csv'}"`,
      'cache-control': 'no-store',
    },
    body: format ? format.write({ ...sheet, timeZone, locale, t }) : csv,
  }
}
