import { inNotation } from '../../field/stored-time.js'
import type { Column } from '../../resource/model/model.js'
import type { Bound } from '../../resource/model/value.js'
import type { Order } from '../store.js'

/** Compares two non-null values of a column as a database does: numbers before text before bytes. */
export function compare(column: Column, a: unknown, b: unknown): number {
  const [left, right] = [comparable(column, a), comparable(column, b)]
  if (left === right) return 0
  const byRank = rank(left) - rank(right)
  if (byRank !== 0) return byRank
  if (Buffer.isBuffer(left)) return Buffer.compare(left, right as Buffer)
  if (typeof left === 'string') return compareText(left, right as string)
  return left < (right as number) ? -1 : left > (right as number) ? 1 : 0
}

/** A text that is the same for equal values of a column. */
export function identity(column: Column, value: unknown): string {
  const own = comparable(column, value)
  return Buffer.isBuffer(own) ? `2${own.toString('hex')}` : `${rank(own)}${own}`
}

/** Compares by one step of an order, with nulls last. */
export function compareStep(column: Column, direction: Order['direction'], a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return direction === 'ASC' ? compare(column, a, b) : compare(column, b, a)
}

function comparable(column: Column, value: unknown): Bound {
  switch (column.type) {
    case 'numeric':
      return (value as string).includes('.') ? Number(value) : BigInt(value as string)
    case 'json':
      return JSON.stringify(value)
    case 'boolean':
      return Number(value)
    case 'other':
      return column.drizzle.mapToDriverValue(value) as Bound
    default:
      if (value instanceof Date) return value.getTime()
      // In one form: PostgreSQL hands out times as texts of another one than JSON has.
      return column.type === 'dateTime' && typeof value === 'string' && !column.stored
        ? inNotation('YYYY-MM-DDTHH:MM:SS.SSSSSS', value, true)
        : (value as Bound)
  }
}

function rank(value: Bound): number {
  return typeof value === 'string' ? 1 : Buffer.isBuffer(value) ? 2 : 0
}

// By code points, as UTF-8 sorts: surrogates (above U+FFFF) come after all other units.
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return Number(isHalf(left)) - Number(isHalf(right)) || left - right
  }
  return a.length - b.length
}

const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
