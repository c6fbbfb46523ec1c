import * as z from 'zod'
import { block, html } from '../../base/html.js'
import type { Builder } from '../builder.js'
import { type Bound, type BoundColumn, Unreadable, type Zone } from '../field.js'
import { firstInstant, isoText, lastInstant } from '../instant.js'
import { instantText } from '../instant-text.js'
import { controlAttributes, defineKind } from '../kind.js'
import { remembered } from '../remembered.js'
import { inNotation, isStoredTime, type StoredTime, timeIn, usualStoredTime } from '../stored-time.js'
import { stating } from '../taking.js'
import { aroundGap, firstAt, hasYear, instantsOf, localText, mostZones, offsetText } from '../zone.js'

const local = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/
const zoned = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|z|[+-]\d{2}:\d{2})$/

/** A stored value in milliseconds since 1970; NaN: it is no time that RFC 3339 can express. */
const timeOf = (value: Date | string): number => {
  const time = typeof value === 'string' ? timeIn(value) : value.getTime()
  return time >= firstInstant && time <= lastInstant ? time : Number.NaN
}

type TimeOperators = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'from' | 'to' | 'within' | 'null'

interface Own {
  seconds?: true
  stored?: StoredTime
}

type OwnMethods = {
  /** Shows the seconds of each time, and asks for them in controls. Default: minutes, and in controls the seconds that a value has. */
  seconds(): { seconds: true }
  /**
   * How a text column of SQLite holds the times, in UTC: `YYYY-MM-DD HH:MM:SS`, as `CURRENT_TIMESTAMP` and `datetime()` write them, or with a
   * `T`, three or six digits of a fraction (`.SSS`), and `Z` or `+00:00` at the end. What is written must sort as a text among what is there.
   * Default: as the column's default writes them, if that is an expression such as `CURRENT_TIMESTAMP`; else the panel doesn't start.
   */
  stored(as: StoredTime): { stored: StoredTime }
}

/**
 * An instant, over columns of dates and times, and over SQLite's text columns. In JSON it is RFC 3339 in UTC; users read and write it in
 * their own time zone.
 */
export const dateTime: (label?: string) => Builder<Date | string, OwnMethods, TimeOperators | 'instant'> = defineKind<
  Date | string,
  OwnMethods,
  TimeOperators
>({
  name: 'dateTime',
  columns: ['dateTime', 'text'],
  open: true,
  time: 'instant',
  own: { seconds: stating({ seconds: true }), stored: (stored) => ({ stored }) },
  fault,
  operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'from', 'to', 'within', 'null'],
  schema: ({ column }) => z.iso.datetime({ offset: true, abort: true }).check(kept(column)),
  read: (typed, _field, zone) => readText(typed.trim(), zone),
  value: (wire, { column }) => {
    const instant = new Date(wire as string)
    if (column.asDate) return instant
    const text = instant.toISOString()
    // The end of a range may be finer than what is stored.
    return column.stored ? inNotation(column.stored, text, false) : text
  },
  // A stored value may be no valid time. Showing nothing is better than failing the page.
  wire: (value) => {
    const time = timeOf(value)
    return Number.isNaN(time) ? null : isoText(typeof value === 'string' ? new Date(time) : value)
  },
  plain: ({ column }) => column.asDate,
  text: (value, _field, zone) => {
    const time = timeOf(value)
    return Number.isNaN(time) ? '' : shownText(time, zone)
  },
  words: (value, { own }, { locale = 'en', timeZone }) => {
    const time = timeOf(value)
    return Number.isNaN(time) ? '' : shownBy(own)(locale, timeZone)(time)
  },
  cell: (value, { own }, ctx) => {
    const time = timeOf(value)
    if (Number.isNaN(time)) return html``
    return block`
      <time datetime="${isoText(new Date(time))}" title="${long(ctx.locale, ctx.timeZone)(time)}">
        ${shownBy(own)(ctx.locale, ctx.timeZone)(time)}
      </time>
    `
  },
  input: (typed, field, ctx) =>
    // A local control cannot hold the offset that a repeated time needs, nor the year 0. An ambiguous time typed without its offset gets
    // the text control again, where the user can add it. With the step "any" it shows what the value has, minutes at least, and refuses none.
    (local.test(typed) && !typed.startsWith('0000') && isOnce(typed, ctx.timeZone)) || typed === ''
      ? block`
        <input
          type="datetime-local"
          step="${field.own.seconds && !typed.includes('.') ? '1' : 'any'}"
          value="${typed.replace(' ', 'T')}"
          ${controlAttributes(field, ctx)}
        >
      `
      : html`<input type="text" value="${typed}" autocomplete="off"${controlAttributes(field, ctx)}>`,
})

/** What a text column needs: that somebody says how it holds times. */
function fault({ own, column: { type, stored, maxLength } }: Bound<Own>): string | null {
  if (own.stored !== undefined && !isStoredTime(own.stored))
    return `.stored() takes '${usualStoredTime}', or with T, .SSS or .SSSSSS, and Z or +00:00 at the end, not ${JSON.stringify(own.stored)}`
  if (own.stored !== undefined && stored === null) return `.stored() is for text columns of SQLite, and this one is of type ${type}`
  if (type === 'text')
    return `its column is a text: in SQLite, say how it holds times, .stored('${usualStoredTime}') or another notation; in PostgreSQL, make it a timestamp`
  return stored !== null && maxLength !== null && maxLength < stored.length
    ? `its column takes ${maxLength} characters, and such a time has ${stored.length}`
    : null
}

/**
 * Refuses a time that would not be stored as sent: finer than the column's precision, or in a year that RFC 3339 cannot express. A time
 * between two that the column stores can still be the end of a range: `isBetween`.
 */
function kept({ precision }: BoundColumn): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const instant = Date.parse(value)
    if (Number.isNaN(instant) || instant < firstInstant || instant > lastInstant) return void issues.push({ code: 'custom', input: value })
    const fraction = /\.(\d*[1-9])/.exec(value)?.[1] ?? ''
    if (fraction.length <= precision) return
    const says = precision === 0 ? 'field.wholeSeconds' : 'field.wholeMilliseconds'
    issues.push({ code: 'custom', input: value, params: { says, isBetween: fraction.length <= 3 } })
  }
}

function readText(typed: string, { timeZone, locale }: Zone): unknown {
  const parts = zoned.exec(typed)
  if (parts) return `${parts[1]}T${parts[2]}${parts[3] ?? ':00'}${(parts[4] as string).toUpperCase()}`
  if (!local.test(typed)) return typed
  const isDay = typed.length === 10
  const time = localTime(typed)
  if (Number.isNaN(time)) return typed
  // The first instant of the day, even if its midnight is skipped or repeated.
  if (isDay) return new Date(firstAt(time, timeZone)).toISOString()
  const instants = instantsOf(time, timeZone)
  if (instants.length === 1) return new Date(instants[0] as number).toISOString()
  if (instants.length === 0) {
    const said = (instant: number) => (locale === undefined ? localText(instant, timeZone) : short(locale, timeZone)(instant))
    const [before, after] = aroundGap(time, timeZone)
    return new Unreadable((t, label) => t('field.noSuchTime', { label, zone: timeZone, before: said(before), after: said(after) }))
  }
  // Only the offset can tell the two apart, so the message shows how to write each.
  const said = (instant: number) =>
    `${offsetText(instant, timeZone)}${locale === undefined ? '' : ` (${timed(locale, timeZone)(instant)})`}`
  const [first, second] = instants as [number, number]
  return new Unreadable((t, label) => t('field.timeTwice', { label, zone: timeZone, before: said(first), after: said(second) }))
}

/** A local time as if it were UTC, of a day alone its beginning; NaN if there is none. The engine takes February 30 for March 2. */
function localTime(typed: string): number {
  const day = typed.slice(0, 10)
  const time = Date.parse(`${day}T${typed.slice(11) || '00:00'}Z`)
  return Number.isNaN(time) || new Date(time).toISOString().startsWith(day) ? time : Number.NaN
}

/** Whether it is a time that clocks show, and not twice: of one that they skip, the control keeps what was typed. */
function isOnce(typed: string, timeZone: string): boolean {
  const time = localTime(typed)
  return !Number.isNaN(time) && instantsOf(time, timeZone).length <= 1
}

function shownText(instant: number, { timeZone }: Zone): string {
  const text = localText(instant, timeZone)
  if (!hasYear(text)) return offsetText(instant, timeZone)
  const again = instantsOf(Date.parse(`${text}Z`), timeZone)
  return again.length === 1 ? text : offsetText(instant, timeZone)
}

function textIn(styles: Intl.DateTimeFormatOptions): (locale: string, timeZone: string) => (instant: number) => string {
  const of = remembered((locale: string) => remembered((timeZone: string) => instantText(locale, { ...styles, timeZone }), mostZones))
  return (locale, timeZone) => of(locale)(timeZone)
}

const short = textIn({ dateStyle: 'medium', timeStyle: 'short' })
const withSeconds = textIn({ dateStyle: 'medium', timeStyle: 'medium' })
const shownBy = ({ seconds }: Own) => (seconds ? withSeconds : short)
const timed = textIn({ dateStyle: 'medium', timeStyle: 'long' })
const long = textIn({ dateStyle: 'full', timeStyle: 'long' })
