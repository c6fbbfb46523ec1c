import { qualityValues } from './quality-values.js'

/**
 * The first of the user's languages that there is: by its whole tag, by a shorter one (`de` for `de-CH`), else by its language alone
 * (`pt-BR` for `pt-PT`) (RFC 9110 §12.5.4, RFC 4647 §3.4).
 *
 * @param locales what there is, the default first
 */
export function languageFor(acceptLanguage: string, locales: readonly string[]): string {
  const ranges = qualityValues(acceptLanguage).filter(({ name }) => name !== '')
  const isWanted = (locale: string) => !ranges.some(({ q, name }) => q === 0 && `${locale.toLowerCase()}-`.startsWith(`${name}-`))
  // Of equal weights, the first one.
  for (const { q, name } of ranges.toSorted((one, other) => other.q - one.q)) {
    const found = q === 0 ? undefined : name === '*' ? locales.find(isWanted) : fitting(name, locales)
    if (found !== undefined) return found
  }
  return locales[0] as string
}

function fitting(range: string, locales: readonly string[]): string | undefined {
  const parts = range.split('-')
  for (let length = parts.length; length > 0; length--) {
    const tag = parts.slice(0, length).join('-')
    const found = locales.find((locale) => locale.toLowerCase() === tag)
    if (found !== undefined) return found
  }
  return locales.find((locale) => locale.toLowerCase().split('-')[0] === parts[0])
}
