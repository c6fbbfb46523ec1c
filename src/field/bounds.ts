import type { BoundColumn } from './field.js'
import { inFull, timePattern } from './time-text.js'

/** What `min` and `max` of a field state. */
interface Bounds<V> {
  readonly min?: V
  readonly max?: V
}

/** Why no text can have such a length; null: one can. */
export function lengthFault({ min, max }: Bounds<number>, { maxLength }: BoundColumn): string | null {
  if (min !== undefined && !isCount(min)) return `min(${min}) is not a number of characters`
  if (max !== undefined && (!isCount(max) || max === 0)) return `max(${max}) is not a number of characters of at least 1`
  return apart(min, max) ?? (maxLength === null ? null : apart(min, maxLength, 'where the column takes'))
}

/** Why no number can lie between these bounds; null: one can. */
export function rangeFault({ min, max }: Bounds<number>, { type, range }: BoundColumn): string | null {
  for (const [name, bound] of Object.entries({ min, max }))
    if (bound !== undefined && Number.isNaN(bound)) return `${name}(NaN) is not a number`
  if (apart(min, max)) return apart(min, max)
  if (range && (apart(min, range[1]) || apart(range[0], max)))
    return `the column takes ${range[0]} to ${range[1]}, and none of these may be given`
  const isWhole = type === 'integer' || type === 'bigint'
  if (!isWhole || min === undefined || max === undefined || Math.ceil(min) <= max) return null
  return `there is no whole number from ${min} to ${max}`
}

const isDay = (day: string) => !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && /^\d{4}-\d\d-\d\d$/.test(day)

/** Why no day can lie between these bounds; null: one can. */
export function dayFault({ min, max }: Bounds<string>): string | null {
  for (const [name, day] of Object.entries({ min, max }))
    if (day !== undefined && !isDay(day)) return `${name}('${day}') is not a day: write YYYY-MM-DD`
  return apart(min, max)
}

/** Why no time of day can lie between these bounds; null: one can. */
export function timeFault({ min, max }: Bounds<string>): string | null {
  for (const [name, time] of Object.entries({ min, max }))
    if (time !== undefined && !timePattern.test(time)) return `${name}('${time}') is not a time of day: write HH:MM or HH:MM:SS`
  return apart(min && inFull(min), max && inFull(max))
}

function apart<V extends number | string>(min: V | undefined, max: V | undefined, most = 'and at most'): string | null {
  return min !== undefined && max !== undefined && min > max ? `no value can be at least ${min} ${most} ${max}` : null
}

/** Why a setting cannot be how many there may be at most; null: it can, or is not there. */
export function mostFault(name: string, most: number | undefined): string | null {
  return most === undefined || (isCount(most) && most > 0) ? null : `.${name}() takes a whole number of at least 1`
}

const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0
