import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface FieldView {
  /** Of the control; hint and error are named after it. */
  readonly id: string
  readonly label: string
  readonly required: boolean
  readonly hint: string | null
  readonly errors: readonly string[]
  readonly control: Html
  /** Whether the control is a group, which no `label` can name. */
  readonly group?: boolean
  /** The control of the same form that it depends on whether it is shown, and the texts that it must have. */
  readonly showWhen?: { readonly field: string; readonly texts: readonly string[] } | null
}

/** A label, its control, and directly below it what helps and what is wrong. */
export function field({ id, label, required, hint, errors, control, group = false, showWhen = null }: FieldView, t: Translate): Html {
  const name = html`${label}${required && html` <span class="required" title="${t('form.required')}" aria-hidden="true">*</span>`}`
  return html`<div class="field"${group && html` role="group" aria-labelledby="${id}-label"`}${showWhen && html` data-show-when="${showWhen.field}" data-show-texts="${JSON.stringify(showWhen.texts)}"`}>${group ? html`<span class="label" id="${id}-label">${name}</span>` : html`<label for="${id}">${name}</label>`}<div class="control">${control}</div>${
    errors.length > 0 &&
    html`<div class="error" id="${id}-error">${icon('wrong')}<span>${errors.map((text, i) => html`${i > 0 && html`<br>`}${text}`)}</span></div>`
  }${hint !== null && html`<div class="hint" id="${id}-hint">${hint}</div>`}</div>`
}
