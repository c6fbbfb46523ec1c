import type { WrittenField, WrittenPage } from '../../written.js'
import type { Planned } from '../plan.js'
import { inOrder, partsOf, rowOf, Writings, type WritingsOf } from '../writing.js'
import { longestName } from './kept-name.js'

// The built-in types, by their oids.
const [boolean, smallint, integer, bigint, real, double, uuid] = [16, 21, 23, 20, 700, 701, 2950]
const [text, char, varchar, date, timestamp, timestamptz] = [25, 1042, 1043, 1082, 1114, 1184]

// What a column really is decides how it is written, whatever Drizzle was told.
const among = (name: string, oids: readonly number[]) => `pg_typeof(${name})::oid in (${oids})`

const same =
  (...oids: readonly number[]) =>
  (name: string) => ({ json: name, typed: among(name, oids), unlike: null })

const safe = Number.MAX_SAFE_INTEGER
const large = (name: string) => ({
  json: name,
  typed: among(name, [smallint, integer, bigint]),
  unlike: `${name} not between -${safe} and ${safe}`,
})

// Without an exponent, both write the shortest digits that tell a number apart. NaN is above infinity. `+ '0'` makes -0 the 0 that JavaScript
// writes, and keeps the type.
const fraction = (oid: number) => (name: string) => ({
  json: `${name} + '0'`,
  typed: among(name, [oid]),
  unlike: `strpos(${name}::text, 'e') > 0 or not abs(${name}) < 'Infinity'`,
})

/** How each type of column is written. What is not here, JavaScript would write otherwise, or as a text. */
const ways: WritingsOf = {
  PgText: same(text, varchar, char),
  PgVarchar: same(text, varchar, char),
  PgChar: (name) => ({ json: `rtrim(${name}, ' ')`, typed: among(name, [text, varchar, char]), unlike: null }),
  // An application may have a cast from its enum to json, which would be used.
  PgEnumColumn: (name) => ({
    json: `${name}::text`,
    typed: `pg_typeof(${name})::oid in (select enumtypid from pg_catalog.pg_enum)`,
    unlike: null,
  }),
  PgUUID: same(uuid),
  PgBoolean: same(boolean),
  PgSmallInt: same(smallint, integer),
  PgSmallSerial: same(smallint, integer),
  PgInteger: same(smallint, integer),
  PgSerial: same(smallint, integer),
  PgBigInt53: large,
  PgBigSerial53: large,
  PgReal: fraction(real),
  PgDoublePrecision: fraction(double),
  PgDateString: (name) => ({
    json: name,
    typed: among(name, [date]),
    unlike: `not ${name} between date '0001-01-01' and date '9999-12-31'`,
  }),
  PgTimestamp: (name, { column }) => {
    const isZoned = (column.drizzle as { withTimezone?: unknown }).withTimezone === true
    const inUtc = isZoned ? `${name} at time zone 'UTC'` : name
    return {
      // As a Date does, MS cuts microseconds off.
      json: `to_char(${inUtc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      typed: among(name, [isZoned ? timestamptz : timestamp]),
      unlike: `not ${inUtc} between timestamp '0001-01-01' and timestamp '9999-12-31 23:59:59.999999'`,
    }
  },
}

/**
 * The statements that write the rows of others as JSON objects. Each returns the objects, how many rows would not be written as
 * `JSON.stringify` writes them, the number of rows, and whether the columns are of the types that they are declared as.
 */
export const writings = new Writings((plan, fields, apart) => {
  const parts = fields.some(({ name }) => Buffer.byteLength(name) > longestName) ? null : partsOf(plan, fields, ways)
  if (!parts) return null
  const names = parts.fields.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join()
  const values = parts.fields.map(({ json }) => json).join()
  const text = `with daymark_written(${parts.columns}) as (${plan.text}), daymark_records(${names}) as (select ${values} from daymark_written) select (select string_agg(row_to_json(daymark_records.*)::text, ${apart}) from daymark_records), (select count(*)::integer from daymark_written where ${parts.unlike}), (select count(*)::integer from daymark_written), (select ${parts.typed} from daymark_written limit 1)`
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
  [text, unlike, rows, typed]: readonly unknown[],
  { plan, backwards = false }: Planned,
  fields: readonly WrittenField[],
  most: number,
  apart: string,
): WrittenPage | null {
  if (text === null) return { records: '', count: 0, more: false, ends: () => null }
  if (typed !== true || unlike !== 0 || typeof text !== 'string' || typeof rows !== 'number') return null
  if (apart === comma) return { records: text, count: rows, more: false, ends: () => null }
  const records = inOrder(text.split('\n'), backwards, most)
  const ends = () => [rowOf(records[0] as string, plan, fields), rowOf(records.at(-1) as string, plan, fields)] as const
  return { records: records.join(), count: records.length, more: rows > most, ends }
}
