import { rememberedText } from './remembered.js'

type Part = 'day' | 'month' | 'year'

/**
 * A day that was typed as the locale writes it (`26.11.2026`), as `2026-11-26`; anything else as it is. The year has four digits. `en` without a
 * region could mean two days by one text, and so takes none.
 */
export function typedDay(text: string, locale: string | undefined): string {
  if (locale === undefined || !/^\s*\d{1,2}\D/.test(text)) return text
  const form = formOf(locale)
  const found = form?.pattern.exec(text)
  if (!form || !found) return text
  const value = (part: Part) => (found[form.order.indexOf(part) + 1] ?? '').padStart(2, '0')
  return `${value('year')}-${value('month')}-${value('day')}`
}

interface Form {
  readonly order: readonly Part[]
  readonly pattern: RegExp
}

const formOf = rememberedText((locale: string): Form | null => {
  const { language, region } = new Intl.Locale(locale)
  if (language === 'en' && region === undefined) return null
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'short', calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' })
  const parts = format.formatToParts(0)
  const order = parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
  const between = new Set(parts.filter(({ type }) => type === 'literal').map(({ value }) => value.trim()))
  const [sign] = between
  if (order.length !== 3 || between.size !== 1 || !sign || !/^[./-]$/.test(sign)) return null
  const digits = { day: '(\\d{1,2})', month: '(\\d{1,2})', year: '(\\d{4})' }
  return { order, pattern: new RegExp(`^\\s*${order.map((part) => digits[part]).join(`\\s*\\${sign}\\s*`)}\\s*$`) }
})
