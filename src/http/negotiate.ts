/**
 * The face an `Accept` header asks for; null if neither fits. HTML is the default. Each face's quality is that of its most specific range;
 * on a tie, JSON wins only if a JSON range is named before any text range.
 */
export function negotiate(accept: string | null): 'json' | 'html' | null {
  const ranges = accept === null ? [] : rangesOf(accept)
  // A header without a readable range counts as none.
  if (ranges.length === 0) return 'html'
  const json = quality(ranges, jsonFit)
  const html = quality(ranges, htmlFit)
  if (json === 0 && html === 0) return null
  if (json !== html) return json > html ? 'json' : 'html'
  const first = ranges.find(({ q, family }) => q > 0 && family !== 'other')
  return first?.family === 'json' ? 'json' : 'html'
}

interface Range {
  readonly type: string
  readonly family: 'json' | 'text' | 'other'
  readonly q: number
}

const mediaRange = /^(?:\*|[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)$/
const weight = /^(?:\d+(?:\.\d*)?|\.\d+)$/

function rangesOf(accept: string): Range[] {
  const ranges: Range[] = []
  for (const item of split(accept, ',')) {
    const [name = '', ...parameters] = split(item, ';')
    const written = name.trim().toLowerCase()
    if (!mediaRange.test(written)) continue
    // Old clients (Java's HttpURLConnection) send a lone star.
    const type = written === '*' ? '*/*' : written
    ranges.push({ type, family: familyOf(type), q: weightOf(parameters) })
  }
  return ranges
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

function familyOf(type: string): Range['family'] {
  if (type === 'application/json' || type === 'application/*' || type.endsWith('+json')) return 'json'
  return type.startsWith('text/') ? 'text' : 'other'
}

// How closely a range fits a face; 0: not at all. We send application/json, so naming that says more than any other +json type.
const jsonFit = ({ type }: Range) =>
  type === 'application/json' ? 4 : type.endsWith('+json') ? 3 : type === 'application/*' ? 2 : type === '*/*' ? 1 : 0
const htmlFit = ({ type }: Range) => (type === 'text/html' ? 4 : type === 'text/*' ? 2 : type === '*/*' ? 1 : 0)

function quality(ranges: readonly Range[], closeness: (range: Range) => number): number {
  let best = 0
  let quality = 0
  for (const range of ranges) {
    const now = closeness(range)
    if (now === 0 || now < best) continue
    quality = now > best ? range.q : Math.max(quality, range.q)
    best = now
  }
  return quality
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
