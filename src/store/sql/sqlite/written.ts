import { isUtf8 } from 'node:buffer'
import type { WrittenField, WrittenPage } from '../../store.js'
import type { Codec } from '../dialect.js'
import type { Plan } from '../plan.js'

/** How SQLite writes a value as JSON, and when that would not be what `JSON.stringify` writes. */
interface Writing {
  readonly json: string
  /** A condition; null counts as false. */
  readonly unlike: string
}

// Half of SQLite's limit on arguments (127), since each field takes two.
const mostFields = 60

const safe = Number.MAX_SAFE_INTEGER
// The years 0 to 9999, beyond which `strftime` has no answer.
const [firstTime, lastTime] = [-62_167_219_200_000, 253_402_300_799_999]

// 1.5 · 2^52: adding and subtracting it rounds a double to a whole number.
const rounder = '6755399441055744.0'

/**
 * How each type of column is written.
 *
 * - A column may hold values of any type, and only those of its own are written.
 * - SQLite writes the 15 significant digits of a double, which tell apart all those that are a whole number of millionths below 10^9. `5.0`
 *   and exponents are JavaScript's 5 and digits.
 */
const writings: Readonly<Record<string, (name: string, codec: Codec) => Writing>> = {
  SQLiteText: (name) => ({ json: name, unlike: isNot(name, 'text') }),
  SQLiteInteger: (name) => ({ json: name, unlike: `${isNot(name, 'integer')} or ${name} not between -${safe} and ${safe}` }),
  SQLiteBoolean: (name) => ({
    json: `json(case when ${name} = 1 then 'true' when ${name} is not null then 'false' end)`,
    unlike: isNot(name, 'integer'),
  }),
  SQLiteTimestamp: (name, { column }) => {
    const inSeconds = (column.drizzle as { mode?: unknown }).mode === 'timestamp'
    const unit = inSeconds ? 1000 : 1
    const [first, last] = [Math.ceil(firstTime / unit), Math.floor(lastTime / unit)]
    return {
      json: inSeconds
        ? `strftime('%Y-%m-%dT%H:%M:%S.000Z', ${name}, 'unixepoch')`
        : `strftime('%Y-%m-%dT%H:%M:%fZ', ${name} / 1000.0, 'unixepoch')`,
      unlike: `${isNot(name, 'integer')} or ${name} not between ${first} and ${last}`,
    }
  },
  SQLiteReal: (name) => ({
    json: `case when ${name} = cast(${name} as integer) then cast(${name} as integer) else ${name} end`,
    unlike: [
      `${isNot(name, 'real')} and typeof(${name}) <> 'integer'`,
      `${name} not between -1e9 and 1e9`,
      `(${name} * 1e6 + ${rounder} - ${rounder}) / 1e6 <> ${name}`,
      `${name} between -1e-4 and 1e-4 and ${name} <> 0`,
    ].join(' or '),
  }),
}

function isNot(name: string, type: string): string {
  return `typeof(${name}) <> '${type}' and ${name} is not null`
}

/**
 * The statement that writes the rows of another as JSON objects. It returns the objects, how many values would not be written as
 * `JSON.stringify` writes them, and the number of rows.
 *
 * @param apart what is written between two objects
 * @returns null if a column is of another type
 */
export function writtenBy(plan: Plan, fields: readonly WrittenField[], apart: string): Plan | null {
  if (fields.length > mostFields) return null
  const parts = fields.map(({ name, at }) => {
    const codec = plan.columns[at]
    const writing = codec && !codec.linked && !codec.tally && writings[codec.column.drizzle.columnType]?.(`c${at}`, codec)
    return writing && { ...writing, name: `'${name.replaceAll("'", "''")}'` }
  })
  if (!parts.every((part) => !!part)) return null
  const object = parts.map(({ name, json }) => `${name}, ${json}`).join(', ')
  const unlike = parts.map((part) => part.unlike).join(' or ')
  // The column names are repeated, since a subquery's own column names are not guaranteed.
  const names = plan.columns.map((_, index) => `c${index}`)
  const text = `with written_rows(${names}) as (${plan.text}) select cast(group_concat(json_object(${object}), ${apart}) as blob), count(*) filter (where ${unlike}), count(*) from written_rows`
  return { ...plan, text, columns: [], decoders: [] }
}

/** A comma, and the end of a line, which no JSON of one line contains. */
export const comma = 'char(44)'
export const lineEnd = 'char(10)'

/**
 * Reads the result of such a statement.
 *
 * @param backwards whether the rows were read from the end, and separated by line ends
 * @returns null if it is not what `JSON.stringify` would write
 */
export function writtenPage([bytes, unlike, count]: readonly unknown[], backwards: boolean): WrittenPage | null {
  if (bytes === null) return { records: Buffer.of(), count: 0 }
  // libsql cuts a text at a NUL when it returns it by itself.
  if (unlike !== 0 || !Buffer.isBuffer(bytes) || bytes.includes('\\u0000')) return null
  // Bytes that are no UTF-8 become �, as in other texts.
  const utf8 = isUtf8(bytes) ? bytes : Buffer.from(bytes.toString())
  return { records: backwards ? reversed(utf8) : utf8, count: Number(count) }
}

function reversed(lines: Buffer): Buffer {
  return Buffer.from(lines.toString('latin1').split('\n').reverse().join(), 'latin1')
}
