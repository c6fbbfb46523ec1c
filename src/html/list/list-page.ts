import type { Identity } from '../../auth/identity.js'
import { block, type Html, html } from '../../base/html.js'
import { inSentence } from '../../base/language.js'
import { numberText } from '../../base/number.js'
import { may } from '../../crud/call/allow.js'
import { isFilterParameter } from '../../crud/input/filter-parameters.js'
import { arrangedColumns } from '../../crud/list/columns.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import { searchColumns } from '../../crud/query/query-names.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { newText } from '../../resource/singular.js'
import { url } from '../../route/url.js'
import type { Row } from '../../store/store.js'
import { actionButton } from '../components/action-button.js'
import { bulk, compactButton, limitedButton, selectAllMatches } from '../components/bulk-actions.js'
import { buttonLink, inside } from '../components/button.js'
import { chips } from '../components/chips.js'
import { crumbs, heading } from '../components/heading.js'
import { type MenuItem, menu } from '../components/menu.js'
import { type OptionsView, optionsMenu } from '../components/options-menu.js'
import type { Column, SortView } from '../components/table.js'
import { type Tab, tabs } from '../components/tabs.js'
import { toolbar } from '../components/toolbar.js'
import { viewsMenu } from '../components/views-menu.js'
import { assetUrl } from '../frame/assets.js'
import { tokenInput, zoneInput } from '../frame/form-token.js'
import { page } from '../frame/page.js'
import { createUrl, importText, importUrl, trashUrl } from '../frame/record-urls.js'
import type { AnyList } from './any-list.js'
import { hasView } from './any-list.js'
import { bulkButtons, buttonsForm, massUpdateButtons, toolbarButtons } from './buttons.js'
import { prefillFromFilters } from './create-from-list.js'
import { currentView } from './current-view.js'
import { type ExportLink, exportsOf, exportsOfSelected } from './export-links.js'
import { chipsOf, clearUrl, filterViews } from './filters.js'
import { ignoredParameters } from './ignored-parameters.js'
import { listCrumbs } from './list-crumbs.js'
import { listName, listNameParameters } from './list-name.js'
import { listScripts } from './list-scripts.js'
import { listUrl, pairs } from './list-url.js'
import { moveAttributes, movesForm, ownOrderUrl } from './moves.js'
import { rowForms } from './row-writer.js'
import { rowMaker } from './rows.js'
import { viewsOf } from './saved-views.js'
import { sortBy, sortingOf } from './sorting.js'
import { tableOf } from './table-parts.js'
import { switchOf } from './view-switch.js'

export interface ListParts {
  /** The rows read before the page begins: none if the list is streamed. */
  readonly rows: readonly Row[]
  /** The body's rows as HTML. */
  readonly body: Html
  /** The content below the rows. */
  readonly below: Html
  /** The number of records, as shown beside the title; null if not counted. */
  readonly total: Html | string | null
  /** The control that selects all matching records; null if that is not offered. */
  readonly every: Html | null
}

/** A list's table with its tools, on its page and when reloaded alone. */
export function listCard(list: AnyList, at: PresenterContext, { rows, body, below, every }: ListParts): Html {
  const { resource } = list
  const { t } = at.realm
  const { picks, menus } = rowForms(list, at)
  const columns = hasView(list) ? [] : columnsOf(list, at)
  const found = chipsOf(list, at)
  const address = addressRead(at)
  return block`
    <div
      class="listing card"
      id="${resource.table.name}"
      ${resource.isAsync && html` data-async data-row="${rowAddress(list, at)}"`}
      ${resource.clickAction !== null && html` data-click="${resource.clickAction}"`}
      ${address !== null && html` data-address="${address}"`}
      ${moveAttributes(list, at)}
      ${listScripts(list, at)}
    >
      ${tagTabs(list, at)}${tools(list, at, columns)}${found && chips(found, t)}
      ${hasView(list) ? currentView(list, at) : tableOf(list, at, columns, rows, body)}
      ${below}
      ${menus !== null && html`<form id="${menus}" method="post">${tokenInput(at)}</form>`}
      ${movesForm(list, at)}${!hasView(list) && picks !== null && picked(list, at, picks, every)}
    </div>
  `
}

/** The URL of a row alone; in a custom page's list, that page's URL. */
export function rowAddress(list: AnyList, { place, path }: PresenterContext): string {
  const { uriKey } = list.resource
  const name = listName(list)
  if (list.preset) return `${path}?_fragment-load=${encodeURIComponent(name)}`
  return url(place, 'component', { pageUri: 'index-page', resourceUri: uriKey, query: { _component_name: name } })
}

/** A list's page: heading, tools, table. */
export function listPage(list: AnyList, at: PresenterContext, parts: ListParts): Reply {
  const { resource, preset } = list
  const { t } = at.realm
  const title = preset?.title ?? resource.title
  const create = createUrl(at, resource, prefillFromFilters(list))
  const primary = create === null ? null : buttonLink({ label: newText(resource, t), href: create, icon: 'plus', tone: 'primary' })
  const own = toolbarButtons(resource, at)
  const above = resource.trashOf ? listCrumbs(resource.trashOf, at) : []
  return page(
    at,
    { title },
    block`
      ${above.length > 0 && crumbs(above, t)}
      ${heading({ title, total: parts.total, actions: [...switchOf(list, at), ...own, ...importLink(list, at), ...(primary ? [primary] : [])] })}
      ${own.length > 0 && buttonsForm(at)}${ignoredParameters(list, at)}${listCard(list, at, parts)}
    `,
  )
}

/** On a phone, it is among the options of the list. */
function importLink({ resource, preset }: AnyList, at: PresenterContext): readonly Html[] {
  const href = preset === null ? importUrl(at, resource) : null
  return href === null ? [] : [html`<span class="desk-only">${buttonLink({ label: importText(at), href, icon: 'upload' })}</span>`]
}

/** The URL with normalized filter values, if someone has typed them in another format; else null. */
function addressRead(at: PresenterContext): string | null {
  const { query, target } = at
  const typed = new URLSearchParams(target.slice(at.path.length))
  if (pairs(query).every(([name, value]) => !name.startsWith('filter[') || typed.getAll(name).includes(value))) return null
  const one = (name: string) => query.get(name)?.[0] ?? null
  return listUrl(at, { page: one('page'), cursor: one('cursor') })
}

// The form is outside the table; checkboxes and buttons refer to it by id.
function picked(list: AnyList, at: PresenterContext, form: string, every: Html | null): Html {
  const { resource } = list
  const { t } = at.realm
  const most = resource.maxMassDelete
  const remove = limitedButton(
    { label: t('action.delete'), icon: 'delete', tone: 'danger' },
    { form, name: '_method', value: 'DELETE' },
    most,
    t('ids.tooMany', { max: numberText(at.realm.locale, most) }),
  )
  const actions = may(at.realm, at.identity as Identity, resource, 'massDelete') ? [remove] : []
  const all = [...massUpdateButtons(resource, at, form), ...bulkButtons(resource, at, form), exportButton(list, at, form), ...actions]
  return block`
    <form id="${form}" method="post" action="${url(at.place, 'crud.index', { resourceUri: resource.uriKey })}">${zoneInput(at)}</form>
    ${bulk({ form, actions: all, every }, t)}
  `
}

/** Exports the selected rows: a button, or a menu of the formats that there are. */
function exportButton(list: AnyList, at: PresenterContext, form: string): Html {
  const { t } = at.realm
  const items = exportsOfSelected(list, at).map(({ format, href }) => ({
    label: t('export.as', { format }),
    form,
    action: href,
    method: 'POST',
  }))
  const [only, another] = items
  if (only && !another) return compactButton(only.label, actionButton({ label: only.label, icon: 'download' }, only))
  const id = `${form}-exports`
  const label = t('export.title')
  const opens = html`<button type="button" class="button" popovertarget="${id}">${inside({ label, icon: 'download' })}</button>`
  return html`${compactButton(label, opens)}${menu(id, items)}`
}

/** Offers to select all records, if their number is exact and exceeds the page. The number is sent along with what is done with them. */
export function everyOf(list: Listed, at: PresenterContext): Html | null {
  const { total, rows, preset } = list
  const form = rowForms(list, at).picks
  // What is done with all of them must mean this list, and no wider one.
  if (preset && preset.page === null) return null
  if (form === null || !total?.exact || total.count <= rows.length) return null
  const { t, locale } = at.realm
  const count = numberText(locale, total.count)
  const filters = pairs(at.query).filter(([name]) => isFilterParameter(name))
  const [sort] = at.query.get('sort') ?? []
  return selectAllMatches({
    form,
    label: t('list.selectEvery', { count }),
    said: t('list.selectedEvery', { count }),
    fields: [['_total', String(total.count)], ...(sort ? [['_sort', sort] as const] : []), ...listNameParameters(list), ...filters],
  })
}

function tagTabs({ resource, listing }: AnyList, at: PresenterContext): Html | null {
  if (resource.queryTags.size === 0) return null
  const { t } = at.realm
  const tab = (label: string, key: string | null): Tab => ({ label, href: listUrl(at, { 'query-tag': key }), current: listing.tag === key })
  return tabs([tab(t('list.all'), null), ...[...resource.queryTags].map(([key, { label }]) => tab(label, key))], t('list.tags'))
}

// The form's own parameters; all others of the URL are kept.
const asked = new Set(['search', 'page', 'cursor'])

function tools(list: AnyList, at: PresenterContext, columns: readonly Column[]): Html {
  const { lens, listing, resource } = list
  const { views, hidden } = filterViews(list, at)
  // A view belongs to the resource's own list: it would lead there, without this list's condition and fields.
  const savable = list.preset === null
  const saved = savable ? viewsOf(list, at) : null
  const exports = exportsOf(list, at)
  const fields = searchColumns(lens).map((key) => inSentence(lens.readable.get(key)?.label ?? key, at.realm.locale))
  const bar = toolbar(
    {
      id: resource.table.name,
      action: at.path,
      keep: [...pairs(at.query).filter(([name]) => !name.startsWith('filter[') && !asked.has(name)), ...hidden],
      search: fields.length === 0 ? null : { text: listing.search, fields },
      filters: views,
      clear: clearUrl(at),
      exports,
      sorts: columns.flatMap(({ label, sort }) => (sort ? [sortItem(label, sort)] : [])),
      counts: list.total?.exact === true,
      savable,
      view: [...(saved?.own ?? []), ...(saved?.shared ?? [])].find(({ current }) => current)?.name ?? null,
    },
    at.realm.t,
  )
  return html`${bar}${saved && viewsMenu(saved, at.realm.t)}${optionsMenu(optionsOf(list, at, exports), at.realm.t)}`
}

function sortItem(label: string, { href, direction }: SortView): MenuItem {
  if (direction === null) return { label, href }
  return { label, href, current: true, drawn: direction === 'descending' ? 'arrow-down' : 'arrow-up' }
}

function optionsOf(list: AnyList, at: PresenterContext, exports: readonly ExportLink[]): OptionsView {
  const { resource, lens } = list
  const shown = lens.shown.map(({ key }) => key)
  const all = arrangedColumns(at.realm, at.identity as Identity, resource, shown)
  return {
    id: `${resource.table.name}-options`,
    action: url(at.place, 'preferences'),
    token: tokenInput(at),
    density: at.shell?.preferences.density ?? 'normal',
    columns:
      // What is chosen is chosen for the resource's own list.
      all.length === 0 || list.preset !== null || hasView(list)
        ? null
        : {
            name: `columns[${resource.uriKey}]`,
            script: assetUrl(at.place, 'columns.js'),
            all: all.map((one) => ({ ...one, shown: shown.includes(one.key) })),
          },
    sorting: list.drawn?.is === 'calendar' ? null : sortingOf(list, at),
    ownOrderUrl: hasView(list) ? null : ownOrderUrl(list, at),
    exports,
    importUrl: list.preset === null ? importUrl(at, resource) : null,
    importText: importText(at),
    trashUrl: list.preset === null ? trashUrl(at, resource) : null,
  }
}

/** The columns of a list with their sort links. */
export function columnsOf(list: AnyList, at: PresenterContext): readonly Column[] {
  return rowMaker(at.realm, list.lens).columns.map(({ key, label, align, first, meta, named, copy }) => ({
    key,
    label,
    align,
    first,
    meta,
    named,
    copy,
    sort: sortBy(list, at, key),
  }))
}
