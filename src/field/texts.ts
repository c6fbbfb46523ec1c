/** Whether a stored value is a list of texts. A json column may hold anything, whatever its field declares. */
export const isTexts = (stored: unknown): stored is readonly string[] =>
  Array.isArray(stored) && stored.every((one) => typeof one === 'string')

/** The values that a form sends for one field, as one text. Anything but a list is returned as it is, for the schema to refuse. */
export function listIn(typed: string): unknown {
  try {
    return typed === '' ? [] : JSON.parse(typed)
  } catch {
    return typed
  }
}

/** The same, if they are texts; else none. */
export function textsIn(typed: string): readonly string[] {
  const list = listIn(typed)
  return isTexts(list) ? list : []
}

/** The texts as a list of short ones has them that people type: trimmed, and each once. Blank ones are none. */
export const tidied = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.map((one) => one.trim()).filter((one) => one !== '')),
]

/** The same, as a control has them that has each on a line of its own. */
export const asLines = (typed: string): string => textsIn(typed).join('\n')

/** The texts that stand each on its own line. */
export const linesIn = (text: string): readonly string[] => tidied(text.split(/\r\n?|\n/))
