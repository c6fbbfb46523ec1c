import { withoutFormulas } from '../base/formula.js'
import type { Chunk } from '../crud/outcomes/lists.js'
import { cellText } from '../field/exported.js'
import type { Json } from '../field/field.js'
import type { ExportedColumn } from './exported-columns.js'

/** The media type of CSV. */
export const csvType = 'text/csv; charset=utf-8; header=present'

/** Without it, spreadsheets assume the local code page. */
export const byteOrderMark = '\ufeff'

/** A list as CSV (RFC 4180). */
export async function* csvOf(columns: readonly ExportedColumn[], chunks: AsyncIterable<Chunk>): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(({ label }) => withoutFormulas(label)))
  for await (const chunk of chunks) yield linesOfChunk(columns, chunk)
}

function linesOfChunk(columns: readonly ExportedColumn[], { rows, related }: Chunk): string {
  let text = ''
  for (const row of rows) text += csvLine(columns.map(({ field, value }) => plain(value(row, related), field !== null && isExact(field))))
  return text
}

const isExact = ({ column: { type } }: NonNullable<ExportedColumn['field']>) => type === 'bigint' || type === 'numeric'

/** A value as text. `exact`: a string may be a number too large for a double, which needs no guard against formulas. */
function plain(value: Json, exact: boolean): string {
  const text = cellText(value)
  const isNumber = typeof value === 'number' || (exact && /^-?\d+(?:\.\d+)?$/.test(text))
  return isNumber ? text : withoutFormulas(text)
}

/** A line of a file. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}
