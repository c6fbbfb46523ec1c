import { type Html, html } from '../../base/html.js'
import { type Tab, tabs } from './tabs.js'

export interface TabSetView {
  readonly name: string
  readonly label: string
  /** Where it comes alone. */
  readonly url: string
  readonly tabs: readonly Tab[]
  /** What the current one holds. */
  readonly inside: readonly Html[]
}

/** Components of which one set is shown at a time: each tab is an address of the page. */
// The list of tabs has its name: the set itself is no landmark besides, which a table in it may be called like.
export function tabSet({ name, label, url, tabs: all, inside }: TabSetView): Html {
  return html`<section class="tab-set" id="${name}" data-fragment="${url}">${tabs(all, label)}<div class="composed">${inside}</div></section>`
}
