import { rememberedText } from './remembered.js'

/**
 * A time of day that was typed as the locale writes it (`5:30 PM`, `17.30`, `17 h 30`), as `17:30`; anything else as it is.
 */
export function typedTime(text: string, locale: string | undefined): string {
  if (locale === undefined) return text
  const { pattern, hours } = formOf(locale)
  const [, before = '', shown, minute, second, after = ''] = pattern.exec(text.normalize('NFKC')) ?? []
  const words = wordsIn(before + after)
  const hour = hours.get(`${Number(shown)} ${words}`) ?? (words === '' ? shown?.padStart(2, '0') : undefined)
  return hour === undefined ? text : [hour, minute, ...(second === undefined ? [] : [second])].join(':')
}

interface Form {
  /** What stands before the hours, these, minutes, seconds, and what stands behind. */
  readonly pattern: RegExp
  /** The hours by how they are written, and the words that stand around the digits, such as those for the half of the day. */
  readonly hours: ReadonlyMap<string, string>
}

const formOf = rememberedText((locale: string): Form => {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', numberingSystem: 'latn', timeZone: 'UTC' })
  const hours = new Map<string, string>()
  const signs = new Set([':'])
  for (let hour = 0; hour < 24; hour++) {
    const parts = format.formatToParts(Date.UTC(1970, 0, 1, hour))
    const at = parts.findIndex(({ type }) => type === 'hour')
    const until = parts.findIndex(({ type }) => type === 'minute')
    const textOf = (some: typeof parts) => some.map(({ value }) => value).join('')
    signs.add(
      textOf(parts.slice(at + 1, until))
        .normalize('NFKC')
        .trim(),
    )
    const words = wordsIn(textOf([...parts.slice(0, at), ...parts.slice(until + 1)]).normalize('NFKC'))
    hours.set(`${Number(parts[at]?.value)} ${words}`, String(hour).padStart(2, '0'))
  }
  const sign = `\\s*(?:${[...signs].map((one) => one.replace(/[\\^$.|?*+()[\]{}/-]/g, '\\$&')).join('|')})\\s*`
  return { pattern: new RegExp(`^(\\D*)(\\d{1,2})${sign}(\\d\\d)(?:${sign}(\\d\\d))?(\\D*)$`, 'u'), hours }
})

/** Words as people may type them: with or without spaces and full stops, and in any case. */
const wordsIn = (text: string) => text.toLowerCase().replace(/[\s.\p{Cf}]/gu, '')
