import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'
import { icon } from './icon.js'

export interface FilterView {
  readonly key: string
  readonly label: string
  readonly applied: boolean
  /** Whether to show it open, as after a search in it. */
  readonly open: boolean
  /** One control, or the two ends of a range, each with the id its label refers to. */
  readonly controls: readonly { readonly id: string; readonly control: Html }[]
}

/** A main filter, one click away in the toolbar. */
export function filterMenu(id: string, view: FilterView, t: Translate): Html {
  return html`<details class="filter${view.applied && ' on'}" name="${id}-filter"${view.open && html` open`}><summary class="button"><span class="text">${view.label}</span>${icon('chevron-down')}</summary><div class="panel">${filterPanel(view, t)}${button({ label: t('list.apply') })}</div></details>`
}

/** A filter's controls with their label. */
export function filterPanel({ label, controls }: FilterView, t: Translate): Html {
  const [first, second] = controls
  if (!first) return html``
  if (!second) return html`<div class="control-group"><label for="${first.id}">${label}</label>${first.control}</div>`
  return html`<fieldset class="control-group"><legend>${label}</legend><div class="pair"><label class="unseen" for="${first.id}">${t('list.from')}</label>${first.control}<span aria-hidden="true">&ndash;</span><label class="unseen" for="${second.id}">${t('list.to')}</label>${second.control}</div></fieldset>`
}
