import { endIn, storedText } from '../../field/stored-time.js'
import type { Column } from '../../resource/model/model.js'
import { encode, encodeTime } from '../../resource/model/value.js'

/**
 * A value as this store keeps it: checked like a driver's, and copied, so that callers cannot change it.
 *
 * @throws DaymarkError `invalid`, naming the column
 */
export function kept(column: Column, value: unknown): unknown {
  if (column.stored) encode(column, value, (time) => String(time))
  else encode(column, value)
  if (value === 0) return 0 // also for -0, like SQLite
  if (typeof value === 'bigint')
    return column.type === 'integer' && BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (column.stored && value !== null) return encodeTime(column, column.stored, value)
  if (value instanceof Date && (column.drizzle as { mode?: unknown }).mode === 'timestamp')
    return new Date(Math.floor(value.getTime() / 1000) * 1000)
  return copy(value)
}

/** A value as the others of its column are compared with by an operator. */
export function asked({ stored }: Column, value: unknown, by: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'): unknown {
  if (!stored || value === null) return value
  if (by === 'eq' || by === 'ne') return typeof value === 'string' ? value : storedText(stored, value, true)
  return endIn(stored, storedText(stored, value, false), by)
}

export function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return value instanceof Uint8Array ? Buffer.from(value) : structuredClone(value)
}
