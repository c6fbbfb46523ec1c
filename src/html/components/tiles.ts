import { block, type Html, html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import { icon } from './icon.js'

export interface Tile {
  readonly label: string
  readonly icon: IconName | null
  readonly href: string
  /** The number of records, formatted; null if not counted. */
  readonly count: string | null
}

/** Links to the parts of a panel, as tiles. */
export function tiles(all: readonly Tile[]): Html {
  return block`
    <ul class="tiles">
      ${all.map(
        ({ label, icon: own, href, count }) => block`
          <li>
            <a class="card" href="${href}">
              ${own !== null && icon(own)}<b>${label}</b>${icon('chevron-right')}
              ${count !== null && html`<span class="count">${count}</span>`}
            </a>
          </li>
        `,
      )}
    </ul>
  `
}
