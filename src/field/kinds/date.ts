import * as z from 'zod'
import { block, type Html, html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import { dayFault } from '../bounds.js'
import type { Builder } from '../builder.js'
import type { Bound, ViewContext } from '../field.js'
import { liveControl, type SavesInPlace, savesInPlace } from '../in-place.js'
import { controlAttributes, defineKind, lineInput } from '../kind.js'
import { taking } from '../taking.js'
import { typedDay } from '../typed-day.js'

const isDay = /^\d{4}-\d\d-\d\d$/

const dayOf = (value: Date | string) =>
  typeof value === 'string' ? value : Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10)

type DateMethods = {
  /** The first day allowed, as `YYYY-MM-DD`. Default: any. */
  min(day: string): { min: string }
  /** The last day allowed, as `YYYY-MM-DD`. Default: any. */
  max(day: string): { max: string }
} & SavesInPlace
type DateOperators = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'from' | 'to' | 'within' | 'null'

/** A day, without time or time zone, over date and text columns. In JSON it is `YYYY-MM-DD`. */
export const date: (label?: string) => Builder<Date | string, DateMethods, DateOperators | 'day'> = defineKind<
  Date | string,
  DateMethods,
  DateOperators
>({
  name: 'date',
  columns: ['date', 'text'],
  open: true,
  time: 'day',
  operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'from', 'to', 'within', 'null'],
  adds: ['events'],
  own: { min: taking((min) => ({ min }), a.text), max: taking((max) => ({ max }), a.text), ...savesInPlace },
  fault: ({ own }) => dayFault(own),
  schema: ({ own }) => {
    const one = z.iso.date({ abort: true })
    if (own.min === undefined && own.max === undefined) return one
    return one.check(({ value, issues }) => {
      const { min, max } = own
      // The bounds are days as text, though zod types them as numbers. Only our own error texts read them.
      if (min !== undefined && value < min) issues.push({ code: 'too_small', origin: 'date', minimum: min as never, input: value as never })
      if (max !== undefined && value > max) issues.push({ code: 'too_big', origin: 'date', maximum: max as never, input: value as never })
    })
  },
  value: (wire, { column }) => (column.asDate ? new Date(`${wire}T00:00:00Z`) : (wire as string)),
  read: (typed, _field, { locale }) => typedDay(typed, locale),
  // A PostgreSQL date such as `infinity` is no day of a calendar.
  wire: (value, { column }) => (column.type === 'date' && !isDay.test(dayOf(value)) ? null : dayOf(value)),
  plain: ({ column }) => !column.asDate,
  text: dayOf,
  words: (value, _field, { locale = 'en' }) => {
    const at = Date.parse(`${dayOf(value)}T00:00:00Z`)
    return Number.isNaN(at) ? dayOf(value) : shortDay(locale).format(at)
  },
  cell: (value, _field, ctx) => {
    const day = dayOf(value)
    const at = Date.parse(`${day}T00:00:00Z`)
    // A text column may hold anything.
    return Number.isNaN(at) ? html`${day}` : html`<time datetime="${day}" title="${day}">${shortDay(ctx.locale).format(at)}</time>`
  },
  input: (typed, field, ctx) => dayInput(typed, field.own, field, ctx),
  live: (typed, field, ctx) => liveControl(typed, field, ctx, (...given) => dayInput(given[0], field.own, given[1], given[2])),
  // Filters have no bounds: a stored day may lie outside.
  filter: (typed, field, ctx) => dayInput(typed, {}, field, ctx),
})

function dayInput(typed: string, { min, max }: { min?: string; max?: string }, field: Bound<never> | Bound, ctx: ViewContext): Html {
  // A date control would drop any other text.
  return typed === '' || z.iso.date().safeParse(typed).success
    ? block`
      <input
        type="date"
        value="${typed}"
        ${min !== undefined && html` min="${min}"`}
        ${max !== undefined && html` max="${max}"`}
        ${controlAttributes(field, ctx)}
      >
    `
    : lineInput(typed, 'text', field, ctx)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function shortDay(locale: string): Intl.DateTimeFormat {
  let one = formats.get(locale)
  if (!one) {
    one = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    formats.set(locale, one)
  }
  return one
}
