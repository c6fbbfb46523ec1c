import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'
import type { Tab } from './tabs.js'

interface Chip {
  readonly text: string
  /** The URL of the list without this filter. */
  readonly remove: string
}

export interface ChipsView {
  readonly search: Chip | null
  readonly filters: readonly (Chip & {
    /** The word between it and the one before; null: none. */
    readonly joined: string | null
  })[]
  /** Whether all of the filters hold or one is enough; empty: that makes no difference. */
  readonly matches: readonly Tab[]
  /** The URL of the list without search and filters. */
  readonly clear: string
}

/** The applied filters, each with a link that removes it, and one that removes all. */
export function chips({ search, filters, matches, clear }: ChipsView, t: Translate): Html {
  const chip = ({ text, remove }: Chip) =>
    block`
      <span class="chip">
        <span title="${text}">${text}</span>
        <a href="${remove}" aria-label="${t('list.removeFilter', { name: text })}">${icon('x')}</a>
      </span>
    `
  return block`
    <div class="chips" role="group" aria-label="${t('list.applied')}">
      ${search && chip(search)}
      ${
        matches.length > 0 &&
        block`
          <span class="matches" role="group" aria-label="${t('filter.matches')}">
            ${matches.map(({ label, href, current }) => html`<a href="${href}"${current && html` aria-current="true"`}>${label}</a>`)}
          </span>
        `
      }
      ${filters.map((one) => html`${one.joined !== null && html`<span class="joined">${one.joined}</span>`}${chip(one)}`)}
      <a href="${clear}">${t('list.clear')}</a>
    </div>
  `
}
