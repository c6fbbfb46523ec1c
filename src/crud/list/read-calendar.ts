import { type DaysShown, daysShown, textOf } from '../../field/days-shown.js'
import type { Bound } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { localAt, startOf, wireAt } from '../../field/period.js'
import { dayText, spanFrom } from '../../field/span.js'
import { asSpan } from '../../resource/condition/page-choice.js'
import type { Calendar } from '../../resource/pages/view.js'
import type { Row } from '../../store/store.js'
import type { CalendarDay } from '../outcomes/lists.js'
import { whereToQuery } from '../query/where-query.js'
import type { ViewRows, ViewSource } from './view-source.js'

// In all days. With more, each further day is read by itself.
const most = 500
const day = 86_400_000

/** How many records a day has room for; one fewer, if it has more. */
export const dayRoom = { month: 4, week: 50 } as const satisfies Record<DaysShown['by'], number>

/** The weeks of a month, or a week, with the records of each day, by the days of the user's time zone. */
export async function readCalendar(source: ViewSource, view: Calendar): Promise<ViewRows> {
  const { call, lens, listing } = source
  const { realm } = call
  const { timeZone, locale } = realm
  const field = lens.readable.get(view.field) as Bound
  const today = startOf('day', localAt(Date.now(), timeZone), 0)
  const by = listing.days?.by ?? view.period
  const shown = daysShown(by, listing.days?.text ?? textOf[by](today), locale)
  const room = dayRoom[by]
  const dayOf = (row: Row) => dayIn(field, row[lens.at.get(field.key) as number], timeZone)
  const found = await readWithin(source, field, shown.days[0] as number, (shown.days.at(-1) as number) + day, most + 1)
  const further = found[most]
  // Others of its day may not have been read.
  const firstCut = further === undefined ? null : dayOf(further)
  const byDay = new Map<string | null, Row[]>()
  for (const row of found) byDay.set(dayOf(row), [...(byDay.get(dayOf(row)) ?? []), row])
  const days = await Promise.all(
    shown.days.map(async (local): Promise<CalendarDay> => {
      const text = dayText(local)
      const isCut = firstCut !== null && text >= firstCut
      const rows = isCut ? await readWithin(source, field, local, local + day, room + 1) : (byDay.get(text) ?? [])
      const goesOn = isCut && rows.length > room
      return {
        day: text,
        isOutside: local < shown.start || local >= shown.until,
        isToday: local === today,
        rows: goesOn ? rows.slice(0, room) : rows,
        goesOn,
        query: whereToQuery({ [field.key]: { within: asSpan(spanFrom(local, local)) as never } }, lens, realm),
      }
    }),
  )
  const tone = (view.tone === null ? null : lens.readable.get(view.tone)) ?? null
  return { drawn: { is: 'calendar', view, field, shown, today, days, tone }, rows: days.flatMap(({ rows }) => rows), total: null }
}

/** The first records between two local times, the second excluded. */
function readWithin({ call, rows }: ViewSource, field: Bound, from: number, until: number, limit: number): Promise<readonly Row[]> {
  const { key: column, kind } = field
  const [first, end] = [from, until].map((local) => kind.value(wireAt(local, kind.time ?? 'day', call.realm.timeZone), field))
  return rows(
    {
      op: 'and',
      all: [
        { op: 'gte', column, value: first },
        { op: 'lt', column, value: end },
      ],
    },
    [
      { column, direction: 'ASC' },
      { column: call.resource.model.key.key, direction: 'ASC' },
    ],
    limit,
  )
}

/** The day of a stored value; null: it has none. */
function dayIn(field: Bound, stored: unknown, timeZone: string): string | null {
  const value = legible(stored)
  const wire = value === null || value === undefined ? null : field.kind.wire(value, field)
  if (typeof wire !== 'string') return null
  return field.kind.time === 'day' ? wire : dayText(localAt(Date.parse(wire), timeZone))
}
