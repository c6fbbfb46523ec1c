import { type Attributes, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button, type Look } from './button.js'

export interface BulkView {
  /** The form that the selection belongs to. */
  readonly form: string
  readonly actions: readonly Html[]
  /** What offers all that match, drawn; null where that is not offered. */
  readonly every: Html | null
}

export interface EveryView {
  readonly form: string
  readonly label: string
  /** What says that all are selected. */
  readonly said: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** What can be done with the selected rows. It stands in place of the toolbar while some are; a script counts them, or the style sheet. */
export function bulk({ form, actions, every }: BulkView, t: Translate): Html {
  return html`<div class="bulk" role="group" aria-label="${t('list.selection')}"><span class="count"><b></b> ${t('list.selected')}</span>${every}<span class="spring"></span>${actions}${button({ label: t('list.unselect'), tone: 'plain', icon: 'x' }, { type: 'reset', form })}</div>`
}

/** A button for no more than `most` of the selected rows: beyond them a script disables it, and shows why. */
export function bounded(look: Look, more: Attributes & { readonly form: string }, most: number, reason: string): Html {
  const id = `${more.form}-most`
  return html`<span class="reason" id="${id}" hidden>${reason}</span>${button(look, { ...more, 'data-most': String(most), 'data-reason': id })}`
}

/** All that match, in place of those selected: a script offers it where every row of the page is, and checks the box in its place; without one the box is there. */
export function everyMatch({ form, label, said, fields }: EveryView): Html {
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" form="${form}">`)
  return html`<span class="all">${said}</span>${hidden}<label class="unscripted"><input type="checkbox" name="_all" value="1" form="${form}"> ${label}</label><button type="button" class="button plain every" hidden><span class="text">${label}</span></button>`
}
