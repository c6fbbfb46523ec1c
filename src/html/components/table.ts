import { attributes, block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface Column {
  readonly key: string
  readonly label: string
  readonly align: 'start' | 'end' | 'center'
  /** The column that labels the record. It stays in place when the table scrolls sideways, and links to the record. */
  readonly first: boolean
  /** Whether a phone shows it on the second line of the card. */
  readonly meta: boolean
  /** Whether it says its label there, too. */
  readonly named: boolean
  /** Whether its cells can be copied. */
  readonly copy: boolean
  /** Null if the list cannot be sorted by it. */
  readonly sort: SortView | null
}

export interface SortView {
  /** The URL of the list sorted by this column alone. */
  readonly href: string
  /** The URL of the list sorted by this column last, after the current ones. */
  readonly also: string
  /** The current direction. */
  readonly direction: 'ascending' | 'descending' | null
  /** Its position among the sort columns, from 1. */
  readonly place: number | null
  readonly several: boolean
}

export interface HeadView {
  readonly columns: readonly Column[]
  /** Whether rows can be moved. */
  readonly moves: boolean
  /** Whether rows can be selected. */
  readonly picks: boolean
  /** Whether rows have menus. */
  readonly menus: boolean
}

export interface TableView {
  readonly label: string
  readonly moves: boolean
  readonly picks: boolean
  /** Whether the head stays while the rows scroll. */
  readonly sticky: boolean
  /** Whether the table may hold all records: a browser then renders only the groups of rows near the viewport. */
  readonly long: boolean
  /** The rows of the head, the body and the foot, if there is one. */
  readonly head: Html
  readonly body: Html
  readonly foot: Html | null
}

/** The table of every list, on whole pages and in reloaded parts. */
export function table({ label, moves, picks, sticky, long, head, body, foot }: TableView): Html {
  return block`
    <div class="scroller${sticky && ' sticky'}" role="region" aria-label="${label}" tabindex="0">
      <table class="rows${moves && ' moves'}${picks && ' picks'}${long && ' long'}">
        <thead>${head}</thead>
        <tbody>${body}</tbody>
        ${foot && html`<tfoot>${foot}</tfoot>`}
      </table>
    </div>
  `
}

/** The rows in a group of a long table. The stylesheet repeats this number for the height of groups not rendered. */
export const groupSize = 50

/** Separates groups of rows. */
export const groupEnd = html`</tbody><tbody>`

export function headRow({ columns, moves, picks, menus }: HeadView, t: Translate): Html {
  return block`
    <tr>
      ${moves && html`<td class="move"><span class="unseen">${t('move.column')}</span></td>`}
      ${
        picks &&
        block`
          <td class="pick"><label class="scripted"><input type="checkbox" class="pick-all" aria-label="${t('list.selectAll')}"></label></td>
        `
      }
      ${columns.map((column) => head(column, t))}
      ${menus && html`<td class="act"><span class="unseen">${t('list.actionsTitle')}</span></td>`}
    </tr>
  `
}

function head({ label, align, first, sort }: Column, t: Translate): Html {
  const classes = [align !== 'start' && align, first && 'first', sort?.direction && 'sorted'].filter(Boolean).join(' ')
  // aria-sort may be on one column only: the first of the sort order.
  const bag = attributes({ scope: 'col', class: classes || null, 'aria-sort': sort?.place === 1 ? sort.direction : null })
  if (!sort) return html`<th${bag}>${label}</th>`
  const { href, also, direction, place, several } = sort
  return block`
    <th${bag}>
      <a href="${href}" data-also="${also}">
        ${label}${icon(direction === 'descending' ? 'arrow-down' : 'arrow-up')}
        ${several && place !== null && html`<span class="order" title="${t('sort.place', { place })}">${place}</span>`}
      </a>
    </th>
  `
}
