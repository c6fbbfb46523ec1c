import { Column as DrizzleColumn, type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../../base/errors.js'
import { Illegible } from '../../../field/illegible.js'
import { StoredInstant } from '../../../field/instant.js'
import { withoutExponent } from '../../../field/steps.js'
import { parseStoredJson } from '../../../field/stored-json.js'
import { endIn, storedText, timeIn } from '../../../field/stored-time.js'
import { exactNumber } from '../../../resource/model/exact-number.js'
import type { Column } from '../../../resource/model/model.js'
import { storeTexts } from '../../../resource/model/store-texts.js'
import { checkBound, encode, encodeTime, isOfType } from '../../../resource/model/value.js'
import type { Codec } from '../dialect.js'

/** How the values of a column are stored, compared and read in SQLite. */
export function codecOf(column: Column, id: number, name: string, inColumn: SQL = sql`${column.drizzle}`): Codec {
  const { drizzle } = column
  const comparable = comparables[drizzle.columnType]
  const { stored } = column
  const store = storing(column, stored ? (value) => encodeTime(column, stored, value) : encoders[drizzle.columnType])
  // Equality takes a text as it is, which code may state in full.
  const equal = stored ? storing(column, (value) => (typeof value === 'string' ? value : storedText(stored, value, true))) : store
  const compare = comparable ? storing(column, comparable.value) : equal
  return {
    id,
    column,
    name,
    bare: inColumn,
    nullable: !column.notNull && !column.primary,
    sql: inColumn,
    equatable: inColumn,
    sortable: comparable?.sql ? comparable.sql(inColumn) : inColumn,
    store,
    equal: comparable?.sql ? store : compare,
    compare: stored ? (value, by) => encode(column, value, (time) => endIn(stored, storedText(stored, time, false), by)) : compare,
    place: (value) => {
      if (value instanceof Illegible) return bare(column, comparable?.ofIllegible ? comparable.ofIllegible(value.stored) : value.stored)
      return isOfType(column, value) && !(value instanceof StoredInstant) ? compare(value) : bare(column, value)
    },
    decode: stored ? decodeTime : decoderOf(drizzle),
    linked: null,
    tally: null,
  }
}

/** A text of others that means no time is shown as empty, and so is a number. */
const decodeTime = (value: unknown) => (typeof value === 'string' && !Number.isNaN(timeIn(value)) ? value : new Illegible(value))

function decoderOf(drizzle: DrizzleColumn): Codec['decode'] {
  if (drizzle.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue) return null
  if (drizzle.columnType === 'SQLiteTextJson') return (value) => parseStoredJson(value as string)
  // Of a double that is small or large, it is the text of JavaScript, 1e-7, which is no decimal.
  if (drizzle.columnType === 'SQLiteNumeric')
    return (value) => (isNumber(value) ? withoutExponent(drizzle.mapFromDriverValue(value) as string) : new Illegible(value))
  if (numbers.has(drizzle.columnType)) return (value) => (isNumber(value) ? drizzle.mapFromDriverValue(value) : new Illegible(value))
  if (drizzle.columnType !== 'SQLiteTimestamp') return (value) => drizzle.mapFromDriverValue(value)
  const unit = (drizzle as { mode?: unknown }).mode === 'timestamp' ? 1000 : 1
  return (value) => {
    if (typeof value === 'bigint') return new StoredInstant(value)
    if (typeof value === 'object') return new Illegible(value)
    const instant = drizzle.mapFromDriverValue(value) as Date
    const time = instant.getTime()
    return time / unit === value ? instant : new StoredInstant(value as string | number, time)
  }
}

const numbers: ReadonlySet<string> = new Set(['SQLiteNumericNumber', 'SQLiteBoolean'])

/** Neither bytes, which only a driver's object can be, nor infinity. Drizzle would make something of both. */
const isNumber = (value: unknown) => typeof value !== 'object' && value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY

/** A value that we never store but others may have, whatever the column's type, so that a position can contain it. */
function bare(column: Column, value: unknown): unknown {
  const stored = value instanceof StoredInstant ? value.stored : value
  return stored === Number.POSITIVE_INFINITY || stored === Number.NEGATIVE_INFINITY ? stored : checkBound(column, stored)
}

function storing(column: Column, by: Encode | undefined): (value: unknown) => unknown {
  const encoder = by && ((checked: unknown) => by(checked, column))
  return (value) => encode(column, value, encoder)
}

type Encode = (value: unknown, column: Column) => unknown

// Drizzle would bind the text of a number. We bind the number, since SQLite may miss the nearest double when it parses the text of a fraction,
// and compares a number that no column holds with no text.
const encoders: Readonly<Record<string, Encode>> = {
  SQLiteNumeric: (value, column) => {
    const number = exactNumber(value as string)
    if (number === null) throw invalid(column.key, storeTexts.tooFine)
    return number
  },
  SQLiteNumericNumber: (value) => value,
  SQLiteNumericBigInt: (value) => value,
}

interface Comparable {
  readonly value: Encode
  readonly sql?: (column: SQL) => SQL
  /** What `sql` returns for a stored value that cannot be read. Default: the stored value. */
  readonly ofIllegible?: (stored: unknown) => unknown
}

const comparables: Readonly<Record<string, Comparable>> = {
  // Stored as whole seconds. A moment between two seconds must equal neither, so it is compared as a fraction.
  SQLiteTimestamp: {
    value: (value, { drizzle }) => (value as Date).getTime() / ((drizzle as { mode?: unknown }).mode === 'timestamp' ? 1000 : 1),
  },
  // Stored as the bytes of its digits, which sort 10 before 9.
  SQLiteBigInt: { value: (value) => value, sql: (column) => sql`cast(cast(${column} as text) as integer)`, ofIllegible: castToInteger },
}

/** Casts a text to an integer as SQLite does: by its leading digits. */
function castToInteger(stored: unknown): bigint {
  const whole = BigInt(/^\s*([+-]?\d+)/.exec(String(stored))?.[1]?.replace('+', '') ?? 0)
  return whole > largest ? largest : whole < -largest - 1n ? -largest - 1n : whole
}

const largest = 2n ** 63n - 1n
