import { DaymarkError, invalid } from '../../base/errors.js'
import { isTime } from '../../field/time-text.js'
import { exactNumber } from '../model/exact-number.js'
import type { Column } from '../model/model.js'
import { storeTexts } from '../model/store-texts.js'
import { textFormFaults } from '../model/text-form.js'
import { encode } from '../model/value.js'

/** Why this value cannot be compared with a column; null: it can. */
export function comparedFault(column: Column, value: unknown): string | null {
  try {
    checkCompared(column, value)
    return null
  } catch (thrown) {
    if (thrown instanceof DaymarkError) return thrown.message
    throw thrown
  }
}

/**
 * Refuses a value that cannot be compared with a column, the same way for every store.
 *
 * @throws DaymarkError `invalid`, naming the column
 */
export function checkCompared(column: Column, value: unknown): void {
  if (column.link && value !== null) throw invalid(column.key, 'Lists records: ask with has')
  encode(column, value, (checked) => {
    const fault = comparisonFaults[column.drizzle.columnType]?.(checked, column) ?? null
    if (fault !== null) throw invalid(column.key, fault)
    return column.drizzle.mapToDriverValue(checked)
  })
}

/** What a database would refuse without naming the column: a text for users, or null. */
export const comparisonFaults: Readonly<Record<string, (value: unknown, column: Column) => string | null>> = {
  ...(textFormFaults as Readonly<Record<string, (value: unknown) => string | null>>),
  SQLiteNumeric: (value) => (exactNumber(value as string) === null ? storeTexts.tooFine : null),
  PgUUID: (value) => (uuid.test(value as string) ? null : 'Must be a UUID'),
  PgEnumColumn: (value, { options }) => (options?.includes(value as string) ? null : 'Is not one of the options'),
  PgReal: (value) => realFault(value as number),
  PgDate: (value) => momentFault(value as Date),
  PgDateString: (value) => (isDay(value as string) ? null : 'Must be a date'),
  PgTime: (value) => (isTime(value as string) || value === '24:00:00' ? null : 'Must be a time of day'),
  PgTimestamp: (value) => momentFault(value as Date),
  PgTimestampString: (value) => (yearless.test(value as string) ? years : null),
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function realFault(value: number): string | null {
  const kept = Math.fround(value)
  if (!Number.isFinite(kept)) return 'Is too big'
  return kept === 0 && value !== 0 ? 'Is too small' : null
}

// For other years, Drizzle produces text that PostgreSQL cannot parse.
function momentFault(value: Date): string | null {
  const year = value.getUTCFullYear()
  return year >= 1 && year <= 9999 ? null : years
}

const years = 'Must be in the years 1 to 9999'
// As ISO 8601 writes the years that PostgreSQL writes with BC. Its own texts, as `infinity`, are compared as they are.
const yearless = /^(?:0000|-\d{6})-/

function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
