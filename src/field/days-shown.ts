import { startOf } from './period.js'
import { dayAt, dayText } from './span.js'

/** The days that a calendar shows at once: those of the weeks of a month, or of one week. Days are in local time read as UTC. */
export interface DaysShown {
  readonly by: 'month' | 'week'
  /** The first day of the month or week, and the first after it. */
  readonly start: number
  readonly until: number
  /** Whole weeks, which begin as the locale has it. */
  readonly days: readonly number[]
  /** The texts of the months or weeks before and after; null: there is none that dates can name. */
  readonly previous: string | null
  readonly next: string | null
}

const day = 86_400_000

/** What the text of a month matches. Its weeks then lie within years of four digits, in any time zone. */
export const monthPattern = /^[1-8]\d{3}-(?:0[1-9]|1[0-2])$/

/** What the text of a week matches: that of a day in it. */
export const weekPattern = /^[1-8]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** Whether a text is a month: `2026-11`. */
export const isMonth = (text: string): boolean => monthPattern.test(text)

/** Whether a text is a day, as the name of its week: `2026-11-28`. */
export const isWeek = (text: string): boolean => weekPattern.test(text) && dayAt(text) !== null

/** The texts of the month and of the week of a day. */
export const textOf = { month: (local: number): string => dayText(local).slice(0, 7), week: dayText } as const

/** The days of the month or week that a text names: `2026-11`, `2026-11-28`. */
export function daysShown(by: DaysShown['by'], text: string, locale: string): DaysShown {
  return by === 'month' ? monthOf(Date.parse(`${text}-01`), locale) : weekOf(Date.parse(text), locale)
}

/** The day whose month or week is shown in place of these: today, if it is among them. A week is of the month of most of its days. */
export function dayFor({ by, start, until }: DaysShown, today: number): number {
  if (today >= start && today < until) return today
  return by === 'week' ? start + 3 * day : start
}

function monthOf(start: number, locale: string): DaysShown {
  const until = startOf('month', start, 1)
  const first = weekStart(start, locale)
  const weeks = Math.ceil((until - first) / (7 * day))
  const near = (steps: number) => [textOf.month(startOf('month', start, steps))].find(isMonth) ?? null
  return { by: 'month', start, until, days: daysFrom(first, weeks * 7), previous: near(-1), next: near(1) }
}

function weekOf(local: number, locale: string): DaysShown {
  const start = weekStart(local, locale)
  const near = (steps: number) => [textOf.week(start + steps * 7 * day)].find(isWeek) ?? null
  return { by: 'week', start, until: start + 7 * day, days: daysFrom(start, 7), previous: near(-1), next: near(1) }
}

const daysFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index * day)

/** The first day of the week of a day. */
function weekStart(local: number, locale: string): number {
  // From Monday, as 0.
  const weekday = (Math.floor(local / day) + 3) % 7
  return local - ((weekday - (firstWeekday(locale) - 1) + 7) % 7) * day
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
