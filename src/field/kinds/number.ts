import * as z from 'zod'
import { attributes, block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { a } from '../../base/setting.js'
import { rangeFault } from '../bounds.js'
import { currencySign, digitsOf, isCurrency } from '../currency.js'
import { type Bound, type BoundColumn, type ColumnType, type Json, Unreadable, type ViewContext } from '../field.js'
import { liveControl, type SavesInPlace, savesInPlace } from '../in-place.js'
import { isInt64 } from '../key.js'
import { defineKind, describedAttributes } from '../kind.js'
import {
  type CurrencyOptions,
  currencyFacts,
  isFiner,
  majorNumber,
  majorText,
  minorDigits,
  minorNumber,
  minorText,
  wireType,
} from '../minor.js'
import { isDigits, numberShown, shownNumber, typedNumber } from '../number-text.js'
import { besideSteps, decimalText, stepFault } from '../steps.js'
import { stating, taking } from '../taking.js'
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
  minor?: boolean
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
     * the currency, and those that are stored beyond; `decimals()` says otherwise. Controls have the plain number, beside the
     * sign of the currency, JSON and exports that alone. With `{ minor: true }` an integer or bigint column holds whole cents.
     */
    currency(code: string, options?: CurrencyOptions): { currency: string; minor: boolean }
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
    min: taking((min) => ({ min }), a.number),
    max: taking((max) => ({ max }), a.number),
    step: taking((step) => ({ step }), a.number),
    decimals: (decimals) => ({ decimals }),
    currency: currencyFacts,
    unit: (unit) => ({ unit }),
    grouping: (grouping) => ({ grouping }),
    searchable: stating({ searchable: true }),
    ...savesInPlace,
  },
  fault: ({ own, column }) => {
    if (own.decimals !== undefined && !isDigits(own.decimals)) return `decimals(${own.decimals}) is not a number of digits from 0 to 20`
    if (own.currency !== undefined && !isCurrency(own.currency))
      return `currency(${JSON.stringify(own.currency)}) is no code of a currency, such as "EUR"`
    const isWhole = column.type === 'integer' || column.type === 'bigint'
    const digits = minorDigits(own)
    if (digits === null) return unitFault(own) ?? rangeFault(own, column) ?? stepFault(own, isWhole ? 0 : null)
    // A sum of whole numbers may be a double, and their average is one.
    if (!isWhole && !('tally' in own))
      return `currency("${own.currency}", { minor: true }) needs a column of whole numbers, integer or bigint: this one is ${column.type}`
    return unitFault(own) ?? rangeFault(own, { ...column, type: 'real', range: amountsIn(column, digits) }) ?? stepFault(own, digits)
  },
  schema: (field) => {
    const one = schemaOf(field)
    const measure = field.own.currency ?? field.own.unit
    const digits = minorDigits(field.own)
    if (digits) return one.describe(`In ${measure}, with at most ${digits} digits after the point.`)
    return measure === undefined ? one : one.describe(`In ${measure}.`)
  },
  read: (typed, { column, own }, { locale }) => {
    const digits = minorDigits(own)
    // No amount of cents has three digits behind its point.
    const hasNone = (column.type === 'integer' || column.type === 'bigint') && (digits ?? 0) < 3
    const text = typedNumber(typed, locale, hasNone)
    if (text === null) {
      const [one, other] = [typed.replace('.', '').trim(), typed.replace('.', ',').trim()]
      return new Unreadable((t, label) => t('field.twoNumbers', { label, one, other }))
    }
    if (asText.has(column.type)) return text
    // A double would not have what makes it too fine.
    if (digits && column.type === 'integer' && decimal.test(text) && isFiner(text, digits))
      return new Unreadable(tooFine(own.currency as string, digits))
    return numeral.test(text) ? Number(text) : typed
  },
  text: (value, { own, column }, { locale }) => {
    const isShown = locale !== undefined && (own.minor || column.type === 'real' || column.type === 'numeric')
    const digits = own.decimals ?? (own.currency === undefined ? 0 : digitsOf(own.currency))
    const amount = String(amountOf(value, own))
    return shownNumber(isShown ? padded(amount, digits) : amount, locale)
  },
  value: (wire, { own, column }) => {
    const digits = minorDigits(own)
    if (column.type === 'bigint') return BigInt(digits ? minorText(wire as string, digits) : (wire as string))
    if (!digits) return wire as number
    const stored: Json = typeof wire === 'number' ? minorNumber(wire, digits) : minorText(wire as string, digits)
    return stored as number
  },
  words: (value, { own }, { locale = 'en' }) => numberShown(amountOf(value, own), own, locale),
  wire: (value, { own, column }) => {
    const digits = minorDigits(own)
    // Of a bigint column, a text is a default that was declared as it is in JSON.
    const isWritten = digits === null || (column.type === 'bigint' && typeof value !== 'bigint')
    if (asText.has(column.type) || typeof value === 'bigint') return isWritten ? String(value) : majorText(String(value), digits)
    // JSON has no NaN or infinity.
    return Number.isFinite(value) ? majorNumber(value, digits ?? 0) : null
  },
  over: (number, { own }) => majorNumber(number, minorDigits(own) ?? 0),
  plain: ({ own, column }) => !own.minor && !asText.has(column.type),
  cell: (value, field, ctx) => html`<span class="number">${numberShown(amountOf(value, field.own), field.own, ctx.locale)}</span>`,
  input: affixed,
  live: (typed, field, ctx) => liveControl(typed, field, ctx, numberInput),
})

// The digits that a double keeps of any decimal number: JSON has the amounts of an integer column as numbers.
const mostMinor = 1e15 - 1

/** The smallest and the largest amount of a column that holds the smallest units. */
function amountsIn({ type, range }: BoundColumn, digits: number): readonly [number, number] | null {
  if (type !== 'integer') return null
  const [least, most] = range ?? [-mostMinor, mostMinor]
  return [majorNumber(Math.max(least, -mostMinor), digits), majorNumber(Math.min(most, mostMinor), digits)]
}

/** A stored number as the amount that it means, exactly. */
function amountOf(value: number | bigint, own: Own): number | bigint | `${number}` {
  const digits = minorDigits(own)
  if (digits === null) return value
  if (typeof value === 'number' && (Math.abs(value) <= mostMinor || !Number.isSafeInteger(value))) return majorNumber(value, digits)
  return majorText(String(value), digits) as `${number}`
}

const tooFine = (currency: string, digits: number) => (t: Translate, label: string) => t('field.tooFineAmount', { label, currency, digits })

function schemaOf({ own, column }: Bound<Own>): z.ZodType {
  const digits = minorDigits(own)
  // A number that is told of several records is any.
  const finest = column.type === 'integer' || column.type === 'bigint' ? digits : null
  if (asText.has(column.type)) {
    const pattern = column.type === 'bigint' && !digits ? whole : decimal
    return (
      z
        .string()
        // Abort here: the later checks would throw on text that is no number.
        .regex(pattern, { abort: true })
        .check(noFiner(own, finest))
        .refine((text) => column.type !== 'bigint' || isInt64(minorText(text, digits ?? 0)), {
          abort: true,
          params: { says: 'field.tooFine' },
        })
        .check(inBounds(own))
        .check(onStep(own))
    )
  }
  const one = column.type === 'integer' && !digits ? z.int() : z.number()
  const range = finest ? amountsIn(column, finest) : column.range
  const least = Math.max(own.min ?? -Number.MAX_VALUE, range?.[0] ?? -Number.MAX_VALUE)
  const most = Math.min(own.max ?? Number.MAX_VALUE, range?.[1] ?? Number.MAX_VALUE)
  const above = least > -Number.MAX_VALUE ? one.min(least) : one
  const between = most < Number.MAX_VALUE ? above.max(most) : above
  if (finest) return between.check(noFiner(own, finest)).check(onStep(own))
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

/** The control, with the unit or the currency beside it. */
function affixed(typed: string, field: Bound<Own>, ctx: ViewContext): Html {
  const { unit, currency } = field.own
  const affix = currency === undefined ? unit : currencySign(currency, ctx.locale)
  if (affix === undefined) return numberInput(typed, field, ctx)
  const id = `${ctx.id}-unit`
  return html`<span class="affixed">${numberInput(typed, field, ctx, id)}<span class="affix" id="${id}">${affix}</span></span>`
}

/** @param by the id of what further describes it; null: nothing does */
function numberInput(typed: string, field: Bound<Own>, ctx: ViewContext, by: string | null = null): Html {
  return block`
    <input
      type="text"
      inputmode="${wireType(field) === 'integer' ? 'numeric' : 'decimal'}"
      value="${typed}"
      class="number"
      autocomplete="off"
      ${stepAttributes(field)}
      ${describedAttributes(field, ctx, by)}
    >
  `
}

function stepAttributes({ own }: Bound<Own>): Html | null {
  const digits = minorDigits(own)
  const step = own.step ?? (digits === null ? undefined : majorNumber(1, digits))
  if (step === undefined) return null
  const { min, max } = own
  return attributes({
    'data-step': decimalText(step),
    'data-min': min === undefined ? null : decimalText(min),
    'data-max': max === undefined ? null : decimalText(max),
  })
}

function inBounds({ min, max }: { min?: number; max?: number }): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const number = Number(value)
    if (min !== undefined && number < min) issues.push({ code: 'too_small', origin: 'number', minimum: min, input: number })
    if (max !== undefined && number > max) issues.push({ code: 'too_big', origin: 'number', maximum: max, input: number })
  }
}

function noFiner({ currency }: Own, digits: number | null): z.core.CheckFn<number | string> {
  return ({ value, issues }) => {
    if (digits !== null && isFiner(value, digits))
      issues.push({ code: 'custom', input: value, continue: false, params: { says: 'field.tooFineAmount', fill: { currency, digits } } })
  }
}

function onStep(own: { min?: number; max?: number; step?: number }): z.core.CheckFn<number | string> {
  return ({ value, issues }) => {
    if (besideSteps(value, own))
      issues.push({ code: 'not_multiple_of', divisor: own.step as number, origin: 'number', input: value as number })
  }
}
