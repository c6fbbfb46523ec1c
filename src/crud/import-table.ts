import { invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'

/** A CSV file, as texts. */
export interface Table {
  /** The names of its columns, from its first line. */
  readonly head: readonly string[]
  /** Its rows. */
  readonly rows: readonly TableRow[]
}

// More than any table has: what is wrong with each of them is told.
const mostColumns = 500

/** A row of a CSV file. */
export interface TableRow {
  /** The number of its first line in the file, which the head begins with 1. */
  readonly line: number
  /** Its texts: at most as many as the head has, but for empty ones. */
  readonly cells: readonly string[]
}

/**
 * Reads a CSV file (RFC 4180): of UTF-8, or of UTF-16 with a byte order mark, separated by comma, semicolon or tab. Lines without any text
 * are skipped.
 *
 * @param most the most rows
 * @throws DaymarkError `invalid`, naming `file`
 */
export async function readTable(bytes: Uint8Array, most: number, t: Translate): Promise<Table> {
  const text = textOf(bytes)
  if (text === null || text.includes('\0')) throw invalid('file', t('import.notText'))
  const records = await parsed(text, most + 2, t)
  const [head = { line: 1, cells: [] }, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (head.cells.length > mostColumns) throw invalid('file', t('import.tooWide', { most: mostColumns }))
  if (rows.length === 0) throw invalid('file', t('import.empty'))
  if (rows.length > most) throw invalid('file', t('import.tooMany', { most }))
  return { head: head.cells.map((cell) => cell.trim()), rows }
}

async function parsed(text: string, to: number, t: Translate): Promise<readonly TableRow[]> {
  // Loaded when it is first needed: a panel starts without it.
  const { CsvError, parse } = await import('csv-parse/sync')
  const read = (most: number) => numbered(parse(text, { delimiter: delimiterOf(text), relax_column_count: true, to: most }))
  try {
    return read(to)
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown
    // The record that cannot be read begins behind the last one that can.
    const good = Number((thrown as { readonly records?: unknown }).records)
    throw invalid('file', t('import.notCsv', { line: good > 0 ? lineAfter(read(good).at(-1) as TableRow) : 1 }))
  }
}

/** The records with the lines that they begin in. The parser counts a CRLF within quotes twice. */
function numbered(records: readonly (readonly string[])[]): readonly TableRow[] {
  const rows: TableRow[] = []
  for (const cells of records) rows.push({ line: rows.length === 0 ? 1 : lineAfter(rows.at(-1) as TableRow), cells })
  return rows
}

const lineAfter = ({ line, cells }: TableRow) =>
  line + 1 + cells.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)

function textOf(bytes: Uint8Array): string | null {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  try {
    return new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

// As much of a file as its first line takes: names, not texts.
const longestHead = 65_536

/** The separator of a file: the one that its first line has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const [first = ''] = text
    .slice(0, longestHead)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1)
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}
