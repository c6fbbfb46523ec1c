import { createRequire } from 'node:module'
import { english, type Messages } from './messages.js'

/** The languages that the panel speaks besides English, by their code: `src/languages/` has a file of each, with every text. */
export const languages: ReadonlySet<string> = new Set(['de', 'es', 'fr', 'it', 'pt'])

// The path is the same from here and from the bundle. A file is read when a panel first speaks its language: most speak one.
const load = createRequire(import.meta.url)

/**
 * The texts for a locale: those of its language, or English if we have no translation.
 *
 * @param own your own texts, which replace those: some, or all for a language without a translation
 */
export function messagesOf(locale: string, own: Partial<Messages> = {}): Messages {
  const { language } = new Intl.Locale(locale)
  return { ...(languages.has(language) ? (load(`../languages/${language}.json`) as Messages) : english), ...own }
}

/** A label in the middle of a sentence: lower case, except in German and for abbreviations. */
export function inSentence(label: string, locale: string): string {
  const keeps = new Intl.Locale(locale).language === 'de' || /^\p{Lu}{2}/u.test(label)
  return keeps ? label : label.toLocaleLowerCase(locale)
}
