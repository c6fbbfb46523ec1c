import { Column as DrizzleColumn, type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../../base/errors.js'
import type { Column } from '../../../resource/model.js'
import { encode } from '../../value.js'
import type { Codec } from '../dialect.js'
import { comparisonFaults, storageFaults } from './fault.js'

/** How the values of a column go into PostgreSQL, compare there and come out. */
export function codecOf(column: Column, id: number, name: string): Codec {
  const { drizzle } = column
  const inColumn = expressions[drizzle.columnType]?.(drizzle) ?? sql`${drizzle}`
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
  const compare = (value: unknown) => encoded(value, forComparison)
  return {
    id,
    column,
    name,
    nullable: !column.notNull && !column.primary,
    sql: inColumn,
    sortable: inColumn,
    store: (value) => encoded(value, forComparison, forStorage),
    equal: compare,
    compare,
    decode: drizzle.columnType in decoders ? (decoders[drizzle.columnType] ?? null) : decoderOf(drizzle),
  }
}

function listOf(column: Column, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(column.key, 'Must be a list')
  return value
}

type Fault = (value: unknown, column: Column) => string | null

const expressions: Readonly<Record<string, (column: DrizzleColumn) => SQL>> = {
  // A Date has milliseconds: compared with the microseconds of the column, no row would stand where it says that it stands.
  PgTimestamp: (column) =>
    ((column as { precision?: number }).precision ?? 6) > 3 ? sql`date_trunc('milliseconds', ${column})` : sql`${column}`,
  // json, unlike jsonb, compares with nothing.
  PgJson: (column) => sql`${column}::text`,
  // A list of an enum comes as text that nobody has taken apart.
  PgArray: (column) =>
    (column as unknown as { baseColumn: DrizzleColumn }).baseColumn.columnType === 'PgEnumColumn' ? sql`${column}::text[]` : sql`${column}`,
}

// Drizzle reads JSON twice where it is text within, and rounds integers beyond 2^53.
const decoders: Readonly<Record<string, ((value: unknown) => unknown) | null>> = {
  PgJson: (value) => JSON.parse(value as string),
  PgJsonb: null,
  PgBigInt53: integer,
  PgBigSerial53: integer,
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
