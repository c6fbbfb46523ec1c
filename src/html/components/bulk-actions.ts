import { type Attributes, block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button, type Look } from './button.js'

export interface BulkView {
  /** The id of the form that the selection belongs to. */
  readonly form: string
  readonly actions: readonly Html[]
  /** The control that extends the selection to all matching records; null if that is not offered. */
  readonly every: Html | null
}

export interface SelectAllView {
  readonly form: string
  readonly label: string
  /** The text shown once all are selected. */
  readonly said: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** The actions for selected rows, in place of the toolbar while any are selected. A script counts them, or the stylesheet does. */
export function bulk({ form, actions, every }: BulkView, t: Translate): Html {
  return block`
    <div class="bulk" role="group" aria-label="${t('list.selection')}">
      <span class="count"><b></b> ${t('list.selected')}</span>${every}<span class="spring"></span>
      ${actions}
      ${button({ label: t('list.unselect'), tone: 'plain', icon: 'x' }, { type: 'reset', form })}
    </div>
  `
}

/** A button with an icon, which is enough on tablets. */
export function compactButton(label: string, one: Html): Html {
  return html`<span class="brief" title="${label}">${one}</span>`
}

/** A button for at most `most` selected rows. Beyond that, a script disables it and shows the reason. */
export function limitedButton(look: Look, more: Attributes & { readonly form: string }, most: number, reason: string): Html {
  const id = `${more.form}-most`
  return block`
    ${button(look, { ...more, 'data-most': String(most), 'data-reason': id })}
    <span class="reason" id="${id}" hidden>${reason}</span>
  `
}

/** Extends the selection to all matching records: by script a button, once the whole page is selected; without script a checkbox. */
export function selectAllMatches({ form, label, said, fields }: SelectAllView): Html {
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" form="${form}">`)
  return block`
    <span class="all">${said}</span>${hidden}
    <label class="unscripted"><input type="checkbox" name="_all" value="1" form="${form}"> ${label}</label>
    <button type="button" class="button plain every" hidden><span class="text">${label}</span></button>
  `
}
