import { isLonger } from '../../../base/characters.js'
import type { Column } from '../../../resource/model/model.js'
import { storeTexts } from '../../../resource/model/store-texts.js'

type Faults = Readonly<Record<string, (value: unknown, column: Column) => string | null>>

/** Values that PostgreSQL would truncate, round or refuse. */
export const storageFaults: Faults = {
  PgVarchar: lengthFault,
  PgChar: lengthFault,
  PgReal: (value) => (readBack(value as number) === value || value === 0 ? null : storeTexts.tooFine),
  PgNumeric: digitsFault,
  PgNumericNumber: digitsFault,
  PgNumericBigInt: digitsFault,
  PgJsonb: (value) => (isJsonb(value) ? null : 'May not hold the character NUL, or half a character'),
}

/** What PostgreSQL returns for a four-byte float: the shortest decimal that identifies it. */
function readBack(value: number): number {
  const kept = Math.fround(value)
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(kept.toPrecision(digits))
    if (Math.fround(short) === kept) return short
  }
  return Number(kept.toPrecision(9))
}

function lengthFault(value: unknown, { maxLength }: Column): string | null {
  return maxLength !== null && isLonger(value as string, maxLength) ? `May have at most ${maxLength} characters` : null
}

function digitsFault(value: unknown, { drizzle }: Column): string | null {
  const { precision, scale = 0 } = drizzle as { precision?: number; scale?: number }
  const [, whole = '', fraction = ''] = /^-?0*(\d*)(?:\.(\d*[1-9])?0*)?$/.exec(String(value)) ?? []
  const [mostWhole, mostFraction] = precision === undefined ? [131_072, 16_383] : [precision - scale, scale]
  return whole.length > mostWhole || fraction.length > mostFraction ? storeTexts.tooFine : null
}

function isJsonb(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, one]) => isJsonb(key) && isJsonb(one))
}
