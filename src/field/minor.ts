import { digitsOf } from './currency.js'
import type { Bound, ColumnType } from './field.js'
import { decimalText, withoutZeros } from './steps.js'

/** What `currency` of a field states. */
export interface Amounts {
  readonly currency?: string | undefined
  readonly minor?: boolean | undefined
}

/** What `currency` may state besides the code. */
export interface CurrencyOptions {
  /**
   * Whether the column holds whole numbers of the currency's smallest unit: 1234 is €12.34. Everybody reads, types and sends 12.34, and code
   * has 1234. Default: `false`.
   */
  readonly minor?: boolean
}

/** The facts of the method `currency`: a further call replaces both. */
export function currencyFacts(currency: string, { minor = false }: CurrencyOptions = {}): { currency: string; minor: boolean } {
  return { currency, minor }
}

/** How many digits of a stored whole number are behind the point of the amount; null: it is no number of the smallest units. */
export function minorDigits({ currency, minor }: Amounts): number | null {
  return minor && currency !== undefined ? digitsOf(currency) : null
}

/** The type of a column that would hold the values of a field as they are in JSON. */
export function wireType({ own, column }: Pick<Bound, 'own' | 'column'>): ColumnType {
  if (!minorDigits(own)) return column.type
  return column.type === 'integer' ? 'real' : column.type === 'bigint' ? 'numeric' : column.type
}

/** How many digits the values of a field always have behind the point in JSON; null: as many as each has. */
export function wireScale({ own, column }: Pick<Bound, 'own' | 'column'>): number | null {
  return minorDigits(own) ?? column.scale
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/

/** A number of the smallest units, as text → the amount, with as many digits as the currency has. */
export function majorText(minor: string, digits: number): string {
  const [, sign = '', whole = '', beyond = ''] = decimal.exec(minor) ?? []
  const all = whole.padStart(digits + 1, '0')
  const fraction = all.slice(all.length - digits) + beyond
  return whole === '' ? minor : `${sign}${all.slice(0, all.length - digits)}${fraction && `.${fraction}`}`
}

/**
 * A number of the smallest units → the amount. A division of doubles is rounded once, so that up to fifteen digits the result is the very
 * double that its decimal is read as.
 */
export const majorNumber = (minor: number, digits: number): number => minor / 10 ** digits

/** An amount, as text → the number of the smallest units; what is finer than those stays behind its point. */
export function minorText(amount: string, digits: number): string {
  const [, sign = '', whole = '', fraction = ''] = decimal.exec(amount) ?? []
  const all = whole + fraction.slice(0, digits).padEnd(digits, '0')
  const beyond = withoutZeros(fraction.slice(digits))
  return `${sign}${all.replace(/^0+(?=\d)/, '')}${beyond && `.${beyond}`}`
}

/** An amount → the number of the smallest units, by its decimal: 1.005 are 1005 thousandths. */
export const minorNumber = (amount: number, digits: number): number => Number(minorText(decimalText(amount), digits))

/** Whether an amount is finer than the smallest unit. */
export function isFiner(amount: number | string, digits: number): boolean {
  return minorText(typeof amount === 'number' ? decimalText(amount) : amount, digits).includes('.')
}
