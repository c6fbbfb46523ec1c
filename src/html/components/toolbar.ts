import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button, buttonLink } from './button.js'
import { type FilterView, filterMenu, filterPanel, isWrong } from './filter.js'
import { icon } from './icon.js'
import { type MenuItem, menu } from './menu.js'

export interface ToolbarView {
  readonly id: string
  /** The URL of the list, which the form reloads. */
  readonly action: string
  /** Parameters the form keeps: sort, page size, view. */
  readonly keep: readonly (readonly [name: string, value: string])[]
  /** Null if nothing can be searched. `fields` names what is searched. */
  readonly search: { readonly text: string; readonly fields: readonly string[] } | null
  /** In the declared order; the first three are in the toolbar. */
  readonly filters: readonly FilterView[]
  readonly clear: string
  /** For phones, where tables have no head. */
  readonly sorts: readonly MenuItem[]
  /** Whether a script may show how many records the filters match. */
  readonly counts: boolean
  /** Whether the list can be saved under a name. */
  readonly savable: boolean
  /** The name under which the list as it is has been saved; null: none. */
  readonly view: string | null
  /** The files that the list can be exported to. */
  readonly exports: readonly { readonly format: string; readonly href: string }[]
}

// With more than three in the toolbar, none of them is a main one.
const main = 3

/** Search and filters in one GET form, so that the URL alone decides what is listed. */
export function toolbar(view: ToolbarView, t: Translate): Html {
  const { id, action, keep, search, filters, clear, sorts, counts, savable, view: named, exports } = view
  const rest = filters.slice(main)
  const [all, hidden] = [filters, rest].map((some) => some.filter(({ applied }) => applied).length) as [number, number]
  return block`
    <form class="tools" method="get" action="${action}" role="search" id="${id}-tools">
      ${keep.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <div class="toolbar">
        ${search && searchBox(id, search, t)}<span class="spring"></span>
        ${
          sorts.length > 0 &&
          block`
            <div class="phone-only">
              <button type="button" class="button square" popovertarget="${id}-sort" aria-label="${t('list.sort')}">${icon('sort')}</button>
              ${menu(`${id}-sort`, sorts, t('list.sort'))}
            </div>
          `
        }
        ${
          filters.length > 0 &&
          block`
            <div class="sheet">
              <div class="filters">${filters.slice(0, main).map((one) => filterMenu(id, one, t))}</div>
              <div class="more-panel">
                ${rest.length > 0 && html`<div class="grid">${rest.map((one) => filterPanel(one, t))}</div>`}
                <div class="apply">
                  ${button({ label: t('list.show') }, { 'data-counts': counts || null })}
                  ${buttonLink({ label: t('list.clear'), href: clear, tone: 'plain' })}
                </div>
              </div>
            </div>
            <details
              class="more${rest.length === 0 && ' phone-only'}${hidden > 0 && ' on'}${all > 0 && ' any'}"
              ${rest.some(isWrong) && html` open`}
            >
              <summary class="button">
                ${icon('filter')}
                ${rest.length > 0 && html`<span class="text desk-only">${withCount(t('list.more'), hidden, t)}</span>`}
                <span class="text phone-only">${withCount(t('list.filter'), all, t)}</span>
                ${all > 0 && html`<span class="phone-only" aria-hidden="true">${all}</span>`}
              </summary>
            </details>
          `
        }
        ${exporter(`${id}-exports`, exports, t)}
        ${savable && opener(`${id}-views`, 'bookmark', t('views.title'), t, named)}
        ${opener(`${id}-options`, 'columns', t('options.title'), t)}
      </div>
    </form>
  `
}

function exporter(menuId: string, exports: ToolbarView['exports'], t: Translate): Html {
  const items = exports.map(({ format, href }) => ({ label: t('export.as', { format }), href }))
  const [only, another] = items
  if (only && !another)
    return block`
      <a class="button square desk-only" href="${only.href}" title="${only.label}" aria-label="${only.label}">${icon('download')}</a>
    `
  const label = t('export.title')
  return block`
    <span class="desk-only">
      <button type="button" class="button square" popovertarget="${menuId}" title="${label}" aria-label="${label}">
        ${icon('download')}
      </button>
      ${menu(menuId, items)}
    </span>
  `
}

/** A label with the number of active filters behind it. */
function withCount(label: string, count: number, t: Translate): string {
  return count === 0 ? label : t('list.withCount', { label, count })
}

// The menu it opens is outside this form, since it contains forms.
function opener(menuId: string, name: 'bookmark' | 'columns', label: string, t: Translate, now: string | null = null): Html {
  const whole = now === null ? label : t('filter.is', { label, value: now })
  return block`
    <button type="button" class="button square${now !== null && ' now'}" popovertarget="${menuId}" title="${whole}" aria-label="${whole}">
      ${icon(name)}${now !== null && html`<span class="text desk-only">${now}</span>`}
    </button>
  `
}

function searchBox(id: string, { text, fields }: NonNullable<ToolbarView['search']>, t: Translate): Html {
  const label = t('list.searchIn', { fields: fields.join(', ') })
  return block`
    <div class="search">
      <button aria-label="${t('list.search')}">${icon('search')}</button>
      <input type="search" name="search" id="${id}-search" value="${text}" placeholder="${label}" aria-label="${label}" autocomplete="off">
    </div>
  `
}
