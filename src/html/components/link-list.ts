import { block, type Html, html } from '../../base/html.js'
import { icon } from './icon.js'

/** Links to related pages, under a heading. */
export function linkList(title: string, links: readonly { readonly label: string; readonly href: string }[]): Html {
  return block`
    <nav class="card links" aria-label="${title}">
      <h2>${title}</h2>
      <ul>${links.map(({ label, href }) => html`<li><a href="${href}"><span>${label}</span>${icon('chevron-right')}</a></li>`)}</ul>
    </nav>
  `
}
