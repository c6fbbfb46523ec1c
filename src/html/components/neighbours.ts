import { block, type Html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

/**
 * Links to the records before and after one in its list, as the list was left in this tab. Only the script knows that, so it shows them.
 */
export function neighbours(script: string, t: Translate): Html {
  const [before, after] = [t('record.previous'), t('record.next')]
  return block`
    <nav class="neighbours" aria-label="${t('record.around')}" data-script="${script}" hidden>
      <a rel="prev" aria-label="${before}" title="${before} (K)" aria-keyshortcuts="K">${icon('chevron-left')}</a>
      <a rel="next" aria-label="${after}" title="${after} (J)" aria-keyshortcuts="J">${icon('chevron-right')}</a>
    </nav>
  `
}
