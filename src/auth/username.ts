/** Normalizes a username for storage and for counting attempts, so that other spellings mean the same user. */
export function plainUsername(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/** The most characters of a username of the panel's own users. */
export const longestUsername = 200

/** Characters that break a line, or show another text than there is. */
export const oddCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

// Of two names that differ in these alone, nobody sees which is which.
const unseen = /\p{Default_Ignorable_Code_Point}/u

/** What is wrong with a normalized username of one of the panel's own users; null: nothing. */
export function usernameFault(plain: string): 'empty' | 'tooLong' | 'odd' | null {
  if (plain === '') return 'empty'
  if (plain.length > longestUsername) return 'tooLong'
  return plain.search(oddCharacters) === -1 && !unseen.test(plain) ? null : 'odd'
}

/** Whether a text from outside is one that every database and every page shows as it is. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && text.search(oddCharacters) === -1
}

/**
 * The most characters of a username or password that somebody sends: more than any real one has. Unicode normalization takes time quadratic
 * in the accents of a single letter.
 */
export const longestSent = 1000

/** What is wrong with a username that somebody else vouches for; null: nothing. */
export function vouchedFault(username: string): 'empty' | 'too long' | 'odd' | 'not in the form NFKC' | null {
  if (username.trim() === '') return 'empty'
  if (username.length > longestSent) return 'too long'
  if (!isPlainText(username) || unseen.test(username)) return 'odd'
  // `plainUsername` would make another one of it, which looks like it: whoever has vouched for this one does not for that.
  return username === username.normalize('NFKC') ? null : 'not in the form NFKC'
}
