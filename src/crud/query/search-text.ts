import { isLonger } from '../../base/characters.js'
import type { Translate } from '../../base/messages.js'
import { type Condition, never } from '../../resource/condition/condition.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'
import { exactMatches } from './exact-match.js'

// A search checks every row for every word, so it takes no more than a person would type.
const mostWords = 20
export const mostLetters = 200

/** Why a text is not searched for; null: it is. */
export function searchFault(search: string, t: Translate): string | null {
  const tooLong = isTooLong(search) || search.split(/\s+/u).filter(Boolean).length > mostWords
  return tooLong ? t('query.searchTooLong', { words: mostWords, letters: mostLetters }) : null
}

export const isTooLong = (text: string) => isLonger(text, mostLetters)

/**
 * The condition of a search for at least one word: each is in some of the fields, or is the value of one that is found by its whole value.
 * If there is no field to search, or no word that a full-text index could contain, it finds nothing rather than everything.
 */
export function searchCondition(realm: Realm, resource: Resource, columns: readonly string[], words: readonly string[]): Condition {
  const fields = columns.flatMap((key) => resource.fields.get(key) ?? [])
  const whole = fields.filter(({ kind }) => kind.exact)
  const texts = whole.length === 0 ? columns : columns.filter((key) => !whole.some((field) => field.key === key))
  const found = whole.length === 0 ? [] : words.map((word) => ({ word, is: exactMatches(realm, resource, whole, word) }))
  const values = found.filter(({ is }) => is.length > 0)
  if (values.length === 0) return textCondition(resource, texts, words)
  const plain = found.flatMap(({ word, is }) => (is.length === 0 ? [word] : []))
  const all = values.map(({ word, is }): Condition => ({ op: 'or', all: [...is, textCondition(resource, texts, [word])] }))
  return { op: 'and', all: plain.length === 0 ? all : [...all, textCondition(resource, texts, plain)] }
}

function textCondition({ fullText }: Resource, columns: readonly string[], words: readonly string[]): Condition {
  if (columns.length === 0) return never
  if (fullText === null || !columns.every((key) => fullText.columns.includes(key))) return { op: 'search', columns, words }
  // A full-text index contains only words of letters and digits.
  const found = words.filter((word) => /[\p{L}\p{N}]/u.test(word))
  return found.length > 0 ? { op: 'fullText', columns, words: found, of: fullText } : never
}
