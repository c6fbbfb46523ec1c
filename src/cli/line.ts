import { oddCharacters } from '../auth/username.js'

/** A line of a list, its parts with tabs between them. What would break the line, or turn it round, is a space. */
export function lineOf(parts: readonly string[]): string {
  return parts.map((one) => one.replaceAll(oddCharacters, ' ')).join('\t')
}
