import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'

export interface ProblemView {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly details: readonly string[]
  readonly requestId: string
  /** Whether it came in place of what somebody was at, whose focus it takes. */
  readonly focused: boolean
  /** Ways on. */
  readonly actions: readonly Html[]
}

/** What went wrong, in words, with the number to quote and a way on. */
export function problem({ status, title, text, details, requestId, focused, actions }: ProblemView, t: Translate): Html {
  return html`<div class="problem"><p class="status">${status}</p><h1${focused && html` tabindex="-1" autofocus`}>${title}</h1><p>${text}</p>${details.length > 0 && html`<ul>${details.map((one) => html`<li>${one}</li>`)}</ul>`}${actions.length > 0 && html`<div class="actions">${actions}</div>`}<p class="request">${t('problem.request')} <code>${requestId}</code></p></div>`
}
