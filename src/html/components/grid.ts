import { type Html, html } from '../../base/html.js'

/** Components side by side, if there is room. */
export function grid(columns: number, inside: readonly Html[]): Html {
  return html`<div class="columns-${columns}">${inside}</div>`
}
