import { Column as DrizzleColumn, type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../../base/errors.js'
import { Illegible } from '../../../field/illegible.js'
import { StoredInstant } from '../../../field/instant.js'
import { parseStoredJson } from '../../../field/stored-json.js'
import type { Column } from '../../../resource/model.js'
import { checkBound, encode, isInt64, isOfType } from '../../../resource/value.js'
import type { Codec } from '../dialect.js'

/** How the values of a column go into SQLite, compare there and come out. */
export function codecOf(column: Column, id: number, name: string): Codec {
  const { drizzle } = column
  const comparable = comparables[drizzle.columnType]
  const inColumn = sql`${drizzle}`
  const store = storing(column, encoders[drizzle.columnType])
  const compare = comparable ? storing(column, comparable.value) : store
  return {
    id,
    column,
    name,
    nullable: !column.notNull && !column.primary,
    sql: inColumn,
    equatable: inColumn,
    sortable: comparable?.sql ? comparable.sql(inColumn) : inColumn,
    store,
    equal: comparable?.sql ? store : compare,
    compare,
    place: (value) => {
      if (value instanceof Illegible)
        return checkBound(column, comparable?.ofIllegible ? comparable.ofIllegible(value.stored) : value.stored)
      return isOfType(column, value) && !(value instanceof StoredInstant) ? compare(value) : bare(column, value)
    },
    decode: decoderOf(drizzle),
  }
}

function decoderOf(drizzle: DrizzleColumn): Codec['decode'] {
  if (drizzle.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue) return null
  if (drizzle.columnType === 'SQLiteTextJson') return (value) => parseStoredJson(value as string)
  if (drizzle.columnType !== 'SQLiteTimestamp') return (value) => drizzle.mapFromDriverValue(value)
  const unit = (drizzle as { mode?: unknown }).mode === 'timestamp' ? 1000 : 1
  return (value) => {
    if (typeof value === 'bigint') return new StoredInstant(value)
    const instant = drizzle.mapFromDriverValue(value) as Date
    const time = instant.getTime()
    return time / unit === value ? instant : new StoredInstant(value as string | number, time)
  }
}

/** What is never stored by us, but may stand in a column, whatever its type, and so in a position. */
function bare(column: Column, value: unknown): unknown {
  const stored = value instanceof StoredInstant ? value.stored : value
  return stored === Number.POSITIVE_INFINITY || stored === Number.NEGATIVE_INFINITY ? stored : checkBound(column, stored)
}

function storing(column: Column, by: Encode | undefined): (value: unknown) => unknown {
  const encoder = by && ((checked: unknown) => by(checked, column))
  return (value) => encode(column, value, encoder)
}

type Encode = (value: unknown, column: Column) => unknown

// Where Drizzle would bind the text of a fraction, the number is bound: SQLite may miss the nearest one when it reads the text.
const encoders: Readonly<Record<string, Encode>> = {
  SQLiteNumeric: (value, column) => exactNumber(value as string, column),
  SQLiteNumericNumber: (value) => value,
}

interface Comparable {
  readonly value: Encode
  readonly sql?: (column: SQL) => SQL
  /** What `sql` gives where the column holds what cannot be read. Default: the same. */
  readonly ofIllegible?: (stored: unknown) => unknown
}

const comparables: Readonly<Record<string, Comparable>> = {
  // Stored as whole seconds; compared with a moment in between, neither second is that moment.
  SQLiteTimestamp: {
    value: (value, { drizzle }) => (value as Date).getTime() / ((drizzle as { mode?: unknown }).mode === 'timestamp' ? 1000 : 1),
  },
  // Stored as the bytes of its digits, in whose order 9 stands behind 10.
  SQLiteBigInt: { value: (value) => value, sql: (column) => sql`cast(cast(${column} as text) as integer)`, ofIllegible: castToInteger },
}

/** As SQLite takes a text for an integer: the digits that it begins with. */
function castToInteger(stored: unknown): bigint {
  const whole = BigInt(/^\s*([+-]?\d+)/.exec(String(stored))?.[1]?.replace('+', '') ?? 0)
  return whole > largest ? largest : whole < -largest - 1n ? -largest - 1n : whole
}

const largest = 2n ** 63n - 1n

/** SQLite keeps decimals as 64-bit integers or doubles: what fits neither is refused. */
function exactNumber(decimal: string, column: Column): number | bigint {
  const digits = withoutZeros(decimal)
  if (digits.length <= longestNumber) {
    if (String(Number(digits)) === digits) return Number(digits)
    if (!digits.includes('.') && isInt64(BigInt(digits))) return BigInt(digits)
  }
  throw invalid(column.key, 'Has more digits than the column can hold')
}

// A double that is written without an exponent has 17 digits at most, behind six zeros, a point and a sign; a 64-bit integer has fewer.
const longestNumber = 30

/** Without the zeros that say nothing, at either end. */
function withoutZeros(decimal: string): string {
  let end = decimal.length
  if (decimal.includes('.')) {
    while (decimal[end - 1] === '0') end--
    if (decimal[end - 1] === '.') end--
  }
  return decimal
    .slice(0, end)
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^-0$/, '0')
}
