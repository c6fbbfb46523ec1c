import type { Zone } from './field.js'
import { remembered, rememberedText } from './remembered.js'

/** How many zones are cached. Users choose theirs freely, in any letter case, so there may be more. */
export const mostZones = 200

/** The time zones that a form offers: the canonical names that this Node.js knows. Listing them for the first time takes some 40 ms: not at the start. */
export function timeZones(): readonly string[] {
  zones ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  return zones
}

let zones: readonly string[] | undefined

/** Whether a text names a time zone: `Europe/Berlin`, `UTC`. */
export const isTimeZone = rememberedText((text) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return false
  }
})

const clock = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      // Not 'iso8601', for which newer versions of ICU use Julian dates before October 1582.
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
  mostZones,
)

const day = 86_400_000
// Short enough that no zone changes its clocks twice within: the shortest time between two changes is 95 hours.
const span = 3 * day
// 10,000 spans are eighty years.
const ofSpans = remembered((timeZone: string) => remembered((number: number) => steadyOffset(number * span, timeZone), 10_000), mostZones)

// The limit of `Date`, in either direction.
const farthest = 8.64e15

/** The offset of a zone from UTC at an instant, in milliseconds. */
export function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  return ofSpans(timeZone)(Math.floor(instant / span)) ?? measured(instant, timeZone)
}

/** The offset throughout a span; null if the clocks change in it. */
function steadyOffset(start: number, timeZone: string): number | null {
  const offset = measured(Math.max(start, -farthest), timeZone)
  return measured(Math.min(start + span, farthest), timeZone) === offset ? offset : null
}

function measured(instant: number, timeZone: string): number {
  const part: Record<string, number> = {}
  let before = false
  for (const { type, value } of clock(timeZone).formatToParts(instant)) {
    if (type === 'era') before = /^B/.test(value)
    else part[type] = Number(value)
  }
  const shown = new Date(0)
  shown.setUTCFullYear(before ? 1 - (part.year as number) : (part.year as number), (part.month as number) - 1, part.day)
  shown.setUTCHours(part.hour as number, part.minute, part.second)
  return shown.getTime() - Math.floor(instant / 1000) * 1000
}

/**
 * The instants at which the clocks of a zone show a local time, in order: none (skipped), one, or two (repeated). `local` is that time read
 * as UTC.
 */
export function instantsOf(local: number, timeZone: string): readonly number[] {
  // Clocks change by less than a day, so only the offsets of a day before and a day after can apply.
  const offsets = new Set([offsetAt(local - day, timeZone), offsetAt(local + day, timeZone)])
  return [...offsets]
    .map((offset) => local - offset)
    .filter((instant) => instant + offsetAt(instant, timeZone) === local)
    .sort((a, b) => a - b)
}

/** The instants on both sides of a skipped local time: the clocks show the time minus the gap, and plus the gap. */
export function aroundGap(local: number, timeZone: string): readonly [before: number, after: number] {
  const [early, late] = [offsetAt(local - day, timeZone), offsetAt(local + day, timeZone)]
  return [local - Math.max(early, late), local - Math.min(early, late)]
}

/** The first instant at which the clocks of a zone show a local time or, if they skip it, a later one. */
export function firstAt(local: number, timeZone: string): number {
  const [first] = instantsOf(local, timeZone)
  if (first !== undefined) return first
  let [before, after] = aroundGap(local, timeZone)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (middle + offsetAt(middle, timeZone) < local) before = middle
    else after = middle
  }
  return after
}

/** An instant in a zone's local time, without zeros at the end: `2026-11-21T17:30:05.12`, `2026-11-21T17:30`. */
export function localText(instant: number, timeZone: string): string {
  const text = new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, -1)
  return text.replace(/(?::00)?\.000$/, '').replace(/(\.\d*?)0+$/, '$1')
}

/**
 * The same with its offset, so that it is unambiguous even when the clocks repeat an hour: `2026-10-25T02:30+01:00`. In UTC if RFC 3339
 * cannot write the offset or the local year: `9999-12-31T23:59Z`.
 */
export function offsetText(instant: number, timeZone: string): string {
  const minutes = offsetAt(instant, timeZone) / 60_000
  if (!Number.isInteger(minutes) || !hasYear(localText(instant, timeZone))) return `${localText(instant, 'UTC')}Z`
  const [sign, size] = [minutes < 0 ? '-' : '+', Math.abs(minutes)]
  const two = (n: number) => String(n).padStart(2, '0')
  return `${localText(instant, timeZone)}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** Whether the year of a local time has four digits: on the last evening of 9999, some zones are already in the year 10000. */
export function hasYear(local: string): boolean {
  return /^\d{4}-/.test(local)
}

/** The settings for values in URLs: numbers are in program notation in every locale, since pages and JSON share their URLs. */
export function inAddress({ timeZone }: Zone): Zone {
  return { timeZone }
}
