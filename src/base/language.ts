import { french } from './french.js'
import { german } from './german.js'
import { english, type Messages } from './messages.js'

/** The languages that the panel speaks, by their code. */
export const catalogues: Readonly<Record<string, Messages>> = { en: english, de: german, fr: french }

/**
 * The texts for a locale: those of its language, or English if we have no translation.
 *
 * @param own your own texts, which replace those: some, or all for a language without a translation
 */
export function messagesOf(locale: string, own: Partial<Messages> = {}): Messages {
  const language = new Intl.Locale(locale).language
  return { ...(catalogues[language] ?? english), ...own }
}

/** A label in the middle of a sentence: lower case, except in German and for abbreviations. */
export function inSentence(label: string, locale: string): string {
  const keeps = new Intl.Locale(locale).language === 'de' || /^\p{Lu}{2}/u.test(label)
  return keeps ? label : label.toLocaleLowerCase(locale)
}
