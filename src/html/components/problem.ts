import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'

export interface ProblemView {
  /** Of a page that stands alone; null: the menu beside it has it. */
  readonly logo: Html | null
  readonly status: number
  readonly title: string
  readonly text: string
  readonly details: readonly string[]
  readonly requestId: string
  /** Whether the page replaced a form's, and so takes the focus. */
  readonly focused: boolean
  /** Links to continue with. */
  readonly actions: readonly Html[]
}

/** An error with its request id and ways to go on. */
export function problem({ logo, status, title, text, details, requestId, focused, actions }: ProblemView, t: Translate): Html {
  return block`
    <div class="problem">
      ${logo}
      <p class="status">${status}</p>
      <h1${focused && html` tabindex="-1" autofocus`}>${title}</h1>
      <p>${text}</p>
      ${details.length > 0 && html`<ul>${details.map((one) => html`<li>${one}</li>`)}</ul>`}
      ${actions.length > 0 && html`<div class="actions">${actions}</div>`}
      <p class="request">${t('problem.request')} <code>${requestId}</code></p>
    </div>
  `
}
