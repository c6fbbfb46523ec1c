import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface Chip {
  readonly text: string
  /** The URL of the list without this filter. */
  readonly remove: string
}

/** The applied filters, each with a link that removes it, and one that removes all. */
export function chips(all: readonly Chip[], clear: string, t: Translate): Html {
  return html`<div class="chips" role="group" aria-label="${t('list.applied')}">${all.map(
    ({ text, remove }) =>
      html`<span class="chip"><span title="${text}">${text}</span><a href="${remove}" aria-label="${t('list.removeFilter', { name: text })}">${icon('x')}</a></span>`,
  )}<a href="${clear}">${t('list.clear')}</a></div>`
}
