import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'
import { fieldError } from './field.js'
import { icon } from './icon.js'

export interface PageFilterBarView {
  /** The URL of the page, which the forms reload. */
  readonly action: string
  readonly filters: readonly PageFilterView[]
  /** The days that the page shows; null: it has no period, or any time. */
  readonly days: string | null
  /** The URL of the page as it begins; null: it is so. */
  readonly reset: string | null
}

interface FilterOfPage {
  readonly id: string
  readonly label: string
  /** What is chosen, in words; null: nothing. */
  readonly now: string | null
  /** Whether that is another choice than the page begins with. */
  readonly on: boolean
  readonly open: boolean
  /** The other parameters, which its form keeps. */
  readonly keep: readonly (readonly [name: string, value: string])[]
  readonly errors: readonly string[]
}

/** One of several ready choices beside the ends of a range; or a control. */
export type PageFilterView = FilterOfPage &
  (
    | {
        readonly ready: readonly { readonly label: string; readonly href: string; readonly current: boolean }[]
        readonly ends: readonly EndView[]
      }
    | { readonly control: Html; readonly controlId: string }
  )

interface EndView {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly value: string
  readonly errors: readonly string[]
}

/** What users choose on a page, as one menu each, which says what is chosen. */
export function pageFilterBar({ action, filters, days, reset }: PageFilterBarView, t: Translate): Html {
  return block`
    <div class="page-filters" role="group" aria-label="${t('pageFilter.group')}">
      ${filters.map((one) => filterOf(one, action, t))}
      ${days !== null && html`<span class="days">${days}</span>`}
      ${reset !== null && html`<a href="${reset}">${t('pageFilter.reset')}</a>`}
    </div>
  `
}

function filterOf(view: PageFilterView, action: string, t: Translate): Html {
  const { id, label, now, on, open, keep, errors } = view
  const kept = keep.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const words = now === null ? label : t('filter.is', { label, value: now })
  const inside =
    'control' in view
      ? block`
        <form class="panel" method="get" action="${action}">
          ${kept}
          <div class="control-group">
            <label for="${view.controlId}">${label}</label>${view.control}
            ${errors.length > 0 && fieldError(view.controlId, errors)}
          </div>
          ${button({ label: t('list.apply') })}
        </form>
      `
      : block`
        <div class="panel">
          ${errors.length > 0 && fieldError(`filter-${id}`, errors)}
          <ul>
            ${view.ready.map((one) => html`<li><a href="${one.href}"${one.current && html` aria-current="true"`}>${one.label}</a></li>`)}
          </ul>
          <form method="get" action="${action}">
            ${kept}
            <fieldset class="control-group">
              <legend class="unseen">${label}</legend>
              <div class="pair">${view.ends.map(end)}</div>
              ${view.ends.map(({ id, errors }) => errors.length > 0 && fieldError(id, errors))}
            </fieldset>
            ${button({ label: t('list.apply') })}
          </form>
        </div>
      `
  return block`
    <details class="filter${on && ' on'}" name="page-filter" id="page-filter-${id}"${open && html` open`}>
      <summary class="button" title="${words}"><span class="text">${words}</span>${icon('chevron-down')}</summary>
      ${inside}
    </details>
  `
}

function end({ id, name, label, value, errors }: EndView): Html {
  return block`
    <label for="${id}">${label}</label>
    <input
      type="date"
      id="${id}"
      name="${name}"
      value="${value}"
      ${errors.length > 0 && html` aria-invalid="true" aria-describedby="${id}-error"`}
    >
  `
}
