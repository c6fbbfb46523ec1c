import type { Row } from '../../store.js'
import type { Plan, Planned } from '../plan.js'
import { decode } from '../record.js'

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
  /** Returns one row: the text, whether it is exact, and how many rows it has. */
  readonly plan: Plan
  readonly columns: readonly Way[]
}

type Way = 'text' | 'integer' | 'number'

// Columns of other kinds (bytes, custom types) may hold values that JSON cannot represent.
const ways: Readonly<Record<string, Way>> = {
  SQLiteText: 'text',
  SQLiteTextJson: 'text',
  SQLiteInteger: 'integer',
  SQLiteBoolean: 'integer',
  SQLiteTimestamp: 'integer',
  SQLiteReal: 'number',
  SQLiteNumeric: 'number',
  SQLiteNumericNumber: 'number',
}

// JSON strings contain no raw line end (it is escaped as \n), so this separates rows unambiguously.
const lineEnd = ',\n'

// If values are longer than this on average, the driver returns them faster than SQLite packs them.
const longValue = 64

/**
 * A SQLite column may hold any value, whatever its declared type. A value that the text cannot carry exactly makes the statement fail, or
 * report that it is not exact.
 *
 * - SQLite's JSON writes 15 digits of a double, so number columns are written with the 17 that identify it; text and bytes in them fail.
 * - A double in an integer column would lose digits: a single one makes the sum of all of them a double.
 * - Bytes may look like SQLite's JSONB. Only bytes compare `>= x''`.
 * - The text is returned as bytes, since libsql crashes the process over text that is not UTF-8.
 *
 * @returns null if a column is of another kind
 */
export function pack(plan: Plan): Packed | null {
  const columns = plan.columns.map(({ column }) => ways[column.drizzle.columnType])
  if (columns.length === 0 || !isWhole(columns)) return null
  const names = columns.map((_, index) => `c${index}`)
  const named = (are: (way: Way) => boolean) => names.filter((_, index) => are(columns[index] as Way))
  const written = columns.map((way, index) => (way === 'number' ? exactly(`c${index}`) : `c${index}`))
  const [integers, others] = [named((way) => way === 'integer'), named((way) => way !== 'number')]
  const exact = [
    ...(integers.length > 0 ? [`typeof(sum(${integers.map((name) => `ifnull(${name}, 0)`).join(' + ')})) <> 'real'`] : []),
    ...(others.length > 0 ? [`count(*) filter (where ${others.map((name) => `${name} >= x''`).join(' or ')}) = 0`] : []),
  ]
  // The column names are repeated, since a subquery's own column names are not guaranteed.
  const text = `with packed_rows(${names}) as (${plan.text}) select cast(group_concat(json_array(${written}), char(44, 10)) as blob), ${exact.join(' and ') || '1'}, count(*) from packed_rows`
  return { plan: { ...plan, text, columns: [], decoders: [] }, columns }
}

// JSON cannot hold a blob: `x''` makes the statement fail on purpose.
function exactly(name: string): string {
  return `case typeof(${name}) when 'real' then printf('%!.17g', ${name}) when 'text' then x'' when 'blob' then x'' else ${name} end`
}

function isWhole<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined)
}

/**
 * Unpacks the result of a packed statement.
 *
 * @param before the last result of the same statement with the same values: rows of unchanged lines are reused, and so is the whole result
 * if nothing changed
 * @returns null if the text is not exact, or too long to be worth parsing
 */
export function unpack(
  { columns }: Packed,
  [bytes, exact, count]: readonly unknown[],
  { plan, backwards = false }: Planned,
  before: Given,
): Given | null {
  if (bytes === null) return before.bytes?.length === 0 ? before : { rows: [], bytes: Buffer.of(), lines: [] }
  if (exact !== 1 || !Buffer.isBuffer(bytes) || bytes.length > Number(count) * columns.length * longValue) return null
  if (before.bytes?.equals(bytes)) return before
  // libsql cuts a plain text value at a NUL, so reading it packed would differ.
  if (bytes.includes('\\u0000')) return null
  const text = bytes.toString()
  const once = before.lines ?? before.bytes?.toString().split(lineEnd) ?? []
  const lines = once.length > 0 ? text.split(lineEnd) : null
  const rows = lines ? readOthers(lines, before.rows, once, backwards, read) : read(text)
  return rows && { rows: backwards ? rows.reverse() : rows, bytes, lines }

  function read(text: string): Row[] | null {
    const rows = JSON.parse(`[${text}]`) as unknown[][]
    for (const row of rows) {
      if (!isExact(columns, row)) return null
      decode(plan, row)
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

/** Parses the doubles of a row in place; `false`: a value was not carried exactly. */
function isExact(columns: readonly Way[], row: unknown[]): boolean {
  for (let i = 0; i < columns.length; i++) {
    const value = row[i]
    if (value === null) continue
    const way = columns[i]
    if (typeof value === 'string') {
      if (way !== 'number') continue
      row[i] = Number(value)
      // `printf` writes infinity as Inf, which `Number` does not parse.
      if (Number.isNaN(row[i])) return false
    } else if (way === 'text' || !Number.isSafeInteger(value)) return false
  }
  return true
}
