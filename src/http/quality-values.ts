const weight = /^(?:\d+(?:\.\d*)?|\.\d+)$/

/** The items of a header such as `Accept` with their weights, in order; names in lower case (RFC 9110 §12.4.2). */
export function qualityValues(header: string): readonly { readonly name: string; readonly q: number }[] {
  return split(header, ',').map((item) => {
    const [name = '', ...parameters] = split(item, ';')
    return { name: name.trim().toLowerCase(), q: weightOf(parameters) }
  })
}

/** A weight that cannot be read counts as none. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const at = parameter.indexOf('=')
    if (at < 0 || parameter.slice(0, at).trim().toLowerCase() !== 'q') continue
    const text = parameter.slice(at + 1).trim()
    return weight.test(text) ? Math.min(1, Number(text)) : 1
  }
  return 1
}

/** Splits at a separator outside quotes. */
function split(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted
    else if (quoted && text[i] === '\\') i++
    else if (!quoted && text[i] === separator) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
