import { type Attributes, attributes, type Html, html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import { icon } from './icon.js'

/** How much a button asks for: one `primary` on a page; `danger` where something is lost. */
export type Tone = 'primary' | 'danger' | 'plain'

export interface Look {
  readonly label: string
  readonly icon?: IconName
  readonly tone?: Tone
}

/** A link that looks like a button. */
export function buttonLink({ href, ...look }: Look & { readonly href: string }): Html {
  return html`<a href="${href}" class="${classOf(look)}">${inside(look)}</a>`
}

/** A button of a form. */
export function button(look: Look, more: Attributes = {}): Html {
  return html`<button class="${classOf(look)}"${attributes(more)}>${inside(look)}</button>`
}

/** The classes of a button. */
export function classOf({ tone }: Look): string {
  return tone ? `button ${tone}` : 'button'
}

/** What stands in a button. */
export function inside({ label, icon: name }: Look): Html {
  return html`${name && icon(name)}<span class="text">${label}</span>`
}
