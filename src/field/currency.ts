import { remembered } from './remembered.js'

const known = new Set(Intl.supportedValuesOf('currency'))

/** Whether this is the code of a currency, as ISO 4217 has it: `EUR`. */
export const isCurrency = (code: string): boolean => known.has(code)

/** How many digits a currency has after the decimal point. */
export const digitsOf = remembered((currency: string): number => {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits ?? 0
})

const signs = remembered((locale: string) =>
  remembered((currency: string) => {
    const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0)
    return parts.find(({ type }) => type === 'currency')?.value ?? currency
  }),
)

/** How a locale writes a currency at an amount: €, in `en` CA$. */
export const currencySign = (currency: string, locale: string): string => signs(locale)(currency)

// From here on, 15 digits would not hold the cents that a double still tells.
const large = 1e13

/** A double without the digits beyond those that it keeps of any decimal number: 0.1 + 0.2 is 0.3. */
export function withoutNoise<V>(value: V): V | number {
  return typeof value === 'number' && !Number.isInteger(value) && Math.abs(value) < large ? Number(value.toPrecision(15)) : value
}
