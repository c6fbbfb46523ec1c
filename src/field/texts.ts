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
