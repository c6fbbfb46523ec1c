import { localAt, type Period, periods, startOf, wireAt } from './period.js'
import { remembered } from './remembered.js'
import { type Within, withins } from './within.js'

/** Several days, by the days of whoever asks: when they begin and end, in local time read as UTC. The end is no longer part of them. */
export interface Span {
  readonly from: number
  readonly until: number
  /** The ready period that they are; null: they were named by their days. */
  readonly name: Within | null
}

const day = 86_400_000

/** The days of a ready period. */
export function spanOf(name: Within, timeZone: string, now = Date.now()): Span {
  const [every, from, until] = withins[name]
  const local = localAt(now, timeZone)
  return { from: startOf(every, local, from), until: startOf(every, local, until), name }
}

/** As many days right before, or, of a ready week, month, quarter or year, the one before: a month before March is February. */
export function spanBefore({ from, until, name }: Span): Span {
  const every = name === null ? 'day' : withins[name][0]
  return { from: every === 'day' ? from - (until - from) : startOf(every, from, -1), until: from, name: null }
}

// No time zone then reaches a year that has not four digits.
const [first, last] = [Date.parse('0001-01-03'), Date.parse('9999-12-29')]

/** When a day begins, in local time read as UTC; null: this text is no day. */
export function dayAt(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return at >= first && at <= last && dayText(at) === text ? at : null
}

/** The text of a day: `2026-11-27`. */
export const dayText = (local: number): string => new Date(local).toISOString().slice(0, 10)

/** The last day. */
export const lastDay = ({ until }: Pick<Span, 'until'>): number => until - day

/** The days from one to another, which is one of them. */
export const spanFrom = (from: number, to: number): Span => ({ from, until: to + day, name: null })

/** Whether days are before all that there are, as those before the first ones. */
export const isNever = ({ from }: Span): boolean => from < first

/** The first value of days in JSON, and the first after them: days, or instants of days in the zone. */
export function endsOfSpan({ from, until }: Span, time: 'day' | 'instant', timeZone: string): readonly [from: string, until: string] {
  return [wireAt(from, time, timeZone), wireAt(until, time, timeZone)]
}

/** The days in words: `Oct 29 – Nov 27, 2026`. */
export function daysWords(span: Pick<Span, 'from' | 'until'>, locale: string): string {
  return format(locale).formatRange(span.from, lastDay(span))
}

const format = remembered((locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))

// How many of a period are as many as people read, and as a chart can have.
const readable: { readonly [P in Period]: number } = { hour: 48, day: 93, week: 0, month: 48, quarter: 40, year: Number.POSITIVE_INFINITY }
const most = 366
const lengths: { readonly [P in Period]: number } = {
  hour: day / 24,
  day,
  week: 7 * day,
  month: 28 * day,
  quarter: 90 * day,
  year: 365 * day,
}

/** The period that divides some days into groups: the shortest of which there are not too many, unless it is said which. */
export function periodIn({ from, until }: Span, every: Period | null, time: 'day' | 'instant'): Period {
  const fits = (one: Period) => (until - from) / lengths[one] <= (every === null ? readable[one] : most - 2)
  const all = periods.slice(every === null ? (time === 'day' ? 1 : 0) : periods.indexOf(every))
  return all.find(fits) ?? 'year'
}

/** When the periods begin of which some days are, and then the one after the last: without those that the clocks of a zone skip. */
export function startsWithin(every: Period, { from, until }: Span, time: 'day' | 'instant', timeZone: string): readonly number[] {
  const starts = [startOf(every, from, 0)]
  while ((starts.at(-1) as number) < until) starts.push(startOf(every, from, starts.length))
  const wires = starts.map((start) => wireAt(Math.min(Math.max(start, from), until), time, timeZone))
  return starts.filter((_, index) => wires[index] !== wires[index + 1])
}
