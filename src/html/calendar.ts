import type { Html } from '../base/html.js'
import { numberText } from '../base/number.js'
import type { CalendarDay, DrawnCalendar } from '../crud/outcome.js'
import type { Around } from '../face/face.js'
import { legible } from '../field/illegible.js'
import { instantText } from '../field/instant-text.js'
import { byMonths, periodWords } from '../field/period.js'
import { remembered } from '../field/remembered.js'
import type { Row } from '../store/store.js'
import type { AnyList } from './any-list.js'
import { calendar, type DayView, type EntryView } from './components/calendar.js'
import type { DrawnRecord } from './drawn-record.js'
import { listUrl } from './list-url.js'
import { labelOf, viewUrl } from './view-switch.js'

// What a day has room for; with one more, a line says how many there are.
const entries = 4

/** A list as a calendar. */
export function calendarOf(list: AnyList, drawn: DrawnCalendar, record: (row: Row) => DrawnRecord, at: Around): Html {
  const { view, field, month, days, shownUntil } = drawn
  const { t, locale, timeZone } = at.realm
  const { kind } = field
  const words = formats(locale)
  const timeText = kind.time === 'instant' ? instantText(locale, { timeStyle: 'short', timeZone }) : null
  const entryOf = (row: Row): EntryView => {
    const { key, label, href, facts } = record(row)
    const wire = kind.wire(legible(row[list.lens.at.get(field.key) as number]), field)
    return { key, label, href, time: timeText?.(Date.parse(String(wire))) ?? null, facts: facts.map(({ value }) => value) }
  }
  const dayOf = (one: CalendarDay): DayView => {
    const local = Date.parse(one.day)
    const shown = one.rows.length > entries ? one.rows.slice(0, entries - 1) : one.rows
    return {
      day: one.day,
      number: words.number.format(local),
      words: words.whole.format(local),
      isOutside: one.isOutside,
      isToday: one.isToday,
      entries: shown.map(entryOf),
      more: moreOf(list, one, one.rows.length - shown.length, words.whole.format(local), at),
    }
  }
  const shown = days.map(dayOf)
  const to = (month: string | null) => listUrl(at, { month })
  return calendar(
    {
      title: periodWords('month', month.start, locale) as string,
      label: labelOf(view, at),
      previous: month.previous && to(month.previous),
      next: month.next && to(month.next),
      today: to(null),
      note:
        shownUntil &&
        t('calendar.until', {
          count: numberText(
            locale,
            days.reduce((sum, { rows }) => sum + rows.length, 0),
          ),
          day: words.whole.format(Date.parse(shownUntil)),
        }),
      nothing: days.some(({ isOutside, rows }) => !isOutside && rows.length > 0) ? null : t('calendar.empty'),
      weekdays: days
        .slice(0, 7)
        .map(({ day }) => ({ short: words.short.format(Date.parse(day)), long: words.long.format(Date.parse(day)) })),
      weeks: Array.from({ length: shown.length / 7 }, (_, week) => shown.slice(week * 7, week * 7 + 7)),
    },
    t,
  )
}

/** Where the records of a day are that have no room in it: in the table, by the filter of the day. */
function moreOf(list: AnyList, { query }: CalendarDay, left: number, day: string, at: Around): DayView['more'] {
  if (left < 1) return null
  const { t, locale } = at.realm
  const count = numberText(locale, left)
  return {
    text: t('calendar.more', { count }),
    label: t('calendar.moreOf', { count, day }),
    href: query && viewUrl(list, null, at, Object.fromEntries(query)),
  }
}

const formats = remembered((locale: string) => {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(byMonths(locale), { ...options, timeZone: 'UTC' })
  return {
    number: format({ day: 'numeric' }),
    whole: format({ weekday: 'long', day: 'numeric', month: 'long' }),
    short: format({ weekday: 'short' }),
    long: format({ weekday: 'long' }),
  }
})
