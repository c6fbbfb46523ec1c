import { block, type Html } from '../../base/html.js'
import { type Tab, tabs } from './tabs.js'

export interface TabSetView {
  readonly name: string
  readonly label: string
  /** The URL of this component alone. */
  readonly url: string
  readonly tabs: readonly Tab[]
  /** The content of the current tab. */
  readonly inside: readonly Html[]
}

/** Components in tabs, each with its own URL. */
// The list of tabs carries the label. The section has none, so it is no landmark: a table in it may have the same name.
export function tabSet({ name, label, url, tabs: all, inside }: TabSetView): Html {
  return block`
    <section class="tab-set" id="${name}" data-fragment="${url}">${tabs(all, label)}<div class="composed">${inside}</div></section>
  `
}
