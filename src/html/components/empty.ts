import { block, type Html, html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import { icon } from './icon.js'

export interface EmptyView {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly actions?: readonly Html[]
}

/** The empty state of a list: why there are no records, and what to do. */
export function empty({ icon: name, title, text, actions = [] }: EmptyView): Html {
  return block`
    <div class="empty">
      ${icon(name)}
      <h2>${title}</h2>
      <p>${text}</p>
      ${actions.length > 0 && html`<div class="actions">${actions}</div>`}
    </div>
  `
}
