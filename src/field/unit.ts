import { remembered } from './remembered.js'

/** What is wrong with the unit of numbers; null: nothing. */
export function unitFault({ unit, currency }: { readonly unit?: string; readonly currency?: string }): string | null {
  if (unit === undefined) return null
  if (typeof unit !== 'string' || unit.trim() === '') return `unit(${JSON.stringify(unit)}) is no text, such as "kg"`
  return currency === undefined ? null : `is an amount of a currency or has a unit, and not both: ${currency}, ${unit}`
}

// They stand at the number itself: 45°, 5′.
const near = new Set(['°', '′', '″'])

// As the locale writes it: 5% or 5 %.
const percent = remembered((locale: string) => {
  const parts = new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent' }).formatToParts(5)
  const [sign, number] = ['unit', 'integer'].map((wanted) => parts.findIndex(({ type }) => type === wanted)) as [number, number]
  const between = parts[Math.min(sign, number) + 1]
  const space = between?.type === 'literal' ? between.value : ''
  const said = parts[sign]?.value ?? '%'
  return sign < number ? { before: said + space, after: '' } : { before: '', after: space + said }
})

/** A number with its unit behind it, on the same line: a narrow space is between them. A percent sign stands as the locale has it. */
export function withUnit(number: string, unit: string | undefined, locale: string): string {
  if (unit === undefined) return number
  if (unit !== '%') return `${number}${near.has(unit) ? '' : '\u202f'}${unit}`
  const { before, after } = percent(locale)
  return before + number + after
}
