import type { Row } from '../../store.js'
import type { Plan, Planned } from '../plan.js'
import { decode } from '../record.js'
import { millionthsOf } from './millionths.js'

/** Rows that were read, in order. */
export interface Given {
  readonly rows: Row[]
  /** Their packed text; null: they were read one by one. */
  readonly bytes: Buffer | null
  /** The text split into lines; null: not needed so far. */
  readonly lines: readonly string[] | null
}

/** A statement for which SQLite packs all rows into one text: a JSON array per row, each on its own line. */
export interface Packed {
  /** Returns one row: the text, how many rows hold bytes, and how many rows it has. */
  readonly plan: Plan
  /** The columns of a row, and where in its line each is: integers come first. */
  readonly columns: readonly { readonly in: number; readonly way: Way }[]
  /** Matches what each line begins with, if there is no double in its columns of integers. */
  readonly begins: RegExp
}

type Way = 'integer' | 'text' | 'real' | 'number'

// Columns of other kinds (bytes, custom types) may hold values that JSON cannot represent.
const ways: Readonly<Record<string, Way>> = {
  SQLiteText: 'text',
  SQLiteTextJson: 'text',
  SQLiteInteger: 'integer',
  SQLiteBoolean: 'integer',
  SQLiteTimestamp: 'integer',
  SQLiteReal: 'real',
  SQLiteNumeric: 'number',
  SQLiteNumericNumber: 'number',
}

// JSON strings contain no raw line end (it is escaped as \n), so this separates rows unambiguously.
const lineEnd = ',\n'

// If values are longer than this on average, the driver returns them faster than SQLite packs them.
const longValue = 64

/**
 * A SQLite column may hold any value, whatever its declared type. A value that the text cannot carry exactly makes the statement fail, is
 * counted, or shows in the text.
 *
 * - SQLite's JSON writes 15 digits of a double, so columns of doubles are written otherwise (`exactly`, `inMillionths`), and fail for text
 *   and bytes.
 * - In a column of integers, a double is written with a point or an exponent, as no integer is. Integers come first, so that how a line
 *   begins tells.
 * - Bytes may look like SQLite's JSONB. Only bytes compare `>= x''`.
 * - The text is returned as bytes, since libsql crashes the process over text that is not UTF-8.
 *
 * @returns null if a column is of another kind
 */
export function pack(plan: Plan): Packed | null {
  const all = plan.columns.flatMap(({ column }, at) => {
    const way = ways[column.drizzle.columnType]
    return way ? { at, way } : []
  })
  if (all.length === 0 || all.length < plan.columns.length) return null
  const integers = all.filter(({ way }) => way === 'integer')
  const line = [...integers, ...all.filter(({ way }) => way !== 'integer')]
  const mayHoldBytes = line.filter(({ way }) => way === 'integer' || way === 'text').map(({ at }) => `c${at} >= x''`)
  const [names, written] = [all.map(({ at }) => `c${at}`), line.map(({ at, way }) => writtenAs[way](`c${at}`))]
  // The column names are repeated, since a subquery's own column names are not guaranteed.
  const text = `with daymark_packed(${names}) as (${plan.text}) select cast(group_concat(json_array(${written}), char(44, 10)) as blob), count(*) filter (where ${mayHoldBytes.join(' or ') || 'false'}), count(*) from daymark_packed`
  return {
    plan: { ...plan, text, columns: [], decoders: [] },
    columns: all.map((column) => ({ in: line.indexOf(column), way: column.way })),
    // Not `^` with the flag `m`, which matches behind U+2028, too: a text may hold that.
    begins: new RegExp(`(?<=^|,\\n)\\[(?:(?:-?\\d+|null|"(?:[^"\\\\]|\\\\.)*")[,\\]]){${integers.length}}`, 'g'),
  }
}

const asItIs = (name: string) => name
const writtenAs: Readonly<Record<Way, (name: string) => string>> = { integer: asItIs, text: asItIs, real: inMillionths, number: exactly }

// JSON cannot hold a blob: `x''` makes the statement fail on purpose.
function exactly(name: string): string {
  return `case typeof(${name}) when 'real' then ${digits(name)} when 'text' then x'' when 'blob' then x'' else ${name} end`
}

/** The 17 digits that tell a double from any other. */
const digits = (name: string) => `printf('%!.17g', ${name})`

const million = 1e6

/** Most doubles are a whole number of millionths, which takes much less time to write than 17 digits. */
function inMillionths(name: string): string {
  const millionths = millionthsOf(name)
  const isWhole = `${name} between -1e9 and 1e9 and ${millionths} / 1e6 = ${name}`
  const written = `case when ${isWhole} then cast(${millionths} as integer) else ${digits(name)} end`
  // An integer is told from millionths by being a text.
  return `case typeof(${name}) when 'real' then ${written} when 'integer' then printf('%d', ${name}) when 'null' then null else x'' end`
}

/**
 * Unpacks the result of a packed statement.
 *
 * @param before the last result of the same statement with the same values: rows of unchanged lines are reused, and so is the whole result
 * if nothing changed
 * @returns null if the text is not exact, or too long to be worth parsing
 */
export function unpack(
  { columns, begins }: Packed,
  [bytes, inexact, count]: readonly unknown[],
  { plan, backwards = false }: Planned,
  before: Given,
): Given | null {
  if (bytes === null) return before.bytes?.length === 0 ? before : { rows: [], bytes: Buffer.of(), lines: [] }
  if (inexact !== 0 || !Buffer.isBuffer(bytes) || bytes.length > Number(count) * columns.length * longValue) return null
  if (before.bytes?.equals(bytes)) return before
  // libsql cuts a plain text value at a NUL, so reading it packed would differ.
  if (bytes.includes('\\u0000')) return null
  const text = bytes.toString()
  const once = before.lines ?? before.bytes?.toString().split(lineEnd) ?? []
  const lines = once.length > 0 ? text.split(lineEnd) : null
  const rows = lines ? readOthers(lines, before.rows, once, backwards, read) : read(text)
  return rows && { rows: backwards ? rows.reverse() : rows, bytes, lines }

  function read(text: string): Row[] | null {
    const packed = JSON.parse(`[${text}]`) as unknown[][]
    if (text.match(begins)?.length !== packed.length) return null
    const rows: Row[] = []
    for (const values of packed) {
      const row = rowOf(columns, values)
      if (row === null) return null
      rows.push(decode(plan, row))
    }
    return rows
  }
}

/**
 * Parses only the lines that changed, in order.
 *
 * @param known the rows of the lines in `before`
 */
function readOthers(
  lines: readonly string[],
  known: readonly Row[],
  before: readonly string[],
  backwards: boolean,
  read: (line: string) => Row[] | null,
): Row[] | null {
  const all: Row[] = []
  let shift = 0
  for (const [i, line] of lines.entries()) {
    let at = i - shift
    if (before[at] !== line) {
      at = before.indexOf(line)
      if (at >= 0) shift = i - at
    }
    const row = at >= 0 ? known[backwards ? known.length - 1 - at : at] : read(line)?.[0]
    if (row === undefined) return null
    all.push(row)
  }
  return all
}

/** The row that was packed as these values; null: one was not carried exactly. */
function rowOf(columns: Packed['columns'], values: readonly unknown[]): unknown[] | null {
  const row: unknown[] = []
  for (const { in: place, way } of columns) {
    const value = values[place]
    if (value === null) row.push(null)
    else if (typeof value === 'string') {
      const own = way === 'text' || way === 'integer' ? value : Number(value)
      // `printf` writes infinity as Inf, which `Number` does not parse, and only an integer without a point.
      if (Number.isNaN(own) || (way === 'real' && /^-?\d+$/.test(value) && !Number.isSafeInteger(own))) return null
      row.push(own)
    } else if (way === 'text' || !Number.isSafeInteger(value)) return null
    else row.push(way === 'real' ? (value as number) / million : value)
  }
  return row
}
