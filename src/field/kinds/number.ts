import * as z from 'zod'
import { type Html, html } from '../../base/html.js'
import { rangeFault } from '../bounds.js'
import { digitsOf, isCurrency } from '../currency.js'
import { type Bound, type ColumnType, Unreadable, type ViewContext } from '../field.js'
import { liveControl, type SavesInPlace, savesInPlace } from '../in-place.js'
import { isInt64 } from '../key.js'
import { asCounted, defineKind, describedAttributes } from '../kind.js'
import { isDigits, numberShown, shownNumber, typedNumber } from '../number-text.js'
import { besideSteps, decimalText, stepFault } from '../steps.js'
import { unitFault } from '../unit.js'

// A double cannot hold these numbers exactly, so JSON has them as text.
const asText = new Set<ColumnType>(['bigint', 'numeric'])
const whole = /^-?(?:0|[1-9]\d*)$/
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
// What a user may type: a sign, digits, a fraction, an exponent.
const numeral = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

interface Own {
  min?: number
  max?: number
  step?: number
  decimals?: number
  currency?: string
  unit?: string
  grouping?: boolean
}

/**
 * A number, over integer, bigint, real and numeric columns. In JSON, values of bigint and numeric columns are text, since a double can't
 * hold them exactly.
 */
export const number = defineKind<
  number | bigint,
  {
    /** The smallest value allowed. Default: what the column takes. */
    min(least: number): { min: number }
    /** The largest value allowed. Default: what the column takes. */
    max(most: number): { max: number }
    /** Accepts only multiples of this step, counted from `min` if there is one, else from 0. Default: any number. */
    step(step: number): { step: number }
    /** The digits after the decimal point that users see, from 0 to 20. Default: as many as the value has. */
    decimals(digits: number): { decimals: number }
    /**
     * Shows the numbers as amounts of a currency, in the format of the locale: `EUR`, or another code of ISO 4217. They have as many digits as
     * the currency, and those that are stored beyond; `decimals()` says otherwise. Controls, JSON and exports have the plain number.
     */
    currency(code: string): { currency: string }
    /**
     * Shows a unit behind the numbers, as `kg`, `%` or `°C`, and beside their controls. JSON, exports and what is typed have the plain number.
     * An amount of a currency has none. Default: none.
     */
    unit(unit: string): { unit: string }
    /** Whether the digits of large numbers are grouped where they are shown: 12,345. Years and numbers of documents are not. Default: `true`. */
    grouping(on: boolean): { grouping: boolean }
    /** Lets `?search=` find the records whose number is a word of the search, exactly: 1042. */
    searchable(): { searchable: true }
  } & SavesInPlace,
  'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'from' | 'to' | 'null'
>({
  name: 'number',
  columns: ['integer', 'bigint', 'real', 'numeric'],
  operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'from', 'to', 'null'],
  align: 'end',
  open: true,
  exact: true,
  adds: ['events'],
  own: {
    min: (min) => ({ min }),
    max: (max) => ({ max }),
    step: (step) => ({ step }),
    decimals: (decimals) => ({ decimals }),
    currency: (currency) => ({ currency }),
    unit: (unit) => ({ unit }),
    grouping: (grouping) => ({ grouping }),
    searchable: () => ({ searchable: true }),
    ...savesInPlace,
  },
  fault: ({ own, column }) => {
    if (own.decimals !== undefined && !isDigits(own.decimals)) return `decimals(${own.decimals}) is not a number of digits from 0 to 20`
    if (own.currency !== undefined && !isCurrency(own.currency))
      return `currency(${JSON.stringify(own.currency)}) is no code of a currency, such as "EUR"`
    return unitFault(own) ?? rangeFault(own, column) ?? stepFault(own, column.type === 'integer' || column.type === 'bigint')
  },
  schema: (field) => {
    const one = schemaOf(field)
    const measure = field.own.currency ?? field.own.unit
    return measure === undefined ? one : one.describe(`In ${measure}.`)
  },
  read: (typed, { column }, { locale }) => {
    const text = typedNumber(typed, locale, column.type === 'integer' || column.type === 'bigint')
    if (text === null) {
      const [one, other] = [typed.replace('.', '').trim(), typed.replace('.', ',').trim()]
      return new Unreadable((t, label) => t('field.twoNumbers', { label, one, other }))
    }
    if (asText.has(column.type)) return text
    return numeral.test(text) ? Number(text) : typed
  },
  text: (value, { own, column }, { locale }) => {
    const isShown = locale !== undefined && (column.type === 'real' || column.type === 'numeric')
    const digits = own.decimals ?? (own.currency === undefined ? 0 : digitsOf(own.currency))
    return shownNumber(isShown ? padded(String(value), digits) : String(value), locale)
  },
  value: (wire, { column }) => (column.type === 'bigint' ? BigInt(wire as string) : (wire as number)),
  words: (value, { own }, { locale = 'en' }) => numberShown(value, own, locale),
  wire: (value, { column }) => {
    if (asText.has(column.type) || typeof value === 'bigint') return String(value)
    // JSON has no NaN or infinity.
    return Number.isFinite(value) ? value : null
  },
  over: asCounted,
  plain: ({ column }) => !asText.has(column.type),
  cell: (value, field, ctx) => html`<span class="number">${numberShown(value, field.own, ctx.locale)}</span>`,
  input: affixed,
  live: (typed, field, ctx) => liveControl(typed, field, ctx, numberInput),
})

/**
 * The field as numbers over its values are shown, such as their sum and average: as numbers, with the unit that it states, and with the digits
 * that it states or its currency has, since an average has any number of them. Null: it states nothing of that.
 */
export function overValues(field: Bound): Bound | null {
  const { decimals, currency, unit, grouping } = field.own as Own
  if (decimals === undefined && currency === undefined && unit === undefined) return null
  const digits = decimals ?? (currency === undefined ? undefined : digitsOf(currency))
  return { ...field, kind: number().kind, own: { decimals: digits, currency, unit, grouping, rounded: digits === undefined } }
}

function schemaOf({ own, column }: Bound<Own>): z.ZodType {
  if (asText.has(column.type)) {
    const pattern = column.type === 'bigint' ? whole : decimal
    return (
      z
        .string()
        // Abort here: the later checks would throw on text that is no number.
        .regex(pattern, { abort: true })
        .refine((text) => column.type !== 'bigint' || isInt64(text), { abort: true, params: { says: 'field.tooFine' } })
        .check(inBounds(own))
        .check(onStep(own))
    )
  }
  const one = column.type === 'integer' ? z.int() : z.number()
  const least = Math.max(own.min ?? -Number.MAX_VALUE, column.range?.[0] ?? -Number.MAX_VALUE)
  const most = Math.min(own.max ?? Number.MAX_VALUE, column.range?.[1] ?? Number.MAX_VALUE)
  const above = least > -Number.MAX_VALUE ? one.min(least) : one
  const between = most < Number.MAX_VALUE ? above.max(most) : above
  if (own.step === undefined) return between
  // The document can't express other steps: `multipleOf` counts from 0, and clients compute it in doubles.
  const isPlain = Number.isInteger(own.step) && (own.min ?? 0) % own.step === 0
  return isPlain ? between.multipleOf(own.step) : between.check(onStep(own))
}

/** A number with at least so many digits after the point: those that it has beyond stay, or saving would drop them. */
function padded(number: string, decimals: number): string {
  const [, whole = '', digits = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(number) ?? []
  return whole === '' || digits.length >= decimals ? number : `${whole}.${digits.padEnd(decimals, '0')}`
}

/** The control, with the unit beside it. */
function affixed(typed: string, field: Bound<Own>, ctx: ViewContext): Html {
  const { unit } = field.own
  if (unit === undefined) return numberInput(typed, field, ctx)
  const id = `${ctx.id}-unit`
  return html`<span class="affixed">${numberInput(typed, field, ctx, id)}<span class="affix" id="${id}">${unit}</span></span>`
}

/** @param by the id of what further describes it; null: nothing does */
function numberInput(typed: string, field: Bound<Own>, ctx: ViewContext, by: string | null = null): Html {
  return html`<input type="text" inputmode="${field.column.type === 'integer' ? 'numeric' : 'decimal'}" value="${typed}" class="number" autocomplete="off"${stepAttributes(field)}${describedAttributes(field, ctx, by)}>`
}

function stepAttributes({ own }: Bound<{ min?: number; max?: number; step?: number }>): Html | null {
  if (own.step === undefined) return null
  return html` data-step="${decimalText(own.step)}"${own.min !== undefined && html` data-min="${decimalText(own.min)}"`}${own.max !== undefined && html` data-max="${decimalText(own.max)}"`}`
}

function inBounds({ min, max }: { min?: number; max?: number }): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const number = Number(value)
    if (min !== undefined && number < min) issues.push({ code: 'too_small', origin: 'number', minimum: min, input: number })
    if (max !== undefined && number > max) issues.push({ code: 'too_big', origin: 'number', maximum: max, input: number })
  }
}

function onStep(own: { min?: number; max?: number; step?: number }): z.core.CheckFn<number | string> {
  return ({ value, issues }) => {
    if (besideSteps(value, own))
      issues.push({ code: 'not_multiple_of', divisor: own.step as number, origin: 'number', input: value as number })
  }
}
