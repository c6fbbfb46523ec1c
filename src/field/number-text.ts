const separators = new Map<string, boolean>()

/** Whether a locale writes 1,5 for one and a half. */
function hasComma(locale: string): boolean {
  let has = separators.get(locale)
  if (has === undefined) {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
    has = parts.some(({ type, value }) => type === 'decimal' && value === ',') && parts[0]?.value === '1'
    separators.set(locale, has)
  }
  return has
}

const grouped = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/
const spaced = /^[+-]?[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?:,\d+)?$/

/** A number as a control shows it: with the comma of the locale, and without groups. */
export function shownNumber(number: string, locale: string | undefined): string {
  return locale !== undefined && hasComma(locale) ? number.replace('.', ',') : number
}

/**
 * A number as somebody has typed it → as programs write it. Where a locale has a comma, so may the text, and points or spaces that group its digits; a point is taken for a comma
 * where it can be nothing else. What is no number comes back as it is.
 *
 * @param whole it can have no fraction
 * @returns null where it could mean two: `1.234`
 */
export function typedNumber(typed: string, locale: string | undefined, whole: boolean): string | null {
  const text = typed.trim()
  if (locale === undefined || !hasComma(locale)) return text
  if (grouped.test(text)) {
    const isOne = text.split('.').length === 2 && !text.includes(',')
    return isOne && !whole ? null : text.replaceAll('.', '').replace(',', '.')
  }
  if (spaced.test(text)) return text.replaceAll(/[ \u00a0\u202f]/g, '').replace(',', '.')
  return /^[^.,]*,[^.,]*$/.test(text) ? text.replace(',', '.') : text
}
