import { german } from './german.js'
import { english, type Messages } from './messages.js'

const catalogues: Readonly<Record<string, Messages>> = { en: english, de: german }

/**
 * The texts of a locale: those of its language, English where there are none.
 *
 * @param own texts of your own, over those; a language that we don't speak is given whole or in part
 */
export function messagesOf(locale: string, own: Partial<Messages> = {}): Messages {
  const language = new Intl.Locale(locale).language
  return { ...(catalogues[language] ?? english), ...own }
}

/** A label in the midst of a sentence. German keeps its capitals there, and every language those of an abbreviation. */
export function inSentence(label: string, locale: string): string {
  const keeps = new Intl.Locale(locale).language === 'de' || /^\p{Lu}{2}/u.test(label)
  return keeps ? label : label.toLocaleLowerCase(locale)
}
