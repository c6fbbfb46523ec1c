import { isVast, vastText } from '../base/number.js'
import { withoutNoise } from './currency.js'
import { remembered } from './remembered.js'
import { withUnit } from './unit.js'

interface Separators {
  /** Whether the locale writes 1,5 for one and a half. */
  readonly comma: boolean
  /**
   * The group separator of a locale with a decimal point; null: the locale has no decimal point, or does not group ASCII digits by threes.
   */
  readonly group: string | null
}

const separators = new Map<string, Separators>()

function separatorsOf(locale: string): Separators {
  let known = separators.get(locale)
  if (known === undefined) {
    const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5)
    const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value
    const isPlain = parts[0]?.value === '1'
    const [decimal, group] = [partOf('decimal'), partOf('group')]
    known = { comma: isPlain && decimal === ',', group: isPlain && decimal === '.' && group !== undefined ? group : null }
    separators.set(locale, known)
  }
  return known
}

const hasComma = (locale: string) => separatorsOf(locale).comma

const grouped = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/
const pointed = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
const spaced = /^[+-]?[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?:,\d+)?$/

/** A number as a form control shows it: with the locale's decimal comma, and without grouping. */
export function shownNumber(number: string, locale: string | undefined): string {
  return locale !== undefined && hasComma(locale) ? number.replace('.', ',') : number
}

/**
 * Converts a typed number to program notation. In a locale with a decimal comma, points or spaces may group the digits, and a point counts
 * as the decimal separator if it cannot be a group. In a locale with a decimal point, groups of three follow the locale. Anything else is
 * returned trimmed.
 *
 * @param whole whether the number cannot have a fraction
 * @returns null if the text is ambiguous: `1.234`
 */
export function typedNumber(typed: string, locale: string | undefined, whole: boolean): string | null {
  const text = typed.trim()
  if (locale === undefined) return text
  const { comma, group } = separatorsOf(locale)
  if (!comma) {
    // The apostrophe that ICU uses depends on its version.
    const groups = group === "'" || group === '’' ? /['’]/g : group
    const written = groups === null || groups === ',' ? text : text.includes(',') ? '' : text.replaceAll(groups, ',')
    return group !== null && pointed.test(written) ? written.replaceAll(',', '') : text
  }
  if (grouped.test(text)) {
    const isOne = text.split('.').length === 2 && !text.includes(',')
    return isOne && !whole ? null : text.replaceAll('.', '').replace(',', '.')
  }
  if (spaced.test(text)) return text.replaceAll(/[ \u00a0\u202f]/g, '').replace(',', '.')
  return /^[^.,]*,[^.,]*$/.test(text) ? text.replace(',', '.') : text
}

/** Whether a number can be shown with so many digits after the decimal point. */
export const isDigits = (digits: number) => Number.isInteger(digits) && digits >= 0 && digits <= 20

const formats = new Map<string, (value: number | bigint | `${number}`) => string>()

/** How numbers are shown. */
export interface Format {
  /** The digits after the decimal point; undefined: as many as a number has, of an amount of a currency at least as many as that has. */
  readonly decimals?: number | undefined
  /** The currency whose amounts they are; undefined: they are none. */
  readonly currency?: string | undefined
  /** The unit behind them; undefined: none. */
  readonly unit?: string | undefined
  /** Whether the digits are those of a number over several values, which may have any number of them: at most three after the point. */
  readonly rounded?: boolean | undefined
  /** Whether the digits are grouped. Default: true. */
  readonly grouping?: boolean | undefined
}

/** A number for people to read. */
export function numberShown(
  value: number | bigint | `${number}`,
  { decimals, currency, unit, rounded, grouping = true }: Format,
  locale: string,
): string {
  if (typeof value === 'number' && isVast(value)) return withUnit(vastText(locale, value), unit, locale)
  const key = `${locale} ${decimals} ${currency} ${grouping} ${rounded}`
  let one = formats.get(key)
  if (!one) {
    const made = new Intl.NumberFormat(locale, {
      // Else as the locale has it: in some, four digits are not grouped.
      ...(!grouping && { useGrouping: false }),
      ...(currency !== undefined && { style: 'currency', currency }),
      ...(decimals !== undefined
        ? { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
        : !rounded && { maximumFractionDigits: 20 }),
    })
    // A double would show the digits that no double has.
    one = remembered((value) => made.format(withoutNoise(value)))
    formats.set(key, one)
  }
  return withUnit(one(value), unit, locale)
}
