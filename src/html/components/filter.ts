import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'
import { fieldError } from './field.js'
import { icon } from './icon.js'

export interface FilterView {
  readonly key: string
  readonly label: string
  readonly applied: boolean
  /** Whether to show it open, as after a search in it. */
  readonly open: boolean
  /** Whether it is a group of inputs, which a `label` cannot name. */
  readonly group: boolean
  /**
   * One control, or the two ends of a range, which one that names itself may come before: each with the id its label refers to, and why what is
   * in it was not filtered by.
   */
  readonly controls: readonly { readonly id: string; readonly control: Html; readonly errors: readonly string[] }[]
}

/** Whether something in it was not filtered by. */
export const isWrong = ({ controls }: FilterView): boolean => controls.some(({ errors }) => errors.length > 0)

/** A main filter, one click away in the toolbar. */
export function filterMenu(id: string, view: FilterView, t: Translate): Html {
  return block`
    <details class="filter${view.applied && ' on'}" name="${id}-filter"${(view.open || isWrong(view)) && html` open`}>
      <summary class="button"><span class="text">${view.label}</span>${icon('chevron-down')}</summary>
      <div class="panel">${filterPanel(view, t)}${button({ label: t('list.apply') })}</div>
    </details>
  `
}

/** A filter's controls with their label. */
export function filterPanel({ label, group, controls }: FilterView, t: Translate): Html {
  const [first, second] = controls.length > 2 ? controls.slice(1) : controls
  if (!first) return html``
  const errors = controls.map(({ id, errors }) => errors.length > 0 && fieldError(id, errors))
  if (group) return html`<fieldset class="control-group"><legend>${label}</legend>${first.control}${errors}</fieldset>`
  if (!second) return html`<div class="control-group"><label for="${first.id}">${label}</label>${first.control}${errors}</div>`
  return block`
    <fieldset class="control-group">
      <legend>${label}</legend>
      ${controls.length > 2 && controls[0]?.control}
      <div class="pair">
        <label for="${first.id}">${t('list.from')}</label>${first.control}
        <label for="${second.id}">${t('list.to')}</label>${second.control}
      </div>
      ${errors}
    </fieldset>
  `
}
