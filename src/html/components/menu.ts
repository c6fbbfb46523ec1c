import { block, type Html, html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import { type ActionTarget, targetAttributes } from './action-button.js'
import { icon, type SharedIcon, sharedIcon } from './icon.js'

/** An item of a menu: a link, or a button of a form elsewhere. Destructive items come last. */
export type MenuItem = {
  readonly label: string
  readonly icon?: SharedIcon
  /** An icon drawn inline. */
  readonly drawn?: IconName
  readonly danger?: boolean
  readonly current?: boolean
} & ActionTarget

/** A menu opened by a `popovertarget` button: in the top layer, so that no table clips it, and without script. */
export function menu(id: string, items: readonly MenuItem[], title?: string): Html {
  return block`
    <div class="menu" popover id="${id}">${title !== undefined && html`<div class="title">${title}</div>`}${items.map(item)}</div>
  `
}

/** A menu with a part of its own before its destructive items. */
export function menuAround(id: string, items: readonly MenuItem[], part: Html): Html {
  const first = items.findIndex(({ danger }) => danger)
  const quiet = first < 0 ? items : items.slice(0, first)
  const danger = items.slice(quiet.length)
  const line = html`<hr>`
  return block`
    <div class="menu" popover id="${id}">
      ${quiet.map(item)}${quiet.length > 0 && line}${part}${danger.length > 0 && line}
      ${danger.map(item)}
    </div>
  `
}

function item(one: MenuItem, i: number, all: readonly MenuItem[]): Html {
  const inside = html`${one.icon && sharedIcon(one.icon)}${one.drawn && icon(one.drawn)}<span>${one.label}</span>`
  const line = one.danger && i > 0 && !all[i - 1]?.danger && html`<hr>`
  if ('href' in one) return html`${line}<a href="${one.href}"${one.current && html` aria-current="true"`}>${inside}</a>`
  const button = html`<button${targetAttributes(one)}${one.danger && html` class="danger"`}>${inside}</button>`
  if (!('token' in one) || !one.token) return html`${line}${button}`
  return html`${line}<form method="post">${one.token}${button}</form>`
}
