import * as z from 'zod'
import { block, type Html, html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import { timeFault } from '../bounds.js'
import type { Bound, ViewContext } from '../field.js'
import { liveControl, type SavesInPlace, savesInPlace } from '../in-place.js'
import { controlAttributes, defineKind, lineInput } from '../kind.js'
import { remembered } from '../remembered.js'
import { stating, taking } from '../taking.js'
import { inFull, isTime, timePattern, written } from '../time-text.js'
import { typedTime } from '../typed-time.js'

interface Own {
  seconds?: true
  min?: string
  max?: string
}

type TimeMethods = {
  /** Shows the seconds of each time, and asks for them. A text column then holds `HH:MM:SS`. Default: minutes, and a text column holds `HH:MM`. */
  seconds(): { seconds: true }
  /** The first time allowed, as `HH:MM` or `HH:MM:SS`. Default: any. */
  min(time: string): { min: string }
  /** The last time allowed, as `HH:MM` or `HH:MM:SS`. Default: any. */
  max(time: string): { max: string }
} & SavesInPlace

/**
 * A time of day, without a day or a time zone, over text columns and PostgreSQL's `time`. In JSON it is `HH:MM`, or `HH:MM:SS` if it has
 * seconds or the field asks for them.
 */
export const time = defineKind<string, TimeMethods, 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'from' | 'to' | 'null'>({
  name: 'time',
  columns: ['text', 'time'],
  open: true,
  operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'from', 'to', 'null'],
  adds: ['events'],
  own: {
    seconds: stating({ seconds: true }),
    min: taking((min) => ({ min }), a.text),
    max: taking((max) => ({ max }), a.text),
    ...savesInPlace,
  },
  fault: ({ own, column }) => {
    const length = own.seconds ? 8 : 5
    if (column.maxLength !== null && column.maxLength < length)
      return `its column takes ${column.maxLength} characters, and such a time has ${length}`
    return timeFault(own)
  },
  schema: (field) => z.stringFormat('daytime', timePattern).check(allowed(field)),
  // In the one form that the column has, or its values could not be compared.
  value: (wire, { own, column }) => written(wire as string, column.type === 'time' || own.seconds === true),
  read: (typed, _field, { locale }) => typedTime(typed, locale),
  // A text column may hold anything, and PostgreSQL has a time 24:00.
  wire: shown,
  text: shown,
  words: (value, field, { locale = 'en' }) => (isTime(value) ? inWords(value, field, locale) : value),
  cell: (value, field, ctx) =>
    isTime(value) ? html`<time datetime="${shown(value, field)}">${inWords(value, field, ctx.locale)}</time>` : html`${value}`,
  input: (typed, field, ctx) => timeInput(typed, field.own, field, ctx),
  live: (typed, field, ctx) => liveControl(typed, field, ctx, (...given) => timeInput(given[0], field.own, given[1], given[2])),
  // Filters have no bounds: a stored time may lie outside.
  filter: (typed, field, ctx) => timeInput(typed, { ...(field.own.seconds && { seconds: true }) }, field, ctx),
})

/** A stored time, as JSON and controls have it. */
function shown(value: string, { own }: Bound<Own>): string {
  return isTime(value) ? written(value, own.seconds === true) : value
}

/** Refuses a time that is out of bounds, or that would not be stored as sent. A finer one can still be the end of a range. */
function allowed({ own: { min, max, seconds }, column }: Bound<Own>): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    if (!timePattern.test(value)) return
    const full = inFull(value)
    // Only our own error texts read the bounds, which zod types as numbers.
    const bound = { origin: 'date', input: value as never } as const
    if (min !== undefined && full < inFull(min)) issues.push({ code: 'too_small', minimum: min as never, ...bound })
    if (max !== undefined && full > inFull(max)) issues.push({ code: 'too_big', maximum: max as never, ...bound })
    if (column.type === 'text' && !seconds && !full.endsWith(':00'))
      issues.push({ code: 'custom', input: value, params: { says: 'field.wholeMinutes', isBetween: true } })
  }
}

function timeInput(typed: string, { min, max, seconds }: Own, field: Bound<never> | Bound, ctx: ViewContext): Html {
  // A time control would drop any other text. With the step "any" it shows the seconds that a value has, and refuses none.
  return typed === '' || isTime(typed)
    ? block`
      <input
        type="time"
        step="${seconds ? '1' : 'any'}"
        value="${typed}"
        ${min !== undefined && html` min="${min}"`}
        ${max !== undefined && html` max="${max}"`}
        ${controlAttributes(field, ctx)}
      >
    `
    : lineInput(typed, 'text', field, ctx)
}

const formats = remembered((locale: string) => ({
  minutes: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }),
  seconds: new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone: 'UTC' }),
}))

function inWords(value: string, { own }: Bound<Own>, locale: string): string {
  return formats(locale)[own.seconds ? 'seconds' : 'minutes'].format(Date.parse(`1970-01-01T${inFull(value)}Z`))
}
