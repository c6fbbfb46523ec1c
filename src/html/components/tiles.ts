import { type Html, html } from '../../base/html.js'
import { icon } from './icon.js'

export interface Tile {
  readonly label: string
  readonly href: string
  /** How many there are, in words; null where nobody counted. */
  readonly count: string | null
}

/** Where one can go from here. */
export function tiles(all: readonly Tile[]): Html {
  return html`<ul class="tiles">${all.map(({ label, href, count }) => html`<li><a class="card" href="${href}"><b>${label}</b>${icon('chevron-right')}${count !== null && html`<span class="count">${count}</span>`}</a></li>`)}</ul>`
}
