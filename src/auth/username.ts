/** A username as it is stored, and as attempts are counted by: who types it otherwise means the same one. */
export function plainUsername(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
