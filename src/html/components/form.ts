import { type Html, html } from '../../base/html.js'

export interface FormView {
  /** Events that are about it name it so. */
  readonly id: string
  readonly action: string
  /** Where scripts ask what is wrong before it is saved. */
  readonly validate: string
  /** What goes along unseen. */
  readonly hidden: readonly (readonly [name: string, value: string])[]
  readonly crumbs: Html
  readonly heading: Html
  readonly notices: Html | null
  readonly body: Html
  /** Quiet ways first, Save last. */
  readonly actions: Html
  /** What a script says beside them while something is not saved: its place is kept, so that nothing moves. */
  readonly unsaved: string
}

/** A form as a page: its heading and its Save stay in view. */
export function form({ id, action, validate, hidden, crumbs, heading, notices, body, actions, unsaved }: FormView): Html {
  // The first button of a form is the one that Enter presses: without this one it could be a search.
  return html`<form class="form-page" id="${id}" method="post" action="${action}" novalidate data-validate="${validate}"><button class="unseen" tabindex="-1" aria-hidden="true"></button>${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${crumbs}${heading}${notices && html`<div class="notices">${notices}</div>`}${body}<div class="actions"><span class="unsaved-place scripted" role="status" data-words="${unsaved}"></span>${actions}</div></form>`
}
