/** Normalizes a username for storage and for counting attempts, so that other spellings mean the same user. */
export function plainUsername(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
