import { qualityValues } from './quality-values.js'

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

function rangesOf(accept: string): Range[] {
  const ranges: Range[] = []
  for (const { name, q } of qualityValues(accept)) {
    if (!mediaRange.test(name)) continue
    // Old clients (Java's HttpURLConnection) send a lone star.
    const type = name === '*' ? '*/*' : name
    ranges.push({ type, family: familyOf(type), q })
  }
  return ranges
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
