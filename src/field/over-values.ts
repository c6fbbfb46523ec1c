import { digitsOf } from './currency.js'
import type { Bound } from './field.js'
import { number } from './kinds/number.js'
import type { Format } from './number-text.js'

/**
 * The field as numbers over its values are shown, such as their sum and average: as numbers, with the unit that it states, and with the digits
 * that it states or its currency has, since an average has any number of them. Null: it states nothing of that.
 */
export function overValues(field: Bound): Bound | null {
  const { decimals, currency, unit, grouping } = field.own as Format
  if (decimals === undefined && currency === undefined && unit === undefined) return null
  const digits = decimals ?? (currency === undefined ? undefined : digitsOf(currency))
  return { ...field, kind: number().kind, own: { decimals: digits, currency, unit, grouping, rounded: digits === undefined } }
}
