import { type Attributes, attributes, type Html, html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import { icon } from './icon.js'

/** The weight of a button: one `primary` a page; `danger` for what destroys something. */
export type Tone = 'primary' | 'danger' | 'plain'

export interface Look {
  readonly label: string
  readonly icon?: IconName
  readonly tone?: Tone
}

/** @param download the name of the file that the link saves; none: it leads somewhere */
export function buttonLink({ href, download, ...look }: Look & { readonly href: string; readonly download?: string }): Html {
  return html`<a href="${href}"${download !== undefined && html` download="${download}"`} class="${classOf(look)}">${inside(look)}</a>`
}

export function button(look: Look, more: Attributes = {}): Html {
  return html`<button class="${classOf(look)}"${attributes(more)}>${inside(look)}</button>`
}

export function classOf({ tone }: Look): string {
  return tone ? `button ${tone}` : 'button'
}

export function inside({ label, icon: name }: Look): Html {
  return html`${name && icon(name)}<span class="text">${label}</span>`
}
