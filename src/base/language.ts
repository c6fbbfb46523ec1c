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
