import { type Html, html, safeUrl } from '../../base/html.js'

/** Plain text in which the `http` and `https` URLs are links. */
export function linkedText(text: string): Html {
  return html`${text.split(/(https?:\/\/[^\s<>"]+)/i).map((part, i) => (i % 2 === 0 ? part : linked(part)))}`
}

function linked(found: string): Html {
  // A sentence may end with it, or stand around it in brackets.
  const end = /(?:[.,;:!?'*_]|\)(?<!\([^()]*\)))+$/.exec(found)?.index ?? found.length
  const address = found.slice(0, end)
  const link = safeUrl(address) === address && html`<a href="${address}" rel="noopener noreferrer nofollow" target="_blank">${address}</a>`
  return html`${link || address}${found.slice(end)}`
}
