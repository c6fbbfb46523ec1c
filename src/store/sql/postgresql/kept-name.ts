// In bytes.
export const longestName = 63

/** A name as PostgreSQL keeps it, and says it in a refusal: without the characters that it has no room for. */
export function keptName(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name
  let kept = ''
  for (const character of name) {
    if (Buffer.byteLength(kept + character) > longestName) break
    kept += character
  }
  return kept
}
