import { firstInstant, lastInstant } from './instant.js'
import { withoutZeros } from './steps.js'

/**
 * How a text column holds instants, in UTC: `YYYY-MM-DD HH:MM:SS` as SQLite's `CURRENT_TIMESTAMP` writes them, or with a `T`, three or six
 * digits of a fraction, and `Z` or `+00:00` at the end.
 */
export type StoredTime = `YYYY-MM-DD${' ' | 'T'}HH:MM:SS${'' | '.SSS' | '.SSSSSS'}${'' | 'Z' | '+00:00'}`

const notation = /^YYYY-MM-DD[ T]HH:MM:SS(?:\.SSS(?:SSS)?)?(?:Z|\+00:00)?$/

/** As SQLite's `CURRENT_TIMESTAMP` and `datetime()` write. */
export const usualStoredTime: StoredTime = 'YYYY-MM-DD HH:MM:SS'

export const isStoredTime = (text: unknown): text is StoredTime => typeof text === 'string' && notation.test(text)

const digits = { 19: 0, 23: 3, 26: 6 } as const

/** How many digits of a second's fraction the notation has. */
export const digitsIn = (stored: StoredTime): 0 | 3 | 6 => digits[stored.replace(/(?:Z|\+00:00)$/, '').length as keyof typeof digits]

// What databases and languages write: without seconds, with any fraction, `UTC`, `+0100`, and the offsets of before 1900, which had seconds.
const legible =
  /^(\d{4}-\d\d-(\d\d))(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?(?:[Zz]|UTC|([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?))?)?$/

interface Instant {
  /** In milliseconds since 1970. */
  readonly time: number
  /** The digits of the second's fraction, without zeros at the end. */
  readonly fraction: string
}

/** The instant that a stored text means, which is in UTC unless it says otherwise; null: none that RFC 3339 can express. */
function instantIn(text: string): Instant | null {
  const parts = legible.exec(text)
  if (!parts) return null
  const [, day, date, clock = '00:00', seconds = '00', fraction = '', sign, hours = 0, minutes = 0, more = 0] = parts
  const local = Date.parse(`${day}T${clock}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  const time = local - (sign === '-' ? -1000 : 1000) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(more))
  if (!(time >= firstInstant && time <= lastInstant)) return null
  // The engine takes February 30 for March 2.
  if (Number(date) > 28 && new Date(local).getUTCDate() !== Number(date) && !clock.startsWith('24')) return null
  return { time, fraction: withoutZeros(fraction) }
}

/** The instant that a stored text means, in milliseconds since 1970; NaN: none that RFC 3339 can express. */
export const timeIn = (text: string): number => instantIn(text)?.time ?? Number.NaN

/** A time to the second, in the notation. */
function secondIn(stored: StoredTime, time: number): string {
  const text = new Date(time).toISOString().slice(0, 19)
  return stored[10] === ' ' ? text.replace('T', ' ') : text
}

/**
 * A time in the notation; any other text as it is.
 *
 * @param cut whether to leave out what the notation has no digits for. Else the text has more of them
 */
export function inNotation(stored: StoredTime, text: string, cut: boolean): string {
  const instant = instantIn(text)
  if (!instant) return text
  const most = digitsIn(stored)
  const fraction = (cut ? instant.fraction.slice(0, most) : instant.fraction).padEnd(most, '0')
  const end = /(?:Z|\+00:00)$/.exec(stored)?.[0] ?? ''
  return `${secondIn(stored, instant.time)}${fraction && `.${fraction}`}${end}`
}

/** A time that is given as a `Date` or a text, in the notation. */
export const storedText = (stored: StoredTime, time: unknown, cut: boolean): string =>
  inNotation(stored, time instanceof Date ? time.toISOString() : String(time), cut)

// Sorts behind digits, Z and +.
const behind = '~'

/**
 * The text that stored texts are compared with, as texts, to compare their times: of the end of a range, for which a time stands for all of
 * its millisecond. It holds whatever number of digits a text has, except among those that end in Z: `40.5Z` sorts before `40Z`.
 */
export function endIn(stored: StoredTime, text: string, by: 'gt' | 'gte' | 'lt' | 'lte'): string {
  const instant = instantIn(text)
  if (!instant) return text
  const { time, fraction } = instant
  const second = secondIn(stored, time)
  const isWhole = stored.endsWith('Z') && digitsIn(stored) === 0
  if (by === 'gt' || by === 'lte') return `${second}${isWhole ? '' : `.${fraction.padEnd(3, '0')}`}${behind}`
  if (fraction === '') return second
  return isWhole ? `${second}${behind}` : `${second}.${fraction}`
}
