import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button, buttonLink } from './button.js'

export interface ActionFormView {
  readonly action: string
  readonly title: string
  /** The label of the button that does it. */
  readonly save: string
  readonly confirm: string | null
  /** The records concerned, in words. */
  readonly about: string | null
  readonly labels: readonly string[]
  readonly more: string | null
  readonly notices: Html | null
  readonly fields: readonly Html[]
  readonly hidden: readonly (readonly [name: string, value: string])[]
  readonly cancel: string
  readonly danger: boolean
}

/** The form of an action: a page of its own, or the content of a dialog. */
export function actionForm(view: ActionFormView, t: Translate): Html {
  const { action, title, save, confirm, about, labels, more, notices, fields, hidden, cancel, danger } = view
  // Enter presses the first button of a form. This hidden one comes before any search button.
  return block`
    <form class="action-form card" method="post" action="${action}" novalidate aria-labelledby="action-title">
      <button class="unseen" tabindex="-1" aria-hidden="true"></button>
      ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <h1 id="action-title">${title}</h1>
      ${confirm !== null && html`<p>${confirm}</p>`}
      ${about !== null && html`<p class="muted">${about}</p>`}
      ${
        labels.length > 0 &&
        block`
          <ul tabindex="0" aria-label="${about ?? title}">
            ${labels.map((label) => html`<li>${label}</li>`)}
            ${more !== null && html`<li class="muted">${more}</li>`}
          </ul>
        `
      }
      ${notices}${fields}
      <div class="actions">
        ${buttonLink({ label: t('action.cancel'), href: cancel, tone: 'plain' })}
        ${button({ label: save, tone: danger ? 'danger' : 'primary' }, { name: '_save', value: '1' })}
      </div>
    </form>
  `
}
