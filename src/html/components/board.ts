import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'

export interface BoardView {
  /** Unique on the page; a prefix for ids. */
  readonly id: string
  readonly label: string
  /** The URL of the script that drags cards; null: nobody moves any. */
  readonly script: string | null
  readonly columns: readonly BoardColumnView[]
}

export interface BoardColumnView {
  /** What moving a card here sends; null: none can be moved here. */
  readonly value: string | null
  /** What its records have in common. */
  readonly heading: Html
  /** The number of records, formatted; null if not counted. */
  readonly count: string | null
  readonly cards: readonly CardView[]
  /** What is said of those that it does not show, and where they are; null: it shows all. */
  readonly more: { readonly text: string; readonly href: string | null } | null
}

export interface CardView {
  readonly key: string
  readonly label: string
  /** The URL of the record; null if the caller may not open it. */
  readonly href: string | null
  readonly facts: readonly { readonly label: string; readonly value: Html; readonly title: string | null }[]
  /** How it is moved; null: it is not. */
  readonly move: MoveView | null
}

interface MoveView {
  readonly action: string
  readonly hidden: Html
  /** The attribute that names the events of a move; null: there are none. */
  readonly events: Html | null
  readonly to: readonly { readonly value: string; readonly label: Html }[]
}

/** Records as cards in columns, which scroll sideways within their own region. */
export function board({ id, label, script, columns }: BoardView, t: Translate): Html {
  return html`<div class="board" role="region" aria-label="${label}" tabindex="0"${script !== null && html` data-script="${script}"`}>${columns.map((one, i) => column(one, `${id}-${i}`, t))}</div>`
}

function column({ value, heading, count, cards, more }: BoardColumnView, id: string, t: Translate): Html {
  return html`<section class="column" id="${id}" aria-labelledby="${id}-name"${value !== null && html` data-value="${value}"`}><h2 id="${id}-name">${heading}${count !== null && html` <span class="total">${count}</span>`}</h2><ul>${cards.map((one, i) => card(one, `${id}-${i}`, t))}</ul>${cards.length === 0 && html`<p class="none">${t('board.empty')}</p>`}${
    more && (more.href === null ? html`<p class="further">${more.text}</p>` : html`<a class="further" href="${more.href}">${more.text}</a>`)
  }</section>`
}

// A link can be dragged by itself, which would be another gesture.
function card({ key, label, href, facts, move }: CardView, id: string, t: Translate): Html {
  return html`<li data-key="${key}"${move && html` data-movable`}><div class="name">${href === null ? html`<span title="${label}">${label}</span>` : html`<a href="${href}" title="${label}" draggable="false">${label}</a>`}${
    move && html`<button type="button" class="dots" popovertarget="${id}" aria-label="${t('board.move', { label })}"></button>`
  }</div>${facts.length > 0 && html`<dl>${facts.map(fact)}</dl>`}${move && moves(move, id, t)}</li>`
}

function fact({ label, value, title }: CardView['facts'][number]): Html {
  return html`<div><dt>${label}</dt><dd${title !== null && html` title="${title}"`}>${value}</dd></div>`
}

function moves({ action, hidden, events, to }: MoveView, id: string, t: Translate): Html {
  return html`<form class="menu" method="post" popover id="${id}"${events}>${hidden}<div class="title">${t('board.moveTo')}</div>${to.map(
    ({ value, label }) => html`<button formaction="${action}" name="value" value="${value}" data-action="run">${label}</button>`,
  )}</form>`
}
