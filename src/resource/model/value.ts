import { DaymarkError, invalid } from '../../base/errors.js'
import type { ColumnType } from '../../field/field.js'
import { type StoredTime, storedText, timeIn } from '../../field/stored-time.js'
import type { Column } from './model.js'
import { storeTexts } from './store-texts.js'

/** The values that every driver accepts unchanged. */
export type Bound = string | number | bigint | Buffer

/**
 * Encodes a column's value for the driver. It refuses a value of another type, and anything that a driver would change, cut or fail on.
 *
 * @throws DaymarkError `invalid`, naming the column
 */
export function encode(column: Column, value: unknown, by?: (checked: unknown) => unknown): Bound | null {
  if (value === null) return null
  try {
    const fault = faults[column.type](value, column)
    if (fault !== null) throw invalid(column.key, fault)
    return checkBound(column, by ? by(value) : column.drizzle.mapToDriverValue(value))
  } catch (cause) {
    if (cause instanceof DaymarkError) throw cause
    throw new DaymarkError('invalid', 'Cannot be stored', { errors: [[column.key, ['Cannot be stored']]], cause })
  }
}

/**
 * A time as its text column stores it. Reading would show a text that is none as empty.
 *
 * @throws DaymarkError `invalid`, naming the column
 */
export function encodeTime(column: Column, stored: StoredTime, value: unknown): string {
  const text = storedText(stored, value, true)
  if (Number.isNaN(timeIn(text))) throw invalid(column.key, storeTexts.notTime)
  return text
}

/**
 * Refuses text that cannot be searched for in a column.
 *
 * @throws DaymarkError `invalid`, naming the column
 */
export function checkSearch(column: Column, text: string): void {
  if (column.type !== 'text' && column.type !== 'uuid' && column.type !== 'other') throw invalid(column.key, 'Holds no text to search')
  const fault = typeof text === 'string' ? textFault(text) : storeTexts.notText
  if (fault !== null) throw invalid(column.key, fault)
}

/**
 * Refuses a value that cannot be an item of a list in a column.
 *
 * @throws DaymarkError `invalid`, naming the column
 */
export function checkListed(column: Column, value: unknown): asserts value is string | number {
  if (column.type !== 'json') throw invalid(column.key, 'Holds no list')
  if (typeof value !== 'string' && !Number.isFinite(value)) throw invalid(column.key, 'Must be text or a number')
  const fault = typeof value === 'string' ? textFault(value) : null
  if (fault !== null) throw invalid(column.key, fault)
}

/** What is wrong with a text, or null: databases cut it at a NUL and cannot encode half a surrogate pair. */
function textFault(text: string): string | null {
  if (text.includes('\0')) return 'May not hold the character NUL'
  return text.isWellFormed() ? null : 'Is not well-formed text'
}

export const isInt64 = (value: bigint) => BigInt.asIntN(64, value) === value

/** Whether a value has the type of its column. In SQLite, stored values need not. */
export function isOfType(column: Column, value: unknown): boolean {
  return faults[column.type](value, column) === null
}

/**
 * Checks an encoded value: some drivers cut or round anything else, or abort the process.
 *
 * @throws DaymarkError `invalid`, naming the column
 */
export function checkBound(column: Column, bound: unknown): Bound | null {
  switch (typeof bound) {
    case 'string': {
      const fault = textFault(bound)
      if (fault !== null) throw invalid(column.key, fault)
      return bound
    }
    case 'number':
      if (Number.isFinite(bound)) return bound
      break
    case 'bigint':
      if (isInt64(bound)) return bound
      break
    case 'boolean':
      return bound ? 1 : 0
    case 'object':
      if (bound === null || Buffer.isBuffer(bound)) return bound
      if (bound instanceof Uint8Array) return Buffer.from(bound.buffer, bound.byteOffset, bound.byteLength)
  }
  throw invalid(column.key, 'Cannot be stored')
}

const faults: Readonly<Record<ColumnType, (value: unknown, column: Column) => string | null>> = {
  integer(value, { range }) {
    if (typeof value === 'bigint' && range === null) return isInt64(value) ? null : 'Is too big'
    if (!Number.isSafeInteger(value)) return storeTexts.notInteger
    return range !== null && ((value as number) < range[0] || (value as number) > range[1]) ? 'Is too big' : null
  },
  bigint: (value) => (typeof value !== 'bigint' ? storeTexts.notInteger : isInt64(value) ? null : 'Is too big'),
  real: (value) => (Number.isFinite(value) ? null : storeTexts.notNumber),
  numeric: (value) => (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? null : 'Must be a number, written as text'),
  text: (value) => (typeof value === 'string' ? textFault(value) : storeTexts.notText),
  uuid: (value) => (typeof value === 'string' ? textFault(value) : storeTexts.notText),
  boolean: (value) => (typeof value === 'boolean' ? null : storeTexts.notBoolean),
  date: dateFault,
  dateTime: dateFault,
  time: (value) => (typeof value === 'string' ? textFault(value) : storeTexts.notText),
  json: (value) => (isJson(value) ? null : storeTexts.notJson),
  bytes: (value) => (value instanceof Uint8Array ? null : 'Must be bytes'),
  other: () => null,
}

// Accepts text, too, for columns with `mode: 'string'`; Drizzle's own encoding fails on the wrong one of the two.
function dateFault(value: unknown): string | null {
  if (typeof value === 'string') return textFault(value)
  return value instanceof Date && !Number.isNaN(value.getTime()) ? null : 'Must be a date'
}

function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object': {
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isJson)
      const prototype = Object.getPrototypeOf(value)
      return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson)
    }
    default:
      return false
  }
}
