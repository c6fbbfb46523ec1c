import type { BoundColumn, Json } from './field.js'
import { keyFromText } from './key.js'

/**
 * The keys of several records, as in JSON: numbers for integer columns, else texts. In order, each once, so that the same records are the
 * same list.
 */
export type Keys = readonly (string | number)[]

/** Keys in the one order that lists of them have: numbers by size, then texts by code unit. */
export function inOrder(keys: Keys): Keys {
  return [...new Set(keys)].sort((a, b) => (typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === 'number' ? -1 : 1))
}

/** The texts of keys, as the database or a form has them → the keys. */
export function keysFromTexts(texts: readonly string[], { type }: BoundColumn): Keys {
  return inOrder(texts.map((text) => keyFromText(text, type)))
}

/** The text of a form control that stands for keys: a JSON list of their texts, or empty. */
export function textOfKeys(keys: Keys): string {
  return keys.length === 0 ? '' : JSON.stringify(keys.map(String))
}

/** The JSON list in the text of a form control. Anything else is returned as it is, for the schema to refuse. */
export function keysFromText(text: string, column: BoundColumn): Json {
  if (text === '') return []
  try {
    const texts: unknown = JSON.parse(text)
    return Array.isArray(texts) && texts.every((one) => typeof one === 'string') ? keysFromTexts(texts, column) : text
  } catch {
    return text
  }
}
