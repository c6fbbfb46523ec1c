import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'

export interface HeadingView {
  readonly title: string
  /** The number of records, formatted. */
  readonly total?: Html | string | null
  /** Secondary buttons first, the primary one last. */
  readonly actions?: Html | readonly Html[] | null
}

/** The heading of a page, with its actions. */
export function heading({ title, total = null, actions = null }: HeadingView): Html {
  const all = actions === null ? [] : [actions].flat()
  return block`
    <div class="heading">
      <div class="titles"><h1><span>${title}</span>${total !== null && html` <span class="total">${total}</span>`}</h1></div>
      ${all.length > 0 && html`<div class="buttons">${all}</div>`}
    </div>
  `
}

export interface Crumb {
  readonly label: string
  readonly href: string
}

/** The links to the pages above. Pages directly below the menu need none. */
export function crumbs(trail: readonly Crumb[], t: Translate): Html {
  return block`
    <nav class="crumbs" aria-label="${t('frame.trail')}">
      <ol>${trail.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ol>
    </nav>
  `
}
