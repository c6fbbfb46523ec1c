import type { Html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { dayRoom } from '../../crud/list/read-calendar.js'
import type { CalendarData, CalendarDay } from '../../crud/outcomes/lists.js'
import type { PresenterContext } from '../../face/face.js'
import { type DaysShown, dayFor, textOf } from '../../field/days-shown.js'
import type { Bound } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { instantText } from '../../field/instant-text.js'
import { byMonths, periodWords, wireAt } from '../../field/period.js'
import { remembered } from '../../field/remembered.js'
import { localText } from '../../field/zone.js'
import type { Row } from '../../store/store.js'
import { calendar, type DayView, type EntryView, todayId } from '../components/calendar.js'
import type { AnyList } from './any-list.js'
import { createUrls } from './create-from-list.js'
import { draggableBy, dragScripts, hiddenMoveInputs } from './drag.js'
import { isNarrowed } from './filters.js'
import { listUrl } from './list-url.js'
import type { ViewRecord } from './view-record.js'
import { labelOf, narrowedUrl } from './view-switch.js'

// When a time begins that is created on a day: early in working hours.
const morning = 9 * 3_600_000

/** A list as a calendar. Its records are moved to other days by the way in which cells of a table are changed. */
export function calendarOf(list: AnyList, drawn: CalendarData, record: (row: Row) => ViewRecord, at: PresenterContext): Html {
  const { view, field, shown, today, days, tone } = drawn
  const { by } = shown
  const room = dayRoom[by]
  const { t, locale, timeZone } = at.realm
  const { kind } = field
  const words = formats(locale)
  const isInstant = kind.time === 'instant'
  const timeText = isInstant ? instantText(locale, { timeStyle: 'short', timeZone }) : null
  const moveOf = draggableBy(list, field, at)
  const addUrl = createUrls(list, field, at)
  const storedIn = (row: Row, { key }: Bound) => legible(row[list.lens.at.get(key) as number])
  const entryOf = (row: Row): EntryView => {
    const { key, label, href, changes, facts } = record(row)
    const stored = storedIn(row, field)
    const instant = isInstant ? Date.parse(String(kind.wire(stored, field))) : null
    return {
      key,
      label,
      href,
      time: instant === null ? null : (timeText?.(instant) ?? null),
      tone: tone && toneOf(tone, storedIn(row, tone)),
      facts: facts.map(({ value }) => value),
      move: changes ? (moveOf?.(key, row) ?? null) : null,
      // What the clocks show: dropped on another day, it is a time of that.
      clock: instant === null ? null : localText(instant, timeZone).replace(/^.*T/, ''),
    }
  }
  const dayOf = (one: CalendarDay): DayView => {
    const local = Date.parse(one.day)
    const name = words.whole.format(local)
    const rows = one.goesOn || one.rows.length > room ? one.rows.slice(0, room - 1) : one.rows
    const href = addUrl(kind.value(wireAt(isInstant ? local + morning : local, kind.time ?? 'day', timeZone), field))
    return {
      day: one.day,
      number: words.number.format(local),
      words: name,
      isOutside: one.isOutside,
      isToday: one.isToday,
      add: href === null ? null : { href, label: t('view.add', { place: name }) },
      entries: rows.map(entryOf),
      more: moreOf(list, one, one.goesOn ? null : one.rows.length - rows.length, name, at),
    }
  }
  const cells = days.map(dayOf)
  const to = (by: DaysShown['by'], text: string | null) => listUrl(at, { month: null, week: null, [by]: text })
  // What the calendar begins with is named by no URL.
  const now = to(by, by === view.period ? null : textOf[by](today))
  const isMoved = cells.some(({ entries }) => entries.some(({ move }) => move !== null))
  return calendar(
    {
      by,
      title: periodWords(by, shown.start, locale) as string,
      label: labelOf(view, at),
      script: isMoved && list.resource.isAsync ? dragScripts(at) : null,
      hidden: hiddenMoveInputs(field, at),
      previous: shown.previous && to(by, shown.previous),
      next: shown.next && to(by, shown.next),
      today: `${now}#${todayId}`,
      ways: (['month', 'week'] as const).map((one) => ({
        label: t(`calendar.${one}`),
        href: to(one, textOf[one](dayFor(shown, today))),
        current: one === by,
      })),
      nothing: days.some(({ isOutside, rows }) => !isOutside && rows.length > 0)
        ? null
        : t(nothing[isNarrowed(list.listing) ? 'narrowed' : 'all'][by]),
      weekdays: days
        .slice(0, 7)
        .map(({ day }) => ({ short: words.short.format(Date.parse(day)), long: words.long.format(Date.parse(day)) })),
      weeks: Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7)),
    },
    t,
  )
}

const nothing = {
  all: { month: 'calendar.empty', week: 'calendar.emptyWeek' },
  narrowed: { month: 'calendar.noMatch', week: 'calendar.noMatchWeek' },
} as const

/** Where the records of a day are that have no room in it: in the table, by the filter of the day. Null: nobody knows how many are left. */
function moreOf(list: AnyList, { query }: CalendarDay, left: number | null, day: string, at: PresenterContext): DayView['more'] {
  if (left !== null && left < 1) return null
  const { t, locale } = at.realm
  const href = narrowedUrl(list, query, at)
  if (left === null) return { text: t('board.more'), label: t('calendar.someMoreOf', { day }), href }
  const count = numberText(locale, left)
  return { text: t('calendar.more', { count }), label: t('calendar.moreOf', { count, day }), href }
}

/** Without its shade, by which charts tell values of one tone apart. */
function toneOf(field: Bound, stored: unknown): string {
  const shade = stored === null || stored === undefined ? null : field.kind.tone(stored, field)
  return shade?.split('-')[0] ?? 'plain'
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
