import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'

export interface BulkView {
  /** The form that the selection belongs to. */
  readonly form: string
  readonly actions: readonly Html[]
  /** All that match, and what says so; null where that is not offered. */
  readonly every: {
    readonly label: string
    readonly said: string
    readonly fields: readonly (readonly [name: string, value: string])[]
  } | null
}

/** What can be done with the selected rows. It stands in place of the toolbar while some are; a script counts them, or the style sheet. */
export function bulk({ form, actions, every }: BulkView, t: Translate): Html {
  return html`<div class="bulk" role="group" aria-label="${t('list.selection')}"><span class="count"><b></b> ${t('list.selected')}</span>${every && all(form, every)}<span class="spring"></span>${actions}${button({ label: t('list.unselect'), tone: 'plain', icon: 'x' }, { type: 'reset', form })}</div>`
}

/** A script offers it where every row of the page is selected, and checks the box in its place; without one the box is there. */
function all(form: string, { label, said, fields }: NonNullable<BulkView['every']>): Html {
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" form="${form}">`)
  return html`<span class="all">${said}</span>${hidden}<label class="unscripted"><input type="checkbox" name="_all" value="1" form="${form}"> ${label}</label><button type="button" class="button plain every" hidden><span class="text">${label}</span></button>`
}
