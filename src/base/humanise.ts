/** `countryId` → `Country id`, `world-cities` → `World cities`. */
export function humanise(key: string): string {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[-_\s]+/g, ' ')
    .trim()
    .toLowerCase()
  return capitalised(words)
}

/** With a capital at the beginning. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
