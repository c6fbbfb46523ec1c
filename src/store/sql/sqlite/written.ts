import { isUtf8 } from 'node:buffer'
import { firstInstant, lastInstant } from '../../../field/instant.js'
import type { WrittenField, WrittenPage } from '../../written.js'
import type { Planned } from '../plan.js'
import { inOrder, partsOf, rowOf, Writings, type WritingsOf } from '../writing.js'
import { millionthsOf } from './millionths.js'

// Half of SQLite's limit on arguments (127), since each field takes two.
const mostFields = 60

const safe = Number.MAX_SAFE_INTEGER

/**
 * How each type of column is written.
 *
 * - A column may hold values of any type, and only those of its own are written.
 * - SQLite writes the 15 significant digits of a double, which tell apart all those that are a whole number of millionths below 10^9. `5.0`
 *   and exponents are JavaScript's 5 and digits.
 */
const ways: WritingsOf = {
  // Texts come after numbers and before bytes. `typeof` would take longer.
  SQLiteText: (name) => ({ json: name, unlike: `${name} not between '' and x''` }),
  SQLiteInteger: (name) => ({ json: name, unlike: `${isNot(name, 'integer')} or ${name} not between -${safe} and ${safe}` }),
  SQLiteBoolean: (name) => ({
    json: `json(case when ${name} = 1 then 'true' when ${name} is not null then 'false' end)`,
    unlike: isNot(name, 'integer'),
  }),
  // `strftime` takes nearly three times as long as `datetime`. A SQLite before 3.42 knows no `subsec`, and has null for it.
  SQLiteTimestamp: (name, { column }) => {
    const inSeconds = (column.drizzle as { mode?: unknown }).mode === 'timestamp'
    const unit = inSeconds ? 1000 : 1
    // Beyond these years, SQLite has no answer.
    const [first, last] = [Math.ceil(firstInstant / unit), Math.floor(lastInstant / unit)]
    const time = inSeconds ? `datetime(${name}, 'unixepoch')` : `datetime(${name} / 1000.0, 'unixepoch', 'subsec')`
    return {
      json: `replace(${time}, ' ', 'T') || '${inSeconds ? '.000' : ''}Z'`,
      unlike: `${isNot(name, 'integer')} or ${name} not between ${first} and ${last} or datetime(0, 'unixepoch', 'subsec') is null`,
    }
  },
  SQLiteReal: (name) => ({
    json: `case when ${name} = cast(${name} as integer) then cast(${name} as integer) else ${name} end`,
    unlike: [
      `${isNot(name, 'real')} and typeof(${name}) <> 'integer'`,
      `${name} not between -1e9 and 1e9`,
      `${millionthsOf(name)} / 1e6 <> ${name}`,
      `${name} between -1e-4 and 1e-4 and ${name} <> 0`,
    ].join(' or '),
  }),
}

function isNot(name: string, type: string): string {
  return `typeof(${name}) <> '${type}' and ${name} is not null`
}

/**
 * The statements that write the rows of others as JSON objects. Each returns the objects, how many rows would not be written as
 * `JSON.stringify` writes them, and the number of rows.
 */
export const writings = new Writings((plan, fields, apart) => {
  const parts = fields.length > mostFields ? null : partsOf(plan, fields, ways)
  if (!parts) return null
  const object = parts.fields.map(({ name, json }) => `'${name.replaceAll("'", "''")}', ${json}`).join(', ')
  const text = `with daymark_written(${parts.columns}) as (${plan.text}) select cast(group_concat(json_object(${object}), ${apart}) as blob), count(*) filter (where ${parts.unlike}), count(*) from daymark_written`
  return { ...plan, text, columns: [], decoders: [] }
})

/** What stands between two records: a line of JSON contains no line end of its own. */
export const apart = 'char(10)'

/**
 * Reads the result of such a statement.
 *
 * @param most how many records to write
 * @returns null if it is not what `JSON.stringify` would write
 */
export function writtenPage(
  [bytes, unlike, rows]: readonly unknown[],
  { plan, backwards = false }: Planned,
  fields: readonly WrittenField[],
  most: number,
): WrittenPage | null {
  if (bytes === null) return { records: Buffer.of(), count: 0, more: false, ends: () => null }
  // libsql cuts a text at a NUL when it returns it by itself.
  if (unlike !== 0 || !Buffer.isBuffer(bytes) || bytes.includes('\\u0000')) return null
  // A database in UTF-16 gives its own bytes.
  if (bytes.includes(0)) return null
  const [count, more] = [Math.min(Number(rows), most), Number(rows) > most]
  // Bytes that are no UTF-8 become �, as in other texts.
  const lines = isUtf8(bytes) ? bytes : Buffer.from(bytes.toString())
  const texts = backwards || more ? sorted(lines, backwards, most) : joined(lines)
  const ends = () => [rowOf(String(texts.first), plan, fields), rowOf(String(texts.last), plan, fields)] as const
  return { records: texts.all, count, more, ends }
}

const lineEnd = 10
const comma = 44

interface Records {
  /** All of them, with commas between them. */
  readonly all: Buffer
  readonly first: Buffer
  readonly last: Buffer
}

function joined(lines: Buffer): Records {
  const [end, start] = [lines.indexOf(lineEnd), lines.lastIndexOf(lineEnd) + 1]
  for (let at = end; at >= 0; at = lines.indexOf(lineEnd, at + 1)) lines[at] = comma
  return { all: lines, first: lines.subarray(0, end < 0 ? lines.length : end), last: lines.subarray(start) }
}

function sorted(lines: Buffer, backwards: boolean, most: number): Records {
  const records = inOrder(lines.toString('latin1').split('\n'), backwards, most)
  const all = Buffer.from(records.join(), 'latin1')
  return { all, first: all.subarray(0, records[0]?.length), last: all.subarray(all.length - (records.at(-1)?.length ?? 0)) }
}
