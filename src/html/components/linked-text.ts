import { type Html, html } from '../../base/html.js'

// It ends at quotation marks, and at what changes the direction of text: the link would look as if it led elsewhere.
const address = /(https?:\/\/[^\s<>"“”„«»\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+)/i

/** Plain text in which the `http` and `https` URLs are links. */
export function linkedText(text: string): Html {
  return html`${text.split(address).map((part, i) => (i % 2 === 0 ? part : linked(part)))}`
}

function linked(found: string): Html {
  const url = found.slice(0, endOf(found))
  const link = URL.canParse(url) && html`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${url}</a>`
  return html`${link || url}${found.slice(url.length)}`
}

/** Where a URL ends: a sentence may end with it, or stand around it in brackets. */
function endOf(found: string): number {
  let closing = found.split(')').length - found.split('(').length
  let end = found.length
  for (; end > 0; end--) {
    const last = found[end - 1] as string
    if (last === ')' ? closing-- <= 0 : !".,;:!?'*_…".includes(last)) break
  }
  return end
}
