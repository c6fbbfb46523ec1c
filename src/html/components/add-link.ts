import { type Html, html } from '../../base/html.js'
import { sharedIcon } from './icon.js'

export interface AddView {
  readonly href: string
  readonly label: string
}

/** Creates a record in a place of a view. */
export function addLink({ href, label }: AddView): Html {
  return html`<a class="add" href="${href}" aria-label="${label}" title="${label}">${sharedIcon('plus')}</a>`
}
