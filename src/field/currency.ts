import type { Bound } from './field.js'
import { remembered } from './remembered.js'

const known = new Set(Intl.supportedValuesOf('currency'))

/** Whether this is the code of a currency, as ISO 4217 has it: `EUR`. */
export const isCurrency = (code: string): boolean => known.has(code)

/** How many digits a currency has after the decimal point. */
export const digitsOf = remembered((currency: string): number => {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits ?? 0
})

/**
 * The field as numbers over its values are shown, such as their sum and average: with its unit, and with the digits that it states or its
 * currency has, since an average has any number of them. Null: it states nothing of that.
 */
export function overValues(field: Bound): Bound | null {
  const { decimals, currency, unit } = field.own
  if (decimals !== undefined) return field
  if (currency !== undefined) return { ...field, own: { ...field.own, decimals: digitsOf(currency as string) } }
  return unit === undefined ? null : { ...field, own: { ...field.own, rounded: true } }
}

// From here on, 15 digits would not hold the cents that a double still tells.
const large = 1e13

/** A double without the digits beyond those that it keeps of any decimal number: 0.1 + 0.2 is 0.3. */
export function withoutNoise(value: number | bigint): number | bigint {
  return typeof value === 'number' && !Number.isInteger(value) && Math.abs(value) < large ? Number(value.toPrecision(15)) : value
}
