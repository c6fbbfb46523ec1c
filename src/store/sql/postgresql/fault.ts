import type { Column } from '../../../resource/model.js'

type Faults = Readonly<Record<string, (value: unknown, column: Column) => string | null>>

/** What PostgreSQL would refuse to read, without saying of which column: a text for people, or null. */
export const comparisonFaults: Faults = {
  PgUUID: (value) => (uuid.test(value as string) ? null : 'Must be a UUID'),
  PgEnumColumn: (value, { options }) => (options?.includes(value as string) ? null : 'Is not one of the options'),
  PgReal: (value) => realFault(value as number),
  PgDate: (value) => momentFault(value as Date),
  PgDateString: (value) => (isDay(value as string) ? null : 'Must be a date'),
  PgTimestamp: (value) => momentFault(value as Date),
}

/** What PostgreSQL would cut, round, or refuse to keep. */
export const storageFaults: Faults = {
  PgVarchar: lengthFault,
  PgChar: lengthFault,
  PgNumeric: digitsFault,
  PgNumericNumber: digitsFault,
  PgNumericBigInt: digitsFault,
  PgJsonb: (value) => (isJsonb(value) ? null : 'May not hold the character NUL, or half a character'),
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function realFault(value: number): string | null {
  const kept = Math.fround(value)
  if (!Number.isFinite(kept)) return 'Is too big'
  return kept === 0 && value !== 0 ? 'Is too small' : null
}

// Drizzle writes other years in a way that PostgreSQL doesn't read.
function momentFault(value: Date): string | null {
  const year = value.getUTCFullYear()
  return year >= 1 && year <= 9999 ? null : 'Must be in the years 1 to 9999'
}

function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function lengthFault(value: unknown, { maxLength }: Column): string | null {
  return maxLength !== null && [...(value as string)].length > maxLength ? `May have at most ${maxLength} characters` : null
}

function digitsFault(value: unknown, { drizzle }: Column): string | null {
  const { precision, scale = 0 } = drizzle as { precision?: number; scale?: number }
  const [, whole = '', fraction = ''] = /^-?0*(\d*)(?:\.(\d*[1-9])?0*)?$/.exec(String(value)) ?? []
  const [mostWhole, mostFraction] = precision === undefined ? [131_072, 16_383] : [precision - scale, scale]
  return whole.length > mostWhole || fraction.length > mostFraction ? 'Has more digits than the column can hold' : null
}

function isJsonb(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, one]) => isJsonb(key) && isJsonb(one))
}
