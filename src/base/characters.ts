/**
 * How many characters a text has. An emoji is one, as JSON Schema (RFC 8259 §1) and databases count, though it takes two of a string's units.
 */
export const countCharacters = (text: string): number => [...text].length

/** Whether a text has more characters than so many. */
export const isLonger = (text: string, most: number): boolean => text.length > most && countCharacters(text) > most
