import { isLater } from '../../base/later.js'
import type { Json } from '../../field/field.js'

/**
 * Turns what user code returned into JSON. A missing value, an invalid date and a number that is not finite become null.
 *
 * @param of who made it, for the error message
 * @throws TypeError for a promise
 */
export function asJson(value: unknown, of: string): Json {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return null
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (isLater(value)) throw new TypeError(`${of} must answer at once`)
  return value as Json
}
