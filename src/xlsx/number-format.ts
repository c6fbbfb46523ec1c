import { digitsOf, isCurrency } from '../field/currency.js'
import type { Bound } from '../field/field.js'

/** The formats of days, and of days with times. They are the same in every language. */
const dayFormat = 'yyyy-mm-dd'
const timeFormat = 'yyyy-mm-dd hh:mm:ss'

/** How a sheet shows the values of a field; null: as they are. */
export function numberFormat(field: Bound | null, locale: string): string | null {
  if (!field) return null
  const { time } = field.kind
  if (time !== null) return time === 'day' ? dayFormat : timeFormat
  const { decimals, currency, grouping } = field.own as { decimals?: unknown; currency?: unknown; grouping?: unknown }
  const code = typeof currency === 'string' && isCurrency(currency) ? currency : null
  const digits = typeof decimals === 'number' ? decimals : code !== null ? digitsOf(code) : field.column.scale
  if (digits === null) return null
  const plain = code === null && typeof decimals !== 'number'
  const whole = grouping === false || plain ? '0' : '#,##0'
  const number = digits === 0 ? whole : `${whole}.${'0'.repeat(digits)}`
  if (code === null) return number
  const [before, after] = aroundNumber(locale, code)
  return quoted(before) + number + quoted(after)
}

/** What the amounts of a currency have before and after the number. */
function aroundNumber(locale: string, currency: string): readonly [before: string, after: string] {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(1)
  const at = parts.findIndex(({ type }) => type === 'integer')
  const textOf = (some: typeof parts) =>
    some
      .filter(({ type }) => type === 'currency' || type === 'literal')
      .map(({ value }) => value)
      .join('')
  return [textOf(parts.slice(0, at)), textOf(parts.slice(at))]
}

const quoted = (text: string) => (text === '' ? '' : `"${text.replaceAll('"', '')}"`)
