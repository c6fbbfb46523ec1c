import { Column as DrizzleColumn, type SQL, sql } from 'drizzle-orm'
import { DaymarkError, invalid } from '../../../base/errors.js'
import { Illegible } from '../../../field/illegible.js'
import { StoredInstant } from '../../../field/instant.js'
import { parseStoredJson } from '../../../field/stored-json.js'
import { comparisonFaults } from '../../../resource/condition/compared.js'
import { type Column, isUnlimited } from '../../../resource/model/model.js'
import { encode } from '../../../resource/model/value.js'
import type { Codec } from '../dialect.js'
import { storageFaults } from './fault.js'
import { isRounded } from './rounded.js'

/** How the values of a column are stored, compared and read in PostgreSQL. */
export function codecOf(column: Column, id: number, name: string, itself: SQL = sql`${column.drizzle}`): Codec {
  const { drizzle } = column
  const inColumn = expressions[drizzle.columnType]?.(itself, drizzle) ?? itself
  const isFiner = hasFinerTimes(drizzle)
  const [forComparison, forStorage] = [comparisonFaults[drizzle.columnType], storageFaults[drizzle.columnType]]
  const { element } = column
  const one = element && codecOf(element, id, name)
  const encoded = (value: unknown, by: 'store' | 'equal', ...faults: readonly (Fault | undefined)[]) =>
    encode(column, value, (checked) => {
      if (one) for (const part of listOf(column, checked)) one[by](part)
      for (const faultOf of faults) {
        const fault = faultOf?.(checked, column) ?? null
        if (fault !== null) throw invalid(column.key, fault)
      }
      return drizzle.mapToDriverValue(checked)
    })
  const equal = (value: unknown) => encoded(value, 'equal', forComparison)
  return {
    id,
    column,
    name,
    bare: itself,
    nullable: !column.notNull && !column.primary,
    sql: inColumn,
    // The column has microseconds, a Date milliseconds: a Date equals every stored time that is truncated to it.
    equatable: isFiner ? sql`date_trunc('milliseconds', ${itself})` : inColumn,
    sortable: inColumn,
    store: (value) => encoded(value, 'store', forComparison, forStorage),
    equal,
    compare: isFiner || isFineText(drizzle) ? (value, by) => wholeMillisecond(equal(value), by) : equal,
    // The column may hold 'infinity', or an enum value that Drizzle does not know, or an interval of more digits than we take.
    place: (value) => bare(column, value) ?? (beyond.has(drizzle.columnType) ? encoded(value, 'equal') : equal(value)),
    decode: drizzle.columnType in decoders ? (decoders[drizzle.columnType] ?? null) : decoderOf(drizzle),
    linked: null,
    tally: null,
  }
}

/** A value that we never store but others may have, so that a position can contain it; as PostgreSQL writes it. */
function bare(column: Column, value: unknown): string | null {
  const { type } = column
  if (value instanceof StoredInstant || value instanceof Illegible) return String(value.stored)
  if (typeof value === 'bigint' && isUnlimited(column)) return String(value)
  const isNone = (type === 'real' && !Number.isFinite(value)) || (type === 'numeric' && unbounded.has(value))
  return isNone && (typeof value === 'number' || typeof value === 'string') ? String(value) : null
}

const beyond = new Set(['PgDateString', 'PgEnumColumn', 'PgInterval'])
const unbounded: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

function listOf(column: Column, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(column.key, 'Must be a list')
  return value
}

/** Whether a column stores times more finely than a Date. */
const hasFinerTimes = (column: DrizzleColumn) => column.columnType === 'PgTimestamp' && isFine(column)

/** The same for texts. A condition may state these in full, so equality takes them literally. */
const isFineText = (column: DrizzleColumn) => column.columnType === 'PgTimestampString' && isFine(column)

const isFine = (column: DrizzleColumn) => ((column as { precision?: number }).precision ?? 6) > 3

/**
 * `lte` includes the whole millisecond of a time, and `gt` none of it. Adjusting the value, not the column, lets an index of the column
 * serve.
 */
function wholeMillisecond(time: unknown, by: 'gt' | 'gte' | 'lt' | 'lte'): unknown {
  return (by === 'gt' || by === 'lte') && typeof time === 'string' ? time.replace(/(\.\d{3})Z$/, '$1999Z') : time
}

type Fault = (value: unknown, column: Column) => string | null

const expressions: Readonly<Record<string, (itself: SQL, column: DrizzleColumn) => SQL>> = {
  // Sorted as the double that JavaScript reads: by digits beyond it, no row would be at the position that its value states. A column
  // without such digits is sorted as it is, so that its index serves.
  PgNumericNumber: (itself, column) => (isRounded(column) ? sql`${itself}::float8` : itself),
  // Unlike jsonb, json has no comparison operators.
  PgJson: (itself) => sql`${itself}::text`,
  // node-postgres does not parse an array of an enum, only one of text.
  PgArray: (itself, column) => (elementOf(column)?.columnType === 'PgEnumColumn' ? sql`${itself}::text[]` : itself),
}

/** The column that stands for one value of an array. */
const elementOf = (column: DrizzleColumn) => (column as { readonly baseColumn?: DrizzleColumn }).baseColumn

// Drizzle parses a JSON string a second time, and rounds integers beyond 2^53.
const decoders: Readonly<Record<string, ((value: unknown) => unknown) | null>> = {
  PgJson: (value) => parseStoredJson(value as string),
  PgJsonb: null,
  PgBigInt53: integer,
  PgBigSerial53: integer,
  PgTimestamp: instant,
  PgDate: instant,
  PgChar: (value) => unpadded(value as string),
}

/** Without the blanks that PostgreSQL fills a `char(n)` up with, and ignores where it compares and casts one. */
function unpadded(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end--
  return text.slice(0, end)
}

// PostgreSQL's own form of ISO 8601. Under another `DateStyle`, the same digits may mean another day.
const writtenTime = /^(\d{4,})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?( BC)?$/

const otherStyle = 'Not as ISO 8601 writes a time: the DateStyle of the pool has to be ISO'

/** Drizzle uses the parser of `Date`, which reads the year 1 as 2001 and knows neither infinity nor the offsets of before 1900. */
function instant(value: unknown): Date {
  const text = value as string
  if (text === 'infinity' || text === '-infinity') return new StoredInstant(text)
  const parts = writtenTime.exec(text)
  // Internal, since the setting is wrong, not the stored value.
  if (!parts) throw new DaymarkError('internal', 'The database could not do this', { cause: new RangeError(otherStyle) })
  const [, year = '', month, day, hours = 0, minutes = 0, seconds = 0, fraction = '', sign, ...offset] = parts
  const isBefore = offset.pop() !== undefined
  const [aheadHours = 0, aheadMinutes = 0, aheadSeconds = 0] = offset
  const ahead = (Number(aheadHours) * 60 + Number(aheadMinutes)) * 60 + Number(aheadSeconds)
  const time = new Date(0)
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  time.setUTCFullYear(isBefore ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  time.setUTCHours(
    Number(hours),
    Number(minutes),
    Number(seconds) - (sign === '-' ? -ahead : ahead),
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  )
  const shown = time.getUTCFullYear()
  if (shown < 1 || shown > 9999) return new StoredInstant(text)
  // Positions need the microseconds that a Date cuts off, since rows are sorted by them. PostgreSQL writes no trailing zeros.
  return fraction.length > 3 ? new StoredInstant(text, time.getTime()) : time
}

function integer(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value as string)
}

function decoderOf(drizzle: DrizzleColumn): Codec['decode'] {
  if (drizzle.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue) return null
  if (elementOf(drizzle)?.columnType === 'PgChar')
    return (value) => (drizzle.mapFromDriverValue(value) as unknown[]).map((one) => (typeof one === 'string' ? unpadded(one) : one))
  return (value) => {
    const decoded = drizzle.mapFromDriverValue(value)
    if (decoded instanceof Date && Number.isNaN(decoded.getTime())) throw new RangeError('No moment that JavaScript has')
    return decoded
  }
}
