import { type Html, html } from '../../base/html.js'

/** The initials of a user, beside the name. */
export function avatar(name: string): Html {
  return html`<span class="avatar" aria-hidden="true">${initials(name)}</span>`
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/u)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? '')][0] ?? '').join('')
}
