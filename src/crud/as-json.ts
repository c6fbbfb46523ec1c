import { isLater } from '../base/later.js'
import type { Json } from '../field/field.js'

/**
 * What code of the user's own made of records, as JSON has it: what a lookup did not find, a time that is none and a number that is none are nothing.
 *
 * @param of what made it, for who looks for the mistake
 * @throws TypeError for what comes later
 */
export function asJson(value: unknown, of: string): Json {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return null
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (isLater(value)) throw new TypeError(`${of} must answer at once`)
  return value as Json
}
