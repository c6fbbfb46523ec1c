import { type Html, html, safeUrl } from '../../base/html.js'
import { numberText, percentText } from '../../base/number.js'
import type { Composed, Filled, ReadValue } from '../../crud/outcomes/pages.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { pagePath } from '../../face/page-path.js'
import { pageButtons } from '../../resource/pages/own-page.js'
import { url } from '../../route/url.js'
import { badge } from '../components/badge.js'
import { box } from '../components/box.js'
import { dialog } from '../components/dialog.js'
import { empty } from '../components/empty.js'
import { deferred, fragment } from '../components/fragment.js'
import { grid } from '../components/grid.js'
import { crumbs, heading } from '../components/heading.js'
import { meter } from '../components/meter.js'
import { metric, type TrendView } from '../components/metric.js'
import { notice } from '../components/notice.js'
import { stack } from '../components/stack.js'
import { tabSet } from '../components/tab-set.js'
import { formCard } from '../form/form-card.js'
import { page } from '../frame/page.js'
import { recordUrls } from '../frame/record-urls.js'
import { cellContext } from '../frame/view-context.js'
import { buttonsForm, ownPageButtons, pageButton, resourceButtons } from '../list/buttons.js'
import { filteredUrl, listUrl } from '../list/list-url.js'
import { tableCard } from '../list/table-card.js'
import { chartCard } from './chart-card.js'
import { pageFilters } from './page-filters.js'

/** A page of components. */
export function composedPage(
  { page: { title, ...own }, buttons, filters, inside, at: where, error, query }: Composed,
  around: PresenterContext,
): Reply {
  // A refused form was sent to another path, but links must lead to the page that holds it.
  const at = query ? { ...around, path: pagePath(around.place, where), query } : around
  const { resource } = where
  // The resource's shared buttons come before the page's own.
  const shared = resource ? resourceButtons(resource, at, { page: 'composed', uri: where.uri }) : []
  const actions = [...shared, ...ownPageButtons(buttons, where, at)]
  // Deferred parts may hold buttons, too, so look at all declared ones.
  const form = (shared.length > 0 || pageButtons(own).length > 0) && buttonsForm(at)
  const trail =
    resource && crumbs([{ label: resource.title, href: url(at.place, 'crud.index', { resourceUri: resource.uriKey }) }], at.realm.t)
  const content = inside.length > 0 ? stack(drawAll(inside, at)) : nothing(at)
  return page(
    at,
    { title, status: error?.status ?? 200, headers: error?.headers ?? {} },
    html`${trail}${heading({ title, actions })}${form}${filters.length > 0 && pageFilters(filters, at)}${content}`,
  )
}

/** Where there is nothing, or nothing for this user. */
export function nothing({ realm: { t } }: PresenterContext): Html {
  return html`<div class="card">${empty({ icon: 'empty', title: t('home.none'), text: t('home.noneText') })}</div>`
}

function drawAll(all: readonly Filled[], at: PresenterContext, title: string | null = null): readonly Html[] {
  // A title above several forms names none of them.
  const above = all.filter(({ is }) => is === 'form').length === 1 ? title : null
  return all.map((one) => drawFilled(one, at, above))
}

/**
 * Draws a component with its data.
 *
 * @param above the title shown above it
 */
export function drawFilled(filled: Filled, at: PresenterContext, above: string | null = null): Html {
  switch (filled.is) {
    case 'plain':
      return drawPlain(filled.component)
    case 'button':
      return pageButton(filled.button, filled.at, at)
    case 'group':
      // A refused form must be visible at once, so its dialog is drawn as a box.
      if (filled.component.is !== 'grid' && 'title' in filled.component && filled.inside.some(isRefused))
        return box(filled.component.title, drawAll(filled.inside, at, filled.component.title))
      return drawGroup(filled.component, drawAll(filled.inside, at, 'title' in filled.component ? filled.component.title : null), at)
    case 'deferred': {
      const { name, label } = filled.component
      return deferred({ name, label, url: fragmentUrl(at, name), here: listUrl(at, { '_fragment-show': name }) }, at.realm.t)
    }
    case 'tabs': {
      const { name, label } = filled.component
      const tabs = filled.tabs.map((tab) => ({
        label: tab.label,
        href: listUrl(at, { [name]: tab.uri }),
        current: tab.uri === filled.current,
      }))
      const shown = filled.tabs.find((tab) => tab.uri === filled.current)
      return tabSet({ name, label, url: fragmentUrl(at, name), tabs, inside: drawAll(shown?.inside ?? [], at) })
    }
    case 'table':
      return tableCard(filled.list, at)
    case 'form':
      return formCard(filled.component, filled.form, filled.at, at, above)
    case 'metric': {
      const { name, label } = filled.component
      return metric({
        name,
        label,
        url: fragmentUrl(at, name),
        value: valueHtml(filled.value, at),
        href: hrefOf(filled, at),
        note: noteOf(filled.value, at),
        trend: trendOf(filled, at),
      })
    }
    case 'chart':
      return chartCard(filled, fragmentUrl(at, filled.component.name), at)
    case 'badge': {
      const { name, tone, label } = filled.component
      return badge({ name, tone, label, url: fragmentUrl(at, name), value: valueHtml(filled.value, at) })
    }
    case 'progress': {
      const { name, label } = filled.component
      const { t, locale } = at.realm
      const [value, max] = [numberOf(filled.value), numberOf(filled.max)]
      const words = (number: number | null, { field, stored }: ReadValue) =>
        number === null ? t('value.empty') : field ? field.kind.words(stored, field, at.realm) : numberText(locale, number)
      const text = t('progress.of', { value: words(value, filled.value), max: words(max, filled.max) })
      return meter({ name, label, url: fragmentUrl(at, name), value: max === null ? 0 : (value ?? 0), max: max ?? 0, text })
    }
  }
}

function drawPlain(component: Extract<Filled, { is: 'plain' }>['component']): Html {
  switch (component.is) {
    case 'heading':
      return html`<h2 class="title">${component.text}</h2>`
    case 'paragraph':
      return html`<p class="text">${component.content}</p>`
    case 'alert':
      return notice(component.tone, component.title, component.text === null ? [] : [{ text: component.text }])
  }
}

function drawGroup(component: Extract<Filled, { is: 'group' }>['component'], inside: readonly Html[], at: PresenterContext): Html {
  switch (component.is) {
    case 'box':
      return box(component.title, inside)
    case 'grid':
      return grid(component.columns, inside)
    case 'fragment':
      return fragment({ name: component.name, url: fragmentUrl(at, component.name) }, inside)
    default:
      return dialog(
        {
          name: component.name,
          label: component.label,
          title: component.title,
          beside: component.is === 'off-canvas',
          url: fragmentUrl(at, component.name),
        },
        inside,
        at.realm.t,
      )
  }
}

function isRefused(filled: Filled): boolean {
  if (filled.is === 'group') return filled.inside.some(isRefused)
  if (filled.is === 'tabs') return filled.tabs.some(({ inside }) => inside?.some(isRefused))
  return filled.is === 'form' && (filled.form.error !== null || filled.form.fields.some(({ choices }) => choices !== null))
}

/** The URL of a part of this page alone. */
function fragmentUrl(at: PresenterContext, name: string): string {
  return listUrl(at, { '_fragment-load': name, '_fragment-show': null })
}

/** A value as a number; null if it is none. Exact decimals and large integers are strings. */
function numberOf({ value }: ReadValue): number | null {
  const number = value === null ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

/** A value as HTML: by its field's kind if it has one, else as a number or string. */
function valueHtml({ value, field, stored }: ReadValue, { realm }: PresenterContext): Html {
  if (value === null) return html`<span class="none">${realm.t('value.empty')}</span>`
  if (field) return field.kind.cell(stored, field, cellContext(realm, field))
  return html`${typeof value === 'number' ? numberText(realm.locale, value) : String(value)}`
}

/** How a number compares with the one before; null: there is none. Without a number before, or from 0 on, nobody can say by how much. */
function trendOf({ component, value, before }: Extract<Filled, { is: 'metric' }>, at: PresenterContext): TrendView | null {
  if (!component.before || !before) return null
  const [now, then] = [numberOf(value), numberOf(before)]
  const part = now === null || then === null || then === 0 ? null : (now - then) / Math.abs(then)
  const isMore = part !== null && part > 0
  const isGood = component.rise !== null && part !== null && part !== 0 ? isMore === (component.rise === 'good') : null
  // The value is markup, so it follows what is written before it.
  const label = component.before.label !== undefined && at.realm.t('filter.is', { label: component.before.label, value: '' })
  return {
    part: part === null ? null : percentText(at.realm.locale, part),
    direction: part === null || part === 0 ? null : isMore ? 'up' : 'down',
    tone: isGood === null ? null : isGood ? 'good' : 'bad',
    before: html`${label}${valueHtml(before, at)}`,
  }
}

function hrefOf({ link, query }: Extract<Filled, { is: 'metric' }>, at: PresenterContext): string | null {
  if (link === null) return null
  return typeof link === 'string' ? safeUrl(link) : filteredUrl(at.place, link, query)
}

/** The record that has a value, with its URL. */
function noteOf({ record }: ReadValue, at: PresenterContext): { readonly label: string; readonly href: string } | null {
  return record && { label: record.label, href: recordUrls(at.place, record.resource.uriKey).show(record.key) }
}
