import { startOf } from './period.js'
import { dayText } from './span.js'

/** A month as a calendar shows it. Days are in local time read as UTC. */
export interface Month {
  /** Its text: `2026-11`. */
  readonly text: string
  /** Its first day. */
  readonly start: number
  /** The first day of the next one. */
  readonly until: number
  /** The days of whole weeks around it. */
  readonly days: readonly number[]
  /** The months before and after it; null: there is none that dates can name. */
  readonly previous: string | null
  readonly next: string | null
}

const day = 86_400_000

/** What the text of a month matches. Its weeks then lie within years of four digits, in any time zone. */
export const monthPattern = /^[1-8]\d{3}-(?:0[1-9]|1[0-2])$/

/** Whether a text is a month: `2026-11`. */
export function isMonth(text: string): boolean {
  return monthPattern.test(text)
}

/** The text of the month of a day. */
export const monthText = (local: number): string => dayText(local).slice(0, 7)

/** A month with the days of its weeks, which begin as a locale has it. */
export function monthOf(text: string, locale: string): Month {
  const start = Date.parse(`${text}-01`)
  const until = startOf('month', start, 1)
  // From Monday, as 0.
  const weekday = (local: number) => (Math.floor(local / day) + 3) % 7
  const before = (weekday(start) - (firstWeekday(locale) - 1) + 7) % 7
  const weeks = Math.ceil((before + (until - start) / day) / 7)
  const near = (steps: number) => [monthText(startOf('month', start, steps))].find(isMonth) ?? null
  return {
    text,
    start,
    until,
    days: Array.from({ length: weeks * 7 }, (_, index) => start + (index - before) * day),
    previous: near(-1),
    next: near(1),
  }
}

/** With which day a week begins, from Monday as 1 to Sunday as 7. */
function firstWeekday(locale: string): number {
  // Browsers and Node moved it from a property to a method.
  const one = new Intl.Locale(locale) as Intl.Locale & { weekInfo?: Week; getWeekInfo?(): Week }
  return (one.getWeekInfo?.() ?? one.weekInfo)?.firstDay ?? 1
}

interface Week {
  readonly firstDay: number
}
