import { attributes, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface Column {
  readonly key: string
  readonly label: string
  readonly align: 'start' | 'end' | 'center'
  /** The column that labels the record: it stays in place when the table is scrolled sideways, and leads to the record. */
  readonly first: boolean
  /** Whether a phone shows it on the second line of the card. */
  readonly meta: boolean
  /** Whether its cells offer their text to be copied. */
  readonly copy: boolean
  /** Null where the list cannot be sorted by it. */
  readonly sort: SortView | null
}

export interface SortView {
  /** The list sorted by it alone. */
  readonly href: string
  /** The list sorted by it after what it is sorted by already. */
  readonly also: string
  /** The one in force. */
  readonly direction: 'ascending' | 'descending' | null
  /** Which of the steps it is, from 1. */
  readonly place: number | null
  readonly several: boolean
}

export interface HeadView {
  readonly columns: readonly Column[]
  /** Whether rows can be selected. */
  readonly picks: boolean
  /** Whether rows have a menu. */
  readonly menus: boolean
}

export interface TableView {
  readonly label: string
  readonly picks: boolean
  /** Whether the head stays while the rows are scrolled. */
  readonly sticky: boolean
  /** Whether all rows there are may stand in it: a browser then draws only those groups of them that are near. */
  readonly long: boolean
  /** Rows of the head, of the body, and of the foot where there is one. */
  readonly head: Html
  readonly body: Html
  readonly foot: Html | null
}

/** The one table: of a page, and of what a page asks for again. */
export function table({ label, picks, sticky, long, head, body, foot }: TableView): Html {
  return html`<div class="scroller${sticky && ' sticky'}" role="region" aria-label="${label}" tabindex="0"><table class="rows${picks && ' picks'}${long && ' long'}"><thead>${head}</thead><tbody>${body}</tbody>${foot && html`<tfoot>${foot}</tfoot>`}</table></div>`
}

/** How many rows of a long table make a group. The style sheet knows it too: so high is a group that isn't drawn. */
export const groupSize = 50

/** Where one group of rows ends and the next begins. */
export const groupEnd = html`</tbody><tbody>`

/** The one row of the head. */
export function headRow({ columns, picks, menus }: HeadView, t: Translate): Html {
  return html`<tr>${picks && html`<td class="pick"><label class="scripted"><input type="checkbox" class="pick-all" aria-label="${t('list.selectAll')}"></label></td>`}${columns.map((column) => head(column, t))}${menus && html`<td class="act"><span class="unseen">${t('list.actionsTitle')}</span></td>`}</tr>`
}

function head({ label, align, first, sort }: Column, t: Translate): Html {
  const classes = [align !== 'start' && align, first && 'first', sort?.direction && 'sorted'].filter(Boolean).join(' ')
  // One column at most says it: the first that the rows are sorted by.
  const bag = attributes({ scope: 'col', class: classes || null, 'aria-sort': sort?.place === 1 ? sort.direction : null })
  if (!sort) return html`<th${bag}>${label}</th>`
  const { href, also, direction, place, several } = sort
  return html`<th${bag}><a href="${href}" data-also="${also}">${label}${icon(direction === 'descending' ? 'arrow-down' : 'arrow-up')}${
    several && place !== null && html`<span class="order" title="${t('sort.place', { place })}">${place}</span>`
  }</a></th>`
}
