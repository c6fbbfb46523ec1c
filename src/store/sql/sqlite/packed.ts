import type { Row } from '../../store.js'
import type { Plan, Planned } from '../plan.js'
import { decode } from '../record.js'

/** Rows as they were read, in order. */
export interface Given {
  readonly rows: Row[]
  /** As SQLite wrote them down, if it did. */
  readonly bytes: Buffer | null
  /** The same, line by line, once somebody had to look. */
  readonly lines: readonly string[] | null
}

/** A statement whose rows SQLite writes down as one text: a JSON array for each, on a line of its own. */
export interface Packed {
  /** Gives one row: the text, whether it is exact, and how many rows there are. */
  readonly plan: Plan
  readonly columns: readonly Way[]
}

type Way = 'text' | 'integer' | 'number'

// What stands in a column of any other kind (bytes, a type of the user's own) may be more than JSON can say.
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

// No JSON has a line end in it: in a text it is written \n.
const lineEnd = ',\n'

// Where values are longer than this, in the mean, the driver has them here sooner than SQLite has written them down.
const longValue = 64

/**
 * A column holds whatever was written to it, whatever it was declared to be: what could not be read from the text as it is makes the statement fail, or say that it is not exact.
 *
 * - SQLite's JSON keeps 15 digits of a double, so in a column of numbers it is written with the 17 that tell it from every other one; anything else there but an integer is refused.
 * - In a column of integers a double would lose digits: one of them makes the sum of all a double.
 * - Bytes may happen to be what SQLite itself takes for JSON. They alone are not less than no bytes at all.
 * - The text is given as bytes: over one that is no UTF-8 libsql ends the process.
 *
 * @returns null where a column is of another kind
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
  // Named once more, since a part of a statement need not say what its columns are called.
  const text = `with packed_rows(${names}) as (${plan.text}) select cast(group_concat(json_array(${written}), char(44, 10)) as blob), ${exact.join(' and ') || '1'}, count(*) from packed_rows`
  return { plan: { ...plan, text, columns: [], decoders: [] }, columns }
}

// Of no bytes JSON knows nothing, which is an error.
function exactly(name: string): string {
  return `case typeof(${name}) when 'real' then printf('%!.17g', ${name}) when 'text' then x'' when 'blob' then x'' else ${name} end`
}

function isWhole<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined)
}

/**
 * What such a statement gave, as rows.
 *
 * @param before what the same statement gave with the same values: of lines that are as they were the very rows are given, and where all are, the very same
 * @returns null where the text is not exact, or too long to be worth it
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
  // libsql cuts a text at a NUL where it gives it by itself.
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
 * In the order of the lines.
 *
 * @param known the rows of the lines from before
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

/** Reads the doubles of a row, in place; false where there is something that a text cannot say. */
function isExact(columns: readonly Way[], row: unknown[]): boolean {
  for (let i = 0; i < columns.length; i++) {
    const value = row[i]
    if (value === null) continue
    const way = columns[i]
    if (typeof value === 'string') {
      if (way !== 'number') continue
      row[i] = Number(value)
      // Of infinity SQLite says Inf.
      if (Number.isNaN(row[i])) return false
    } else if (way === 'text' || !Number.isSafeInteger(value)) return false
  }
  return true
}
