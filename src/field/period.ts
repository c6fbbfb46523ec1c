import { remembered } from './remembered.js'
import { firstAt, offsetAt } from './zone.js'

/** The periods of time that charts group by, from short to long. A week begins on Monday (ISO 8601). */
export const periods = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const

/** One of those periods. */
export type Period = (typeof periods)[number]

const hour = 3_600_000
const day = 24 * hour

/**
 * When periods begin, in local time read as UTC: the last `count` ones, of which the last is that of `local`, and then the one after it,
 * which ends them.
 */
export function periodStarts(every: Period, count: number, local: number): readonly number[] {
  return Array.from({ length: count + 1 }, (_, index) => startOf(every, local, index + 1 - count))
}

/** The same for the periods of a zone: without those that its clocks skip, which would end as they begin. */
export function startsIn(every: Period, count: number, local: number, time: 'day' | 'instant', timeZone: string): readonly number[] {
  for (let more = 0; ; more++) {
    const all = periodStarts(every, count + more, local)
    const wires = all.map((start) => wireAt(start, time, timeZone))
    const found = all.filter((_, index) => wires[index] !== wires[index + 1])
    if (found.length > count) return found
  }
}

/** When a period begins that is some steps from that of a local time. */
export function startOf(every: Period, local: number, steps: number): number {
  const at = new Date(local)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  switch (every) {
    case 'hour':
      return (Math.floor(local / hour) + steps) * hour
    case 'day':
      return (Math.floor(local / day) + steps) * day
    case 'week':
      return (Math.floor(local / day) - ((at.getUTCDay() + 6) % 7) + 7 * steps) * day
    case 'month':
      return Date.UTC(year, month + steps)
    case 'quarter':
      return Date.UTC(year, month - (month % 3) + 3 * steps)
    case 'year':
      return Date.UTC(year + steps, 0)
  }
}

/** The local time of a zone at an instant, read as UTC. */
export function localAt(instant: number, timeZone: string): number {
  return instant + offsetAt(instant, timeZone)
}

/** A local time as a value in JSON: as a day, or as its first instant in the zone. */
export function wireAt(local: number, time: 'day' | 'instant', timeZone: string): string {
  return time === 'day' ? new Date(local).toISOString().slice(0, 10) : new Date(firstAt(local, timeZone)).toISOString()
}

/** What people call a period: `January 2026`. Null for a quarter, which no format of a locale writes. */
export function periodWords(every: Period, start: number, locale: string): string | null {
  if (every === 'week') return format(locale, 'day').formatRange(start, start + 6 * day)
  return every === 'quarter' ? null : format(locale, every).format(start)
}

/**
 * The same for an axis, as short as possible.
 *
 * @param names what a month is called by: its own name, that of its year, as each January is, or both
 */
export function periodShort(every: Period, start: number, locale: string, names: 'month' | 'year' | 'both'): string | null {
  const months = { month: 'shortMonth', year: 'year', both: 'wholeMonth' } as const
  const short = { hour: 'shortHour', day: 'shortDay', week: 'shortDay', month: months[names], year: 'year' } as const
  return every === 'quarter' ? null : format(locale, short[every]).format(start)
}

const styles = {
  hour: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
  shortHour: { hour: 'numeric', minute: '2-digit' },
  shortDay: { day: 'numeric', month: 'short' },
  shortMonth: { month: 'short' },
  wholeMonth: { month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = remembered((locale: string) =>
  remembered((style: keyof typeof styles) => new Intl.DateTimeFormat(byMonths(locale), { ...styles[style], timeZone: 'UTC' })),
)

// Months and years begin as in ISO 8601, or years are only counted from another one.
const likeIso = ['gregory', 'iso8601', 'buddhist', 'japanese', 'roc']

/** A locale whose months are those of ISO 8601: in another calendar, a month would be called by one of which it has but a part. */
export function byMonths(locale: string): string {
  const { calendar } = new Intl.DateTimeFormat(locale).resolvedOptions()
  return likeIso.includes(calendar) ? locale : new Intl.Locale(locale, { calendar: 'gregory' }).toString()
}

function format(locale: string, style: keyof typeof styles): Intl.DateTimeFormat {
  return formats(locale)(style)
}
