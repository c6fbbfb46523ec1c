import { type Html, html } from '../../base/html.js'

/** Components one below the other. */
export function stack(inside: readonly Html[]): Html {
  return html`<div class="composed">${inside}</div>`
}
