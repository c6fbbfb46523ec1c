import type { Translate } from '../base/messages.js'
import { type Condition, never } from '../resource/condition.js'
import type { Resource } from '../resource/resource.js'

// A search checks every row for every word, so it takes no more than a person would type.
const mostWords = 20
export const mostLetters = 200

/** Why a text is not searched for; null: it is. */
export function searchFault(search: string, t: Translate): string | null {
  const tooLong = isTooLong(search) || search.split(/\s+/u).filter(Boolean).length > mostWords
  return tooLong ? t('query.searchTooLong', { words: mostWords, letters: mostLetters }) : null
}

export const isTooLong = (text: string) => text.length > mostLetters && [...text].length > mostLetters

/**
 * The condition of a search for at least one word. If there is no column to search, or no word that a full-text index could contain, it
 * finds nothing rather than everything.
 */
export function searchCondition({ fullText }: Resource, columns: readonly string[], words: readonly string[]): Condition {
  if (columns.length === 0) return never
  if (fullText === null || !columns.every((key) => fullText.columns.includes(key))) return { op: 'search', columns, words }
  // A full-text index contains only words of letters and digits.
  const found = words.filter((word) => /[\p{L}\p{N}]/u.test(word))
  return found.length > 0 ? { op: 'fullText', columns, words: found, of: fullText } : never
}
