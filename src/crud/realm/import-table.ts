import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'

/** A file, as texts. Those of any format are guarded against formulas, as an export does it in CSV. */
export interface Table {
  /** The names of its columns, from its first line. */
  readonly head: readonly string[]
  /** Its rows. */
  readonly rows: readonly TableRow[]
}

// More than any table has: what is wrong with each of them is told.
export const mostColumns = 500

/**
 * What is to be known of a cell of a workbook: it is a number, which is the same in every language; it is what a formula failed with; it is
 * as long as a cell can be, so that its text may have been longer.
 */
export type CellMark = 'number' | 'error' | 'cut'

/** A row of a file. */
export interface TableRow {
  /** The number of its first line in the file, which the head begins with 1. */
  readonly line: number
  /** Its texts: at most as many as the head has, but for empty ones. */
  readonly cells: readonly string[]
  /** What is to be known of its cells, by their places; absent: nothing. */
  readonly marks?: ReadonlyMap<number, CellMark>
}

/**
 * Reads a CSV file (RFC 4180): of UTF-8, or of UTF-16 with a byte order mark, separated by comma, semicolon or tab, or as a first line
 * `sep=|` says. Lines without any text are skipped.
 *
 * @param most the most rows
 * @throws DaymarkError `invalid`, naming `file`
 */
export async function readTable(bytes: Uint8Array, most: number, t: Translate): Promise<Table> {
  const text = textOf(bytes)
  if (text === null || text.includes('\0')) throw invalid('file', t('import.notText'))
  const [first = '', said] = saidDelimiter.exec(text) ?? []
  const delimiter = said ?? delimiterOf(text)
  const csv = withoutEnd(text.slice(first.length), delimiter)
  if (await isTooWide(csv, delimiter)) throw invalid('file', t('import.tooWide', { most: mostColumns }))
  const [head, ...rows] = await parsed(csv, delimiter, { most, before: first === '' ? 0 : 1, t })
  if (head === undefined || rows.length === 0) throw invalid('file', t('import.empty'))
  return { head: head.cells.map((cell) => cell.trim()), rows }
}

/** @param before the lines of the file before the text */
async function parsed(
  text: string,
  delimiter: string,
  { most, before, t }: { readonly most: number; readonly before: number; readonly t: Translate },
): Promise<readonly TableRow[]> {
  // Loaded when it is first needed: a panel starts without it.
  const { CsvError, parse } = await import('csv-parse')
  const rows: TableRow[] = []
  // Counted here: the parser counts a CRLF within quotes twice.
  let line = 1 + before
  let [empty, blank] = [0, 0]
  const read = (cells: readonly string[], { empty_lines }: { readonly empty_lines: number }): null => {
    line += empty_lines - empty
    empty = empty_lines
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells })
    else blank++
    if (rows.length > most + 1 || blank > most) throw invalid('file', t('import.tooMany', { most }))
    line += cells.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 1)
    return null
  }
  try {
    // Each line may end otherwise, in a file that was put together.
    const ends = ['\r\n', '\n', '\r']
    const parser = parse({ delimiter, relax_column_count: true, record_delimiter: ends, skip_empty_lines: true, on_record: read })
    await pipeline(piecesOf(Buffer.from(text)), parser.resume())
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown
    throw invalid('file', t('import.notCsv', { line }))
  }
  return rows
}

// Read in one go, a large file would keep all other requests waiting.
const piece = 256 * 1024

/** A text or its bytes in pieces, each in a turn of the event loop. */
async function* piecesOf<T extends string | Buffer>(whole: T): AsyncGenerator<T> {
  for (let at = 0; at < whole.length; at += piece) {
    yield (typeof whole === 'string' ? whole.slice(at, at + piece) : whole.subarray(at, at + piece)) as T
    await nextTurn()
  }
}

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

/** What Excel heeds in the first line of a file, and other programs write for it. */
const saidDelimiter = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n)/i

/** Leaves out the lines without any text that a table ends with. Spreadsheets write up to a million. */
function withoutEnd(text: string, delimiter: string): string {
  let end = text.length
  while (end > 0 && ` \t\r\n${delimiter}`.includes(text[end - 1] as string)) end--
  const line = text.slice(end).search(/[\r\n]/)
  return line < 0 ? text : text.slice(0, end + line)
}

/** Whether any line has more columns than are read: found before they are all in memory. */
async function isTooWide(text: string, delimiter: string): Promise<boolean> {
  const signs = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/, '\\$&')}]`, 'g')
  let [columns, quoted] = [1, false]
  for await (const part of piecesOf(text))
    for (const [sign] of part.matchAll(signs)) {
      if (sign === '"') quoted = !quoted
      else if (quoted) continue
      else if (sign !== delimiter) columns = 1
      else if (++columns > mostColumns) return true
    }
  return false
}
