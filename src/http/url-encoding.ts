/**
 * Reads `a=1&b=2`, as in a query or an urlencoded body. Names and values are percent-decoded as UTF-8; `+` is a space.
 *
 * @param refuse called with the first name that cannot be read; it must throw
 */
export function* pairs(text: string, refuse: (name: string) => never): Generator<readonly [name: string, value: string]> {
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const written = at < 0 ? pair : pair.slice(0, at)
    const name = decode(written)
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    if (name === null || value === null) refuse(name ?? written)
    yield [name, value]
  }
}

/** Percent-decodes a text; null where it is not valid or not UTF-8. */
export function percentDecode(text: string): string | null {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function decode(text: string): string | null {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
