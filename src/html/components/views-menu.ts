import { block, type Html, html } from '../../base/html.js'
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
  /** The user's own. */
  readonly own: readonly NamedView[]
  /** What was saved for everybody. */
  readonly shared: readonly NamedView[]
  /** Whether the user may save and delete views for everybody. */
  readonly shares: boolean
  /** The most characters that a name may have. */
  readonly longest: number
}

interface NamedView {
  readonly name: string
  readonly href: string
  readonly current: boolean
}

/** The saved views of a list: open, delete, or save the current one. */
export function viewsMenu({ id, action, token, resourceUri, query, own, shared, shares, longest }: ViewsView, t: Translate): Html {
  const hidden = block`
    <input type="hidden" name="_method" value="PATCH">${token}
    <input type="hidden" name="_resource" value="${resourceUri}">
  `
  const forShared = html`<input type="hidden" name="_shared" value="1">`
  const isEmpty = own.length + shared.length === 0
  return block`
    <div class="menu options" popover id="${id}">
      ${(own.length > 0 || isEmpty) && html`<div class="title">${t('views.title')}</div>`}
      ${own.length > 0 && html`<form method="post" action="${action}">${hidden}${links(own, true)}</form>`}
      ${
        shared.length > 0 &&
        block`
          <form method="post" action="${action}">
            ${hidden}${forShared}
            <div class="title">${t('views.shared')}</div>
            ${links(shared, shares)}
          </form>
        `
      }
      ${isEmpty && html`<p class="muted">${t('views.none')}</p>`}
      <hr>
      <form class="name" method="post" action="${action}">
        ${hidden}<input type="hidden" name="_query" value="${query}">
        <input
          type="text"
          name="_view"
          required
          pattern="\\s*\\S(.{0,${longest - 2}}\\S)?\\s*"
          title="${t('views.badName', { max: longest })}"
          autocomplete="off"
          ${isEmpty && html` autofocus`}
          aria-label="${t('views.name')}"
          placeholder="${t('views.name')}"
        >
        ${shares && html`<label><input type="checkbox" name="_shared" value="1">${t('views.share')}</label>`}
        ${button({ label: t('views.save') })}
      </form>
    </div>
  `

  function links(views: readonly NamedView[], deletes: boolean): Html {
    return block`
      <ul>
        ${views.map(
          ({ name, href, current }) =>
            block`
              <li>
                <a href="${href}"${current && html` aria-current="true"`}><span>${name}</span></a>
                ${
                  deletes &&
                  html`<button class="forget" name="_forget" value="${name}" aria-label="${t('views.delete', { name })}">${icon('x')}</button>`
                }
              </li>
            `,
        )}
      </ul>
    `
  }
}
