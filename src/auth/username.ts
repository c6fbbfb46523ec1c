/** Normalizes a username for storage and for counting attempts, so that other spellings mean the same user. */
export function plainUsername(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/** The most characters of a username of the panel's own users. */
export const longestUsername = 200

/** Characters that break a line, or show another text than there is. */
export const oddCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** What is wrong with a normalized username of one of the panel's own users; null: nothing. */
export function usernameFault(plain: string): 'empty' | 'tooLong' | 'odd' | null {
  if (plain === '') return 'empty'
  if (plain.length > longestUsername) return 'tooLong'
  return plain.search(oddCharacters) === -1 ? null : 'odd'
}
