import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { buttonLink } from './button.js'

export interface FragmentView {
  readonly name: string
  /** The URL of this component alone. */
  readonly url: string
}

/** A part of a page that can be reloaded by itself. */
export function fragment({ name, url }: FragmentView, inside: readonly Html[]): Html {
  return html`<div class="composed" id="${name}" data-fragment="${url}">${inside}</div>`
}

/** The placeholder of a part that loads later; without script, a link to the page with it. */
export function deferred({ name, label, url, here }: FragmentView & { readonly label: string; readonly here: string }, t: Translate): Html {
  return block`
    <div class="composed deferred" id="${name}" data-fragment="${url}" data-deferred>
      <div class="skeleton" role="status"><span class="unseen">${t('component.loading', { title: label })}</span></div>
      ${buttonLink({ label: t('component.show', { title: label }), href: `${here}#${name}` })}
    </div>
  `
}
