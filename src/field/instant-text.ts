import { offsetAt } from './zone.js'

const day = 86_400_000
// The years that RFC 3339 can express. Beyond them some calendars are irregular.
const [earliest, latest] = [Date.parse('0001-01-01'), Date.parse('9999-12-31')]

/** The text around the minutes and the seconds of an hour. */
type Hour = readonly string[]

/**
 * The text around the time on a day without a clock change, and the hours seen so far. Days on which the zone has the same name share
 * these.
 */
interface Day {
  readonly before: string
  readonly after: string
  readonly hours: (Hour | null | undefined)[]
}

// Days per format: eleven years, less than a megabyte.
const most = 4000
const ofTime = new Set(['hour', 'minute', 'second', 'dayPeriod', 'timeZoneName'])

/**
 * Formats instants as `Intl.DateTimeFormat` does, in an eighth of the time: it combines the cached text of the day and of the hour. It
 * falls back to `Intl.DateTimeFormat` if the clocks change that day, or if the language mixes day and time.
 */
export function instantText(
  locale: string,
  styles: Intl.DateTimeFormatOptions & { readonly timeZone: string },
): (instant: number) => string {
  const format = new Intl.DateTimeFormat(locale, styles)
  const { numberingSystem } = format.resolvedOptions()
  const number = new Intl.NumberFormat(locale, { numberingSystem, minimumIntegerDigits: 2 })
  const two = Array.from({ length: 60 }, (_, i) => number.format(i))
  const zones = new Map<string, Day['hours']>()
  const days = new Map<number, Day | null>()
  let once = new Set<number>()
  return (instant) => {
    if (instant < earliest || instant > latest) return format.format(instant)
    const offset = offsetAt(instant, styles.timeZone)
    const midnight = Math.floor((instant + offset) / day) * day - offset
    let known = days.get(midnight)
    if (known === undefined && isWorth(midnight)) {
      known = dayFrom(midnight)
      days.set(midnight, known)
    }
    if (!known) return format.format(instant)
    const seconds = Math.floor((instant - midnight) / 1000)
    const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    let around = known.hours[hour]
    if (around === undefined) around = known.hours[hour] = hourOf(format, midnight + hour * 3_600_000 + 62_000, two)
    if (around === null) return format.format(instant)
    const time = around.length === 2 ? around[1] : `${around[1]}${two[second]}${around[2]}`
    return `${known.before}${around[0]}${two[minute]}${time}${known.after}`
  }

  /**
   * Analysing a day costs as much as formatting twenty instants, so a day is cached only when it comes up a second time, and no further one
   * once the cache is full.
   */
  function isWorth(midnight: number): boolean {
    if (days.size === most) return false
    if (once.delete(midnight)) return true
    // A new set instead of `clear()`: see `Line`.
    if (once.size === most) once = new Set()
    once.add(midnight)
    return false
  }

  /** Null for a day on which the clocks change. */
  function dayFrom(midnight: number): Day | null {
    const end = midnight + day - 1
    if (offsetAt(midnight, styles.timeZone) !== offsetAt(end, styles.timeZone)) return null
    const [first, last] = [aroundTime(format, midnight), aroundTime(format, end)]
    if (first === null || last === null || first.join('\0') !== last.join('\0')) return null
    const [before, after, zone] = first
    const hours = zones.get(zone) ?? []
    zones.set(zone, hours)
    return { before, after, hours }
  }
}

/** The text before and after the time of an instant, and the name of the zone. */
function aroundTime(format: Intl.DateTimeFormat, instant: number): readonly [before: string, after: string, zone: string] | null {
  const found = partsOf(format, instant)
  return found && [joined(found.before), joined(found.after), found.time.find(({ type }) => type === 'timeZoneName')?.value ?? '']
}

/** Analyses an hour by its instant at 01:02; null unless minute and second are written as two digits each, the minute first. */
function hourOf(format: Intl.DateTimeFormat, instant: number, [, ...due]: string[]): Hour | null {
  const around = ['']
  for (const { type, value } of partsOf(format, instant)?.time ?? []) {
    if (type !== 'minute' && type !== 'second') around[around.length - 1] += value
    else if (value === due.shift()) around.push('')
    else return null
  }
  return around.length > 1 ? around : null
}

/** Null if the parts of the time are not contiguous. */
function partsOf(format: Intl.DateTimeFormat, instant: number) {
  const parts = partsWritten(format, instant)
  const isTime = ({ type }: Intl.DateTimeFormatPart) => ofTime.has(type)
  const [from, to] = [parts.findIndex(isTime), parts.findLastIndex(isTime) + 1]
  const [before, time, after] = [parts.slice(0, from), parts.slice(from, to), parts.slice(to)]
  return time.length > 0 && time.every((part) => isTime(part) || part.type === 'literal') ? { before, time, after } : null
}

/**
 * The parts that `format` writes; empty if they don't match its text. `format()` of V8 replaces narrow spaces by plain ones,
 * `formatToParts()` does not.
 */
function partsWritten(format: Intl.DateTimeFormat, instant: number): readonly Intl.DateTimeFormatPart[] {
  const whole = format.format(instant)
  const parts = format.formatToParts(instant)
  const plain = parts.map(({ type, value }) => ({ type, value: value.replaceAll('\u202f', ' ') }))
  return [parts, plain].find((some) => joined(some) === whole) ?? []
}

function joined(parts: readonly Intl.DateTimeFormatPart[]): string {
  return parts.map(({ value }) => value).join('')
}
