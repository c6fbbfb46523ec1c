import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { type AddView, addLink } from './add-link.js'
import { type Draggable, dragAttributes, moveTemplate } from './draggable.js'
import { type MenuItem, menu, menuAround } from './menu.js'

export interface BoardView {
  /** Unique on the page; a prefix for ids. */
  readonly id: string
  readonly label: string
  /** The URLs of the scripts that drag cards and take that back; null: nobody moves any. */
  readonly script: string | null
  /** What a move sends besides its own. */
  readonly hidden: Html
  readonly columns: readonly BoardColumnView[]
}

export interface BoardColumnView {
  /** What moving a card here sends; null: none can be moved here. */
  readonly value: string | null
  /** What its records have in common. */
  readonly heading: Html
  /** The number of records, formatted; null if not counted. */
  readonly count: string | null
  /** Where a record like these is created, and what that is called; null: the caller may not. */
  readonly add: AddView | null
  /** Where its cards are moved to, in the order of the columns. */
  readonly leads: readonly { readonly value: string; readonly label: Html }[]
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
  /** What its menu offers besides the moves. */
  readonly items: readonly MenuItem[]
  /** How it is moved; null: it is not. */
  readonly move: Draggable | null
}

// With more, the page would be mostly menus: a script has them from the heads of the columns, and who has none, the record's form.
const mostMoves = 12

/** Records as cards in columns. These scroll sideways within their own region, and the cards of each within it. */
export function board({ id, label, script, hidden, columns }: BoardView, t: Translate): Html {
  return block`
    <div class="board" role="region" aria-label="${label}" tabindex="0"${script !== null && html` data-script="${script}"`}>
      ${columns.map((one, i) => column(one, `${id}-${i}`, { hidden, script }, t))}
      ${script !== null && moveTemplate(hidden)}
    </div>
  `
}

function column(
  { value, heading, count, add, leads, cards, more }: BoardColumnView,
  id: string,
  { hidden, script }: Pick<BoardView, 'hidden' | 'script'>,
  t: Translate,
): Html {
  const to = JSON.stringify(leads.map((one) => one.value))
  const named = leads.length <= mostMoves ? leads : script === null ? null : []
  const movesOf = ({ move }: CardView) => move && named && moves(move, named, hidden, t)
  // Keys scroll what can have the focus, or holds what can.
  const isReached = add || more?.href || cards.some((one) => one.href !== null || one.items.length > 0 || movesOf(one) !== null)
  return block`
    <section
      class="column"
      id="${id}"
      aria-labelledby="${id}-name"
      ${!isReached && html` tabindex="0"`}
      ${value !== null && html` data-value="${value}"`}
      ${leads.length > 0 && html` data-leads="${to}"`}
    >
      <div class="head">
        <h2 id="${id}-name"><span class="what">${heading}</span>${count !== null && html` <span class="total">${count}</span>`}</h2>
        ${add && addLink(add)}
      </div>
      <ul>${cards.map((one, i) => card(one, movesOf(one), `${id}-${i}`, t))}</ul>
      ${cards.length === 0 && html`<p class="none">${t('board.empty')}</p>`}
      ${
        more &&
        (more.href === null ? html`<p class="further">${more.text}</p>` : html`<a class="further" href="${more.href}">${more.text}</a>`)
      }
    </section>
  `
}

// A link can be dragged by itself, which would be another gesture.
function card({ key, label, href, facts, items, move }: CardView, moves: Html | null, id: string, t: Translate): Html {
  return block`
    <li data-key="${key}"${move && dragAttributes(move)}>
      <div class="name">
        ${
          href === null
            ? html`<span title="${label}">${label}</span>`
            : html`<a href="${href}" title="${label}" draggable="false">${label}</a>`
        }
        ${
          (moves || items.length > 0) &&
          html`<button type="button" class="dots" popovertarget="${id}" aria-label="${t('list.actions', { label })}"></button>`
        }
      </div>
      ${facts.length > 0 && html`<dl>${facts.map(fact)}</dl>`}
      ${moves ? menuAround(id, items, moves) : items.length > 0 && menu(id, items)}
    </li>
  `
}

function fact({ label, value, title }: CardView['facts'][number]): Html {
  return html`<div><dt>${label}</dt><dd${title !== null && html` title="${title}"`}>${value}</dd></div>`
}

function moves({ action, was, events }: Draggable, to: BoardColumnView['leads'], hidden: Html, t: Translate): Html {
  return block`
    <form method="post" action="${action}"${events}${to.length === 0 && html` class="scripted"`}>
      ${hidden}<input type="hidden" name="was" value="${was}">
      <div class="title">${t('board.moveTo')}</div>
      ${to.map(({ value, label }) => html`<button name="value" value="${value}" data-action="run">${label}</button>`)}
    </form>
  `
}
