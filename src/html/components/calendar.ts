import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { type AddView, addLink } from './add-link.js'
import { type Draggable, dragAttributes, moveTemplate } from './draggable.js'
import { icon } from './icon.js'
import type { Tab } from './tabs.js'
import { viewSwitch } from './view-switch.js'

/** The id of today's cell: on a phone, where days are a list, it is gone to. */
export const todayId = 'today'

export interface CalendarView {
  /** What it shows. */
  readonly by: 'month' | 'week'
  /** What users call the month or week. */
  readonly title: string
  readonly label: string
  /** The URLs of the scripts that drag records and take that back; null: nobody moves any. */
  readonly script: string | null
  /** What a move sends besides its own. */
  readonly hidden: Html
  /** The URLs of those beside it, null if there is none, and of that of today. */
  readonly previous: string | null
  readonly next: string | null
  readonly today: string
  /** Links to what else it can show. */
  readonly ways: readonly Tab[]
  /** What is said where there are no records; null: there are some. */
  readonly nothing: string | null
  readonly weekdays: readonly { readonly short: string; readonly long: string }[]
  readonly weeks: readonly (readonly DayView[])[]
}

export interface DayView {
  /** Its text: `2026-11-28`. */
  readonly day: string
  /** The number in its month, and the whole day in words. */
  readonly number: string
  readonly words: string
  readonly isOutside: boolean
  readonly isToday: boolean
  /** Where a record of this day is created, and what that is called; null: the caller may not. */
  readonly add: AddView | null
  readonly entries: readonly EntryView[]
  /** What is said of records beyond those, and where they are; null: it shows all. */
  readonly more: { readonly text: string; readonly label: string; readonly href: string | null } | null
}

export interface EntryView {
  readonly key: string
  readonly label: string
  /** The URL of the record; null if the caller may not open it. */
  readonly href: string | null
  /** The time of day; null: days have none. */
  readonly time: string | null
  /** Its colour, `plain` if it has none among those that have one; null: that of all. */
  readonly tone: string | null
  /** What it shows besides. */
  readonly facts: readonly Html[]
  /** How it is moved to another day; null: it is not. */
  readonly move: Draggable | null
  /** What a move adds to a day: `14:30`; null: nothing. */
  readonly clock: string | null
}

/** The weeks of a month, or one. On a phone, the days are a list: of a month, those with records. */
export function calendar(
  { by, title, label, script, hidden, previous, next, today, ways, nothing, weekdays, weeks }: CalendarView,
  t: Translate,
): Html {
  const says = words[by]
  return block`
    <div class="calendar${by === 'week' && html` week`}"${script !== null && html` data-script="${script}"`}>
      <div class="months">
        <h2>${title}</h2>
        ${nothing !== null && html`<p class="nothing">${nothing}</p>`}
        <nav aria-label="${t(says.all)}">
          ${step(previous, 'chevron-left', t(says.previous))}
          <a class="button" href="${today}">${t('calendar.today')}</a>
          ${step(next, 'chevron-right', t(says.next))}
        </nav>
        ${viewSwitch(ways, t('calendar.as'))}
      </div>
      <table>
        <caption class="unseen">${label}: ${title}</caption>
        <thead>
          <tr>
            ${weekdays.map(({ short, long }) => html`<th scope="col"><abbr title="${long}">${short}</abbr></th>`)}
          </tr>
        </thead>
        <tbody>${weeks.map((days) => html`<tr>${days.map((one) => dayCell(one, script !== null, t))}</tr>`)}</tbody>
      </table>
      ${script !== null && moveTemplate(hidden)}
    </div>
  `
}

const words = {
  month: { all: 'calendar.months', previous: 'calendar.previous', next: 'calendar.next' },
  week: { all: 'calendar.weeks', previous: 'calendar.previousWeek', next: 'calendar.nextWeek' },
} as const

function step(href: string | null, name: 'chevron-left' | 'chevron-right', label: string): Html {
  return block`
    <a
      class="button square"
      ${href === null ? html` aria-disabled="true" role="link"` : html` href="${href}"`}
      aria-label="${label}"
      title="${label}"
    >
      ${icon(name)}
    </a>
  `
}

function dayCell({ day, number, words, isOutside, isToday, add, entries, more }: DayView, takes: boolean, t: Translate): Html {
  const classes = [isOutside && 'outside', isToday && 'today', entries.length === 0 && 'free'].filter(Boolean).join(' ')
  return block`
    <td
      ${isToday && html` id="${todayId}"`}
      ${classes !== '' && html` class="${classes}"`}
      ${isToday && html` aria-current="date"`}
      ${takes && html` data-value="${day}"`}
    >
      <div class="day">
        <time datetime="${day}">
          <span class="number" aria-hidden="true">${number}</span>
          <span class="words">${words}${isToday && html` <b>${t('calendar.today')}</b>`}</span>
        </time>
        ${add && addLink(add)}
      </div>
      ${entries.length > 0 && html`<ul>${entries.map(entry)}</ul>`}
      ${
        more &&
        (more.href === null
          ? html`<span class="further">${more.text}</span>`
          : html`<a class="further" href="${more.href}" aria-label="${more.label}">${more.text}</a>`)
      }
    </td>
  `
}

function entry({ key, label, href, time, tone, facts, move, clock }: EntryView): Html {
  const inside = html`${time !== null && html`<span class="time">${time}</span> `}<span class="label">${label}</span>`
  const own = block`
    ${tone !== null && html` class="tinted ${tone}"`}
    ${move && dragAttributes(move)}
    ${move && clock !== null && html` data-time="${clock}"`}
  `
  // A link can be dragged by itself, which would be another gesture.
  return block`
    <li data-key="${key}"${own}>
      ${
        href === null
          ? html`<span class="entry" title="${label}">${inside}</span>`
          : html`<a class="entry" href="${href}" title="${label}" draggable="false">${inside}</a>`
      }
      ${facts.length > 0 && html`<span class="besides">${facts}</span>`}
    </li>
  `
}
