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
export function tabSet({ name, label, url, tabs: all, inside }: TabSetView): Html {
  return html`<section class="tab-set" id="${name}" data-fragment="${url}" aria-label="${label}">${tabs(all, label)}<div class="composed">${inside}</div></section>`
}
