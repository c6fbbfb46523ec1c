import type { WrittenField, WrittenPage } from '../../written.js'
import type { Planned } from '../plan.js'
import { inOrder, partsOf, rowOf, Writings, type WritingsOf } from '../writing.js'

const same = (name: string) => ({ json: name, unlike: null })

const safe = Number.MAX_SAFE_INTEGER
const maybeLarge = (name: string) => ({ json: name, unlike: `${name} not between -${safe} and ${safe}` })

// Within these bounds both write the shortest digits that tell a double apart, and no exponent. NaN is above all. `+ '0'` makes -0 the 0 that
// JavaScript writes, and keeps the type.
const double = (name: string) => ({
  json: `${name} + '0'`,
  unlike: `not (abs(${name}) < 1e15 and (abs(${name}) >= 1e-4 or ${name} = '0'))`,
})

/** How each type of column is written. What is not here, JavaScript would write otherwise, or as a text. */
const ways: WritingsOf = {
  PgText: same,
  PgVarchar: same,
  PgChar: same,
  PgEnumColumn: same,
  PgUUID: same,
  PgBoolean: same,
  PgSmallInt: same,
  PgSmallSerial: same,
  PgInteger: same,
  PgSerial: same,
  PgBigInt53: maybeLarge,
  PgBigSerial53: maybeLarge,
  PgReal: double,
  PgDoublePrecision: double,
  PgTimestamp: (name, { column }) => {
    const inUtc = (column.drizzle as { withTimezone?: unknown }).withTimezone === true ? `${name} at time zone 'UTC'` : name
    return {
      // As a Date does, MS cuts microseconds off.
      json: `to_char(${inUtc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      unlike: `not ${inUtc} between timestamp '0001-01-01' and timestamp '9999-12-31 23:59:59.999999'`,
    }
  },
}

// PostgreSQL cuts longer names, in bytes.
const longestName = 63

/**
 * The statements that write the rows of others as JSON objects. Each returns the objects, how many rows would not be written as
 * `JSON.stringify` writes them, and the number of rows.
 */
export const writings = new Writings((plan, fields, apart) => {
  const parts = fields.some(({ name }) => Buffer.byteLength(name) > longestName) ? null : partsOf(plan, fields, ways)
  if (!parts) return null
  const names = parts.fields.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join()
  const values = parts.fields.map(({ json }) => json).join()
  const text = `with written_rows(${parts.columns}) as (${plan.text}), written_records(${names}) as (select ${values} from written_rows) select (select string_agg(row_to_json(written_records)::text, ${apart}) from written_records), (select count(*)::integer from written_rows where ${parts.unlike}), (select count(*)::integer from written_rows)`
  return { ...plan, text, columns: [], decoders: [] }
})

/** What stands between two records: a line of JSON contains no line end of its own. */
export const comma = "','"
export const lineEnd = "E'\\n'"

/**
 * Reads the result of such a statement.
 *
 * @param most how many records to write
 * @param apart what stands between two records
 * @returns null if it is not what `JSON.stringify` would write
 */
export function writtenPage(
  [text, unlike, rows]: readonly unknown[],
  { plan, backwards = false }: Planned,
  fields: readonly WrittenField[],
  most: number,
  apart: string,
): WrittenPage | null {
  if (text === null) return { records: '', count: 0, more: false, ends: () => null }
  if (unlike !== 0 || typeof text !== 'string' || typeof rows !== 'number') return null
  if (apart === comma) return { records: text, count: rows, more: false, ends: () => null }
  const records = inOrder(text.split('\n'), backwards, most)
  const ends = () => [rowOf(records[0] as string, plan, fields), rowOf(records.at(-1) as string, plan, fields)] as const
  return { records: records.join(), count: records.length, more: rows > most, ends }
}
