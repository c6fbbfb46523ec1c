import type { Identity } from '../../auth/identity.js'
import { withRowId } from '../../base/event.js'
import { block, type Html, html, safeUrl } from '../../base/html.js'
import { inputFields } from '../../crud/action/input.js'
import { mayRecord, mayRun } from '../../crud/call/allow.js'
import type { FilledButton, PageAt } from '../../crud/outcomes/pages.js'
import type { PresenterContext } from '../../face/face.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import { massUpdateUri } from '../../resource/action/mass-update.js'
import { safely } from '../../resource/action/policy.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import { type ActionTarget, actionButton } from '../components/action-button.js'
import { compactButton } from '../components/bulk-actions.js'
import { icon } from '../components/icon.js'
import { type MenuItem, menu } from '../components/menu.js'
import { tokenInput } from '../frame/form-token.js'

type AnyButton = Resource['indexButtons'][number] | Resource['buttons'][number]
type Record_ = Record<string, unknown>

/** A button and its target. */
interface Aimed {
  readonly one: Pick<AnyButton, 'label' | 'icon' | 'tone' | 'group'>
  readonly target: ActionTarget
}

/** The custom items of a row's menu, as far as this caller may use them on this record. */
export function rowButtons(resource: Resource, at: PresenterContext, form: string): (key: string, record: Record_) => readonly MenuItem[] {
  const all = allowed(resource, at, resource.indexButtons.filter(isOfRow))
  return (key, record) =>
    all
      .filter((one) => fits(one, resource, at, record))
      .map((one) => item({ one, target: target(one, resource, at, { form, key, pageUri: 'index-page' }) }))
}

/** Whether rows have custom buttons for this caller. */
export function hasRowButtons(resource: Resource, at: PresenterContext): boolean {
  return allowed(resource, at, resource.indexButtons.filter(isOfRow)).length > 0
}

function isOfRow(one: Resource['indexButtons'][number]): boolean {
  return !one.bulk && one.at !== 'toolbar'
}

/** What changes fields of all selected rows; null: the caller may change none. */
function massUpdateFor(resource: Resource, { realm, identity }: PresenterContext): BoundAction | null {
  const action = resource.handlers.get(massUpdateUri)
  if (!action?.changes || identity === null || !mayRun(realm, identity, resource, action)) return null
  return inputFields(action, identity).size > 0 ? action : null
}

/** The button that changes fields of all selected rows. */
export function massUpdateButtons(resource: Resource, at: PresenterContext, form: string): readonly Html[] {
  const action = massUpdateFor(resource, at)
  if (!action) return []
  const query = { _ask: '1', _page: 'index-page' }
  const address = url(at.place, 'handler', { resourceUri: resource.uriKey, handlerUri: action.uri, query })
  const label = at.realm.t('action.edit')
  return [compactButton(label, actionButton({ label, icon: 'edit' }, runs(action, form, address, { asks: true, bulk: true })))]
}

/** The custom actions for selected rows. */
export function bulkButtons(resource: Resource, at: PresenterContext, form: string): readonly Html[] {
  const all = allowed(resource, at, resource.indexButtons.filter(isBulk))
  return all
    .filter((one) => seen(one, at))
    .map((one) => actionButton(looks(one), target(one, resource, at, { form, key: null, pageUri: 'index-page' })))
}

/** The custom buttons above a list. The page also needs `buttonsForm`. */
export function toolbarButtons(resource: Resource, at: PresenterContext): readonly Html[] {
  const all = allowed(
    resource,
    at,
    resource.indexButtons.filter((one) => one.at === 'toolbar'),
  )
  return grouped(
    all
      .filter((one) => seen(one, at))
      .map((one) => ({ one, target: target(one, resource, at, { form, key: null, pageUri: 'index-page' }) })),
    'group',
  )
}

/** The custom buttons of a resource's page; without a record, those that need none. The page also needs `buttonsForm`. */
export function resourceButtons(resource: Resource, at: PresenterContext, on: ButtonPage): readonly Html[] {
  const all = allowed(
    resource,
    at,
    resource.buttons.filter((one) => one.on === undefined || one.on === on.page),
  )
  const there = 'key' in on ? all.filter((one) => fits(one, resource, at, on.record)) : all.filter((one) => worksAlone(one, resource, at))
  const [key, uri] = ['key' in on ? on.key : null, 'uri' in on ? on.uri : `${on.page}-page`]
  return grouped(
    there.map((one) => ({ one, target: target(one, resource, at, { form, key, pageUri: uri }) })),
    'group',
  )
}

/** A page of a resource: of a record, the form of a new one, or a composed page. */
type ButtonPage =
  | { readonly page: 'detail' | 'form'; readonly key: string; readonly record: Record_ }
  | { readonly page: 'form' }
  | { readonly page: 'composed'; readonly uri: string }

// Buttons refer to their form by id, so they can be anywhere on the page.
const form = 'actions'

/** The form of a page's custom buttons. */
export function buttonsForm(at: PresenterContext): Html {
  return html`<form id="${form}" method="post">${tokenInput(at)}</form>`
}

/** Draws buttons in order; those of a group become a menu at the position of its first. */
function grouped(all: readonly Aimed[], ids: string): readonly Html[] {
  const done = new Set<string>()
  return all.flatMap(({ one, target }) => {
    if (one.group === undefined) return [actionButton(looks(one), target)]
    if (done.has(one.group)) return []
    done.add(one.group)
    const items = all.filter((each) => each.one.group === one.group).map(item)
    const id = `${ids}-${done.size}`
    return [
      block`
        <button type="button" class="button" popovertarget="${id}"><span class="text">${one.group}</span>${icon('chevron-down')}</button>
        ${menu(id, items)}
      `,
    ]
  })
}

function allowed<B extends AnyButton>(resource: Resource, at: PresenterContext, buttons: readonly B[]): readonly B[] {
  const { realm, identity } = at
  return buttons.filter((one) => {
    const action = actionOf(one, resource)
    return identity !== null && (action === null || mayRun(realm, identity, resource, action))
  })
}

function fits(one: AnyButton, resource: Resource, at: PresenterContext, record: Record_): boolean {
  const user = at.identity as Identity
  const action = actionOf(one, resource)
  if (action && !mayRecord(user, resource, action, record)) return false
  const { visible } = one as { visible?(about: { user: Identity; record: Record_ }): boolean }
  return visible === undefined || safely(user, () => visible({ user, record }))
}

/** Whether a button works without a record: it needs no selection, has no `{row-id}`, and `visible` does not read the record. */
function worksAlone(one: AnyButton, resource: Resource, at: PresenterContext): boolean {
  if (actionOf(one, resource)?.needsSelection || `${one.href ?? ''}${one.event ?? ''}`.includes('{row-id}')) return false
  const { visible } = one as { visible?(about: { user: Identity; record: Record_ }): boolean }
  if (visible === undefined) return true
  const user = at.identity as Identity
  let looked = false
  const about = {
    user,
    get record(): Record_ {
      looked = true
      return {}
    },
  }
  return safely(user, () => {
    try {
      return visible(about) && !looked
    } catch (thrown) {
      // It failed because there is no record.
      if (looked) return false
      throw thrown
    }
  })
}

function seen(one: AnyButton, at: PresenterContext): boolean {
  const { visible } = one as { visible?(who: { user: Identity }): boolean }
  return visible === undefined || safely(at.identity as Identity, () => visible({ user: at.identity as Identity }))
}

function actionOf({ handler, method }: AnyButton, { handlers, methods }: Resource): BoundAction | null {
  return (handler === undefined ? methods.get(method ?? '') : handlers.get(handler)) ?? null
}

function looks({ label, icon, tone }: Pick<AnyButton, 'label' | 'icon' | 'tone'>) {
  return { label, ...(icon && { icon }), ...(tone && { tone }) }
}

function item({ one, target }: Aimed): MenuItem {
  const { label, icon, tone } = looks(one)
  return { label, ...(icon && { drawn: icon }), danger: tone === 'danger', ...target }
}

interface Stands {
  /** The id of the form that it submits. */
  readonly form: string
  /** The key of the record that it is about; null: none. */
  readonly key: string | null
  readonly pageUri: string
}

function target(one: AnyButton, resource: Resource, { place }: PresenterContext, { form, key, pageUri }: Stands): ActionTarget {
  const led = leads(one, key)
  if (led) return led
  const action = actionOf(one, resource) as BoundAction
  const all: readonly AnyButton[] = [...resource.indexButtons, ...resource.buttons]
  const asks = asksOf(one, action, all.indexOf(one))
  const item = pageUri === 'index-page' ? null : key
  const query: Record<string, string> = one.handler === undefined ? { method: action.uri } : {}
  if (key !== null) query.ids = key
  if (item !== null) query._item = item
  Object.assign(query, asks)
  if (one.handler !== undefined) query._page = pageUri
  const { uriKey: resourceUri } = resource
  const address =
    one.handler === undefined
      ? url(place, 'method', { pageUri: shadows(resource, pageUri, action.uri) ? 'index-page' : pageUri, resourceUri, query })
      : url(place, 'handler', { resourceUri, handlerUri: action.uri, query })
  return runs(action, form, address, { asks: asks !== null, bulk: isBulk(one) })
}

/** Whether a page has its own method with the name of one of the resource's. */
function shadows({ morePages }: Resource, pageUri: string, name: string): boolean {
  const page = morePages.get(pageUri)
  return page !== undefined && 'methods' in page && page.methods.has(name)
}

/** The buttons of a custom page. The page also needs `buttonsForm`. */
export function ownPageButtons(all: readonly FilledButton[], page: PageAt, at: PresenterContext): readonly Html[] {
  return grouped(
    all.map((one) => ({ one: one.button, target: ownTarget(one, page, at) })),
    'page-group',
  )
}

/** A button among the components of a page. */
export function pageButton(one: FilledButton, page: PageAt, at: PresenterContext): Html {
  return actionButton(looks(one.button), ownTarget(one, page, at))
}

function ownTarget({ button: one, number, action, resource }: FilledButton, page: PageAt, { place }: PresenterContext): ActionTarget {
  const led = leads(one, page.key)
  if (led || !action) return led ?? { event: '' }
  const asks = asksOf(one, action, number)
  const query = { ...(page.key !== null && { _item: page.key }), ...asks }
  const from = page.resource ? { resourceUri: page.resource.uriKey } : {}
  const address = resource
    ? url(place, 'handler', { resourceUri: resource.uriKey, handlerUri: action.uri, query })
    : url(place, 'method', { pageUri: page.uri, ...from, query: { method: action.uri, ...query } })
  return runs(action, form, address, { asks: asks !== null, bulk: false })
}

/** The target of a button with a link or an event; null if it runs an action. */
function leads({ event, href }: Pick<AnyButton, 'event' | 'href'>, key: string | null): ActionTarget | null {
  if (event !== undefined) return { event: key === null ? event : withRowId(event, key) }
  if (href !== undefined) return { href: safeUrl(key === null ? href : withRowId(href, encodeURIComponent(key))) }
  return null
}

/** The query by which a button asks for its action's form first; null if it has none. */
function asksOf({ confirm }: Pick<AnyButton, 'confirm'>, action: BoundAction, number: number): { _ask: string; _button: number } | null {
  return action.fields.size > 0 || action.confirm !== null || confirm !== undefined ? { _ask: '1', _button: number } : null
}

/** A GET is a plain link, unless it needs the selected records. */
function runs(
  { method }: BoundAction,
  form: string,
  action: string,
  { asks, bulk }: { readonly asks: boolean; readonly bulk: boolean },
): ActionTarget {
  if (method === 'GET' && !bulk) return { href: action }
  return { form, action, method, script: asks ? 'ask' : 'run' }
}

function isBulk(one: AnyButton): boolean {
  return 'bulk' in one && one.bulk === true
}
