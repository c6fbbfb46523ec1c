import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface FieldView {
  /** The control's id; those of hint and error are derived from it. */
  readonly id: string
  readonly label: string
  readonly required: boolean
  readonly hint: string | null
  /** Whether people read the hint elsewhere, so that here it only describes the control. */
  readonly isHintElsewhere?: boolean
  readonly errors: readonly string[]
  readonly control: Html
  /** Whether the control is a group of inputs, which a `label` cannot name. */
  readonly group?: boolean
  /** The field this one depends on, and the values with which this one is shown. */
  readonly showWhen?: { readonly field: string; readonly texts: readonly string[] } | null
  /** The URL of the script that its control needs, besides the page's own; null: none. */
  readonly script?: string | null
}

/** A label and its control, with errors and a hint below. */
export function field(
  { id, label, required, hint, isHintElsewhere = false, errors, control, group = false, showWhen = null, script = null }: FieldView,
  t: Translate,
): Html {
  const mark = html` <span class="required" title="${t('form.required')}" aria-hidden="true">*</span>`
  // A group has no attribute that says so.
  const name = html`${label}${required && mark}${required && group && html` <span class="unseen">(${t('form.required')})</span>`}`
  const described = group && [hint !== null && `${id}-hint`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ')
  return block`
    <div
      class="field"
      ${group && html` role="group" aria-labelledby="${id}-label"`}
      ${described && html` aria-describedby="${described}"`}
      ${showWhen && html` data-show-when="${showWhen.field}" data-show-texts="${JSON.stringify(showWhen.texts)}"`}
      ${script !== null && html` data-script="${script}"`}
    >
      ${group ? html`<span class="label" id="${id}-label">${name}</span>` : html`<label for="${id}">${name}</label>`}
      <div class="control">${control}</div>
      ${errors.length > 0 && fieldError(id, errors)}
      ${hint !== null && html`<div class="hint" id="${id}-hint"${isHintElsewhere && html` hidden`}>${hint}</div>`}
    </div>
  `
}

/** What is wrong with what is in the control of that id. */
export function fieldError(id: string, errors: readonly string[]): Html {
  return block`
    <div class="error" id="${id}-error">${icon('wrong')}<span>${errors.map((text, i) => html`${i > 0 && html`<br>`}${text}`)}</span></div>
  `
}
