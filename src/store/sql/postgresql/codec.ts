import { Column as DrizzleColumn, type SQL, sql } from 'drizzle-orm'
import { DaymarkError, invalid } from '../../../base/errors.js'
import { Illegible } from '../../../field/illegible.js'
import { StoredInstant } from '../../../field/instant.js'
import { parseStoredJson } from '../../../field/stored-json.js'
import { comparisonFaults } from '../../../resource/compared.js'
import type { Column } from '../../../resource/model.js'
import { encode } from '../../../resource/value.js'
import type { Codec } from '../dialect.js'
import { storageFaults } from './fault.js'
import { isRounded } from './rounded.js'

/** How the values of a column go into PostgreSQL, compare there and come out. */
export function codecOf(column: Column, id: number, name: string): Codec {
  const { drizzle } = column
  const inColumn = expressions[drizzle.columnType]?.(drizzle) ?? sql`${drizzle}`
  const isFiner = hasFinerTimes(drizzle)
  const [forComparison, forStorage] = [comparisonFaults[drizzle.columnType], storageFaults[drizzle.columnType]]
  const { element } = column
  const one = element && codecOf(element, id, name)
  const encoded = (value: unknown, ...faults: readonly (Fault | undefined)[]) =>
    encode(column, value, (checked) => {
      if (one) for (const part of listOf(column, checked)) one.store(part)
      for (const faultOf of faults) {
        const fault = faultOf?.(checked, column) ?? null
        if (fault !== null) throw invalid(column.key, fault)
      }
      return drizzle.mapToDriverValue(checked)
    })
  const equal = (value: unknown) => encoded(value, forComparison)
  return {
    id,
    column,
    name,
    nullable: !column.notNull && !column.primary,
    sql: inColumn,
    // A Date has milliseconds: it is none of the microseconds of the column, but all of them that it cuts off.
    equatable: isFiner ? sql`date_trunc('milliseconds', ${drizzle})` : inColumn,
    sortable: inColumn,
    store: (value) => encoded(value, forComparison, forStorage),
    equal,
    compare: isFiner ? (value, by) => wholeMillisecond(equal(value), by) : equal,
    // What the column holds may be a day beyond all days, or an option that Drizzle doesn't know of.
    place: (value) => bare(column, value) ?? (beyond.has(drizzle.columnType) ? encoded(value) : equal(value)),
    decode: drizzle.columnType in decoders ? (decoders[drizzle.columnType] ?? null) : decoderOf(drizzle),
  }
}

/** What is never stored by us, but may stand in a column, and so in a position: as PostgreSQL writes it. */
function bare({ type }: Column, value: unknown): string | null {
  if (value instanceof StoredInstant || value instanceof Illegible) return String(value.stored)
  const isNone = (type === 'real' && !Number.isFinite(value)) || (type === 'numeric' && unbounded.has(value))
  return isNone && (typeof value === 'number' || typeof value === 'string') ? String(value) : null
}

const beyond = new Set(['PgDateString', 'PgEnumColumn'])
const unbounded: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

function listOf(column: Column, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(column.key, 'Must be a list')
  return value
}

/** Whether a column keeps more of a time than a Date has. */
const hasFinerTimes = (column: DrizzleColumn) =>
  column.columnType === 'PgTimestamp' && ((column as { precision?: number }).precision ?? 6) > 3

/** What is up to a time is all of its millisecond, and what is after it nothing of that. So the column itself is compared, and an index of it serves. */
function wholeMillisecond(time: unknown, by: 'gt' | 'gte' | 'lt' | 'lte'): unknown {
  return (by === 'gt' || by === 'lte') && typeof time === 'string' ? time.replace(/Z$/, '999Z') : time
}

type Fault = (value: unknown, column: Column) => string | null

const expressions: Readonly<Record<string, (column: DrizzleColumn) => SQL>> = {
  // Sorted as JavaScript reads it: by digits that a double has not, no row would stand where it says that it stands. What has no more of them keeps its index.
  PgNumericNumber: (column) => (isRounded(column) ? sql`${column}::float8` : sql`${column}`),
  // json, unlike jsonb, compares with nothing.
  PgJson: (column) => sql`${column}::text`,
  // A list of an enum comes as text that nobody has taken apart.
  PgArray: (column) =>
    (column as unknown as { baseColumn: DrizzleColumn }).baseColumn.columnType === 'PgEnumColumn' ? sql`${column}::text[]` : sql`${column}`,
}

// Drizzle reads JSON twice where it is text within, and rounds integers beyond 2^53.
const decoders: Readonly<Record<string, ((value: unknown) => unknown) | null>> = {
  PgJson: (value) => parseStoredJson(value as string),
  PgJsonb: null,
  PgBigInt53: integer,
  PgBigSerial53: integer,
  PgTimestamp: instant,
  PgDate: instant,
}

// As PostgreSQL writes a time by ISO 8601, its own standard. Another `DateStyle` may mean another day by the same digits.
const writtenTime = /^(\d{4,})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?( BC)?$/

const otherStyle = 'Not as ISO 8601 writes a time: the DateStyle of the pool has to be ISO'

/** Drizzle leaves it to `Date`, which takes the year 1 for 2001, and knows neither infinity nor the offsets of before 1900. */
function instant(value: unknown): Date {
  const text = value as string
  if (text === 'infinity' || text === '-infinity') return new StoredInstant(text)
  const parts = writtenTime.exec(text)
  // It is no fault of what is stored.
  if (!parts) throw new DaymarkError('internal', 'The database could not do this', { cause: new RangeError(otherStyle) })
  const [, year = '', month, day, hours = 0, minutes = 0, seconds = 0, fraction = '', sign, ...offset] = parts
  const isBefore = offset.pop() !== undefined
  const [aheadHours = 0, aheadMinutes = 0, aheadSeconds = 0] = offset
  const ahead = (Number(aheadHours) * 60 + Number(aheadMinutes)) * 60 + Number(aheadSeconds)
  const time = new Date(0)
  // `Date.UTC` takes a year of two digits for one of the last century.
  time.setUTCFullYear(isBefore ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  time.setUTCHours(
    Number(hours),
    Number(minutes),
    Number(seconds) - (sign === '-' ? -ahead : ahead),
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  )
  const shown = time.getUTCFullYear()
  if (shown < 1 || shown > 9999) return new StoredInstant(text)
  // What a Date cuts off, a position must have: rows are in the order of all of it. No zeros stand at its end.
  return fraction.length > 3 ? new StoredInstant(text, time.getTime()) : time
}

function integer(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value as string)
}

function decoderOf(drizzle: DrizzleColumn): Codec['decode'] {
  if (drizzle.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue) return null
  return (value) => {
    const decoded = drizzle.mapFromDriverValue(value)
    if (decoded instanceof Date && Number.isNaN(decoded.getTime())) throw new RangeError('No moment that JavaScript has')
    return decoded
  }
}
