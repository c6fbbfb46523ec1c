interface Separators {
  /** Whether it writes 1,5 for one and a half. */
  readonly comma: boolean
  /** Where it has a point for that: what it has between groups of digits; null: nothing that could be told from it. */
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

/** A number as a control shows it: with the comma of the locale, and without groups. */
export function shownNumber(number: string, locale: string | undefined): string {
  return locale !== undefined && hasComma(locale) ? number.replace('.', ',') : number
}

/**
 * A number as somebody has typed it → as programs write it. Where a locale has a comma, so may the text, and points or spaces that group its digits; a point is taken for a comma
 * where it can be nothing else. Where it has a point, its digits may be grouped by threes as the locale does it. What is no number comes back as it is.
 *
 * @param whole it can have no fraction
 * @returns null where it could mean two: `1.234`
 */
export function typedNumber(typed: string, locale: string | undefined, whole: boolean): string | null {
  const text = typed.trim()
  if (locale === undefined) return text
  const { comma, group } = separatorsOf(locale)
  if (!comma) {
    // Which of the two apostrophes it is depends on the version of ICU.
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
