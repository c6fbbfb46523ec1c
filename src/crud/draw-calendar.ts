import type { Bound } from '../field/field.js'
import { legible } from '../field/illegible.js'
import { monthOf, monthText } from '../field/month.js'
import { localAt, startOf, wireAt } from '../field/period.js'
import { dayText, spanFrom } from '../field/span.js'
import { asSpan } from '../resource/page-choice.js'
import type { Calendar } from '../resource/view.js'
import type { Row } from '../store/store.js'
import type { Drawing, Drawn } from './drawing.js'
import type { CalendarDay } from './outcome.js'
import { queryOf } from './where-query.js'

// More than anybody reads; the list has the others.
const most = 1000
const day = 86_400_000

/** The weeks of a month with the records of each day, by the days of the user's time zone. */
export async function drawCalendar({ call, lens, listing, rows: read }: Drawing, view: Calendar): Promise<Drawn> {
  const { realm, resource } = call
  const { timeZone, locale } = realm
  const field = lens.readable.get(view.field) as Bound
  const { key: column, kind } = field
  const time = kind.time ?? 'day'
  const today = startOf('day', localAt(Date.now(), timeZone), 0)
  const month = monthOf(listing.month ?? monthText(today), locale)
  const [from, until] = [month.days[0] as number, (month.days.at(-1) as number) + day]
  const [first, end] = [from, until].map((local) => kind.value(wireAt(local, time, timeZone), field))
  const found = await read(
    {
      op: 'and',
      all: [
        { op: 'gte', column, value: first },
        { op: 'lt', column, value: end },
      ],
    },
    [
      { column, direction: 'ASC' },
      { column: resource.model.key.key, direction: 'ASC' },
    ],
    most + 1,
  )
  const isWhole = found.length <= most
  const rows = isWhole ? found : found.slice(0, most)
  const dayOf = (row: Row) => dayIn(field, row[lens.at.get(column) as number], timeZone)
  const byDay = new Map<string | null, Row[]>()
  for (const row of rows) byDay.set(dayOf(row), [...(byDay.get(dayOf(row)) ?? []), row])
  const days = month.days.map((local): CalendarDay => {
    const text = dayText(local)
    return {
      day: text,
      isOutside: local < month.start || local >= month.until,
      isToday: local === today,
      rows: byDay.get(text) ?? [],
      query: queryOf({ [column]: { within: asSpan(spanFrom(local, local)) as never } }, lens, realm),
    }
  })
  // The day of the last record that was read may have others.
  const shownUntil = isWhole ? null : dayOf(rows.at(-1) as Row)
  const tone = (view.tone === null ? null : lens.readable.get(view.tone)) ?? null
  return { drawn: { is: 'calendar', view, field, month, days, shownUntil, tone }, rows, total: null }
}

/** The day of a stored value; null: it has none. */
function dayIn(field: Bound, stored: unknown, timeZone: string): string | null {
  const value = legible(stored)
  const wire = value === null || value === undefined ? null : field.kind.wire(value, field)
  if (typeof wire !== 'string') return null
  return field.kind.time === 'day' ? wire : dayText(localAt(Date.parse(wire), timeZone))
}
