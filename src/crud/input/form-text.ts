import type { Bound } from '../../field/field.js'
import { lineFeeds } from '../../field/line-feeds.js'
import { linesIn } from '../../field/texts.js'

/**
 * The text that a form sent for a field. The last value counts, since a control may send a hidden one first; several values become a JSON
 * list.
 */
export function formText(field: Bound, texts: readonly string[]): string {
  const { kind } = field
  if (!kind.many(field)) return lineFeeds(texts.at(-1) ?? '')
  const chosen = kind.lines ? texts.flatMap(linesIn) : texts.filter((text) => text !== '').map(lineFeeds)
  return chosen.length === 0 ? '' : JSON.stringify(chosen)
}
