import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'
import { icon } from './icon.js'

export interface ViewsView {
  readonly id: string
  /** The URL that preferences are sent to. */
  readonly action: string
  readonly token: Html
  readonly resourceUri: string
  /** The query of the current list. */
  readonly query: string
  readonly all: readonly { readonly name: string; readonly href: string; readonly current: boolean }[]
}

/** The saved views of a list: open, delete, or save the current one. */
export function viewsMenu({ id, action, token, resourceUri, query, all }: ViewsView, t: Translate): Html {
  const hidden = html`<input type="hidden" name="_method" value="PATCH">${token}<input type="hidden" name="_resource" value="${resourceUri}">`
  return html`<div class="menu options" popover id="${id}"><div class="title">${t('views.title')}</div>${
    all.length > 0
      ? html`<form method="post" action="${action}">${hidden}<ul>${all.map(
          ({ name, href, current }) =>
            html`<li><a href="${href}"${current && html` aria-current="true"`}><span>${name}</span></a><button class="forget" name="_forget" value="${name}" aria-label="${t('views.delete', { name })}">${icon('x')}</button></li>`,
        )}</ul></form>`
      : html`<p class="muted">${t('views.none')}</p>`
  }<hr><form class="name" method="post" action="${action}">${hidden}<input type="hidden" name="_query" value="${query}"><input type="text" name="_view" required maxlength="60" autocomplete="off"${all.length === 0 && html` autofocus`} aria-label="${t('views.name')}" placeholder="${t('views.name')}">${button({ label: t('views.save') })}</form></div>`
}
