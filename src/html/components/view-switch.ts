import { block, type Html, html } from '../../base/html.js'
import type { Tab } from './tabs.js'

/** Links to the ways in which a list can be drawn. */
export function viewSwitch(all: readonly Tab[], label: string): Html {
  return block`
    <nav class="view-switch" aria-label="${label}">
      ${all.map(({ label, href, current }) => html`<a href="${href}"${current && html` aria-current="page"`}>${label}</a>`)}
    </nav>
  `
}
