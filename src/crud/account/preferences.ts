import type { Identity } from '../../auth/identity.js'
import { isLonger } from '../../base/characters.js'
import { invalid } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import { may, unrestricted } from '../call/allow.js'
import type { PanelCall, Realm } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { densities, type Preferences, parsePreferences, preferenceNames } from '../call/preferences.js'
import { readPreferences } from '../call/read-preferences.js'
import { type Theme, themes } from '../call/theme.js'
import { choosableColumns } from '../list/columns.js'
import type { Preferred } from '../outcomes/account.js'
import { queryWithoutPage } from '../query/query-without-page.js'
import { longestViewName, openViews, viewFault } from '../query/saved-view.js'
import { type AskedView, type PreferenceChanges, readPreferenceChanges, type WordPreference, wordPreferences } from './preference-input.js'

/** The preferences of the caller. */
export async function preferences({ realm, identity, chosen }: PanelCall): Promise<Preferred> {
  return { is: 'preferred', chosen: offered(realm, identity, chosen), theme: null, saved: null, changed: false }
}

/** Changes the preferences that are sent; null resets one. */
export async function setPreferences(call: PanelCall): Promise<Preferred> {
  const { realm, identity } = call
  const store = realm.auth.services.preferences
  const requested = readPreferenceChanges(call)
  const changes = new Map<string, Json>()
  for (const name of wordPreferences) {
    const value = requested[name]
    if (value !== undefined) changes.set(name, value === null ? null : oneOf(call, name, value))
  }
  for (const [uri, keys] of requested.columns)
    changes.set(preferenceNames.columns(uri), keys === null ? null : columnsOf(call, uri, keys, requested.move))
  let saved: Preferred['saved'] = null
  if (requested.views.some(({ shared }) => shared) && call.chosen.sharing !== 'saves') throw new DeniedError(realm)
  const { views } = requested
  checkAsked(call, views)
  for (const view of views) {
    const { uri, name, query, shared } = view
    const resource = resourceOf(call, memberOf(view), uri)
    const text = query === null ? null : viewOf(call, resource, memberOf(view), name, query)
    changes.set(preferenceNames.view(uri, name, shared), text)
    saved = text === null ? null : { resource, query: text }
  }
  const check = (kept: ReadonlyMap<string, Json>) => checkViews(call, views, parsePreferences(kept, call.chosen.sharing))
  await store.change(identity.id, changes, views.length > 0 ? check : undefined)
  const theme = (changes.get('theme') ?? null) as Theme | null
  const language = changes.get('language') as string | null | undefined
  const chosen = offered(realm, identity, await readPreferences(realm, identity))
  return { is: 'preferred', chosen, theme, ...(language !== undefined && { language }), saved, changed: true }
}

function oneOf({ realm }: PanelCall, name: WordPreference, value: string): string {
  const options = { theme: themes, density: densities, language: realm.languageChoices }[name] as readonly string[]
  if (options.includes(value)) return value
  throw invalid(name, realm.t('field.notOption', { label: name, options: options.join(', ') || '–' }))
}

function columnsOf(call: PanelCall, uri: string, keys: readonly string[], move: PreferenceChanges['move']): Json {
  const name = `columns.${uri}`
  const all = choosableColumns(call.realm, call.identity, resourceOf(call, name, uri))
  const names = all.map(({ key }) => key)
  const wrong = keys.find((key) => !names.includes(key))
  if (wrong !== undefined) throw invalid(name, call.realm.t('query.unknownField', { name: wrong, names: names.join(', ') || '–' }))
  const still = all.flatMap(({ key, moves }) => (!moves && keys.includes(key) ? [key] : []))
  const moved = [...new Set(keys)].filter((key) => !still.includes(key))
  const at = moved.indexOf(move?.key ?? '')
  const other = moved[at + (move?.by ?? 0)]
  if (move && at >= 0 && other !== undefined)
    moved.splice(Math.min(at, at + move.by), 2, ...(move.by < 0 ? [move.key, other] : [other, move.key]))
  return { shown: [...still, ...moved], hidden: names.filter((key) => !keys.includes(key)) }
}

// The longest query for which a URL has room, besides its other parts.
const longestQuery = 8000

/** Normalizes a saved list's query: what says which rows and columns it has and in which order. */
function viewOf({ realm, identity }: PanelCall, resource: Resource, field: string, name: string, query: string): string {
  if (name.trim() === '' || isLonger(name, longestViewName)) throw invalid(field, realm.t('views.badName', { max: longestViewName }))
  const text = queryWithoutPage(new URLSearchParams(query))
  if (Math.max(query.length, text.length) > longestQuery) throw invalid(field, realm.t('views.tooLong', { max: longestQuery }))
  const fault = viewFault(realm, identity, resource, text)
  if (fault !== null) throw invalid(field, fault)
  return text
}

// A menu with more entries would be of no use.
const mostViews = 50

/** No more than could be removed and saved anew: each is looked at, and changed. */
function checkAsked({ realm }: PanelCall, views: readonly AskedView[]): void {
  const counts = new Map<string, number>()
  for (const member of views.map(memberOf)) {
    const count = (counts.get(member) ?? 0) + 1
    counts.set(member, count)
    if (count > 2 * mostViews) throw invalid(member, realm.t('views.tooMany', { max: mostViews }))
  }
}

function checkViews(call: PanelCall, views: readonly AskedView[], kept: Preferences): void {
  checkMost(call, views, kept)
  const others = views.find((view) => view.shared && isOthers(call, view, kept))
  if (others) throw invalid(memberOf(others), call.realm.t('views.taken', { name: others.name }))
}

/** Whether others are offered a view for everybody of this name, but not the caller. One that nobody is offered any more is free. */
function isOthers(call: PanelCall, { uri, name }: AskedView, { views }: Preferences): boolean {
  const { realm, identity } = call
  const view = views.get(uri)?.find((one) => one.shared && one.name === name)
  const resource = resourceOf(call, `sharedViews.${uri}`, uri)
  if (!view || viewFault(realm, identity, resource, view.query) === null) return false
  const rules = [...realm.resources.values()].flatMap(({ fields }) => [...fields.values()].map(({ visible }) => visible))
  const anybody = unrestricted({ ...identity, roles: rules.flatMap((rule) => (typeof rule === 'boolean' ? [] : rule)) })
  return viewFault(realm, anybody, resource, view.query) === null
}

/** What the caller is not offered does not count: it can be neither seen nor taken away. */
function checkMost({ realm, identity }: PanelCall, views: readonly AskedView[], kept: Preferences): void {
  const known = offered(realm, identity, kept).views
  const names = new Map<string, Set<string>>()
  for (const view of views) {
    const { uri, name, query, shared } = view
    const member = memberOf(view)
    const all = names.get(member) ?? new Set(known.get(uri)?.flatMap((one) => (one.shared === shared ? one.name : [])))
    names.set(member, all)
    query === null ? all.delete(name) : all.add(name)
  }
  for (const [member, all] of names) if (all.size > mostViews) throw invalid(member, realm.t('views.tooMany', { max: mostViews }))
}

const memberOf = ({ uri, shared }: AskedView) => `${shared ? 'sharedViews' : 'views'}.${uri}`

/** Without the views that others share and that the caller is not offered. */
function offered(realm: Realm, identity: Identity, chosen: Preferences): Preferences {
  if (chosen.sharing === 'none') return chosen
  const views = [...chosen.views].map(([uri, all]) => {
    const resource = realm.resources.get(uri)
    const mayList = resource !== undefined && may(realm, identity, resource, 'viewAny')
    return [uri, mayList ? openViews(realm, identity, resource, all) : all.filter(({ shared }) => !shared)] as const
  })
  return { ...chosen, views: new Map(views) }
}

/** A resource that the caller may list. A forbidden one counts as unknown. */
function resourceOf({ realm, identity }: PanelCall, name: string, uri: string): Resource {
  const resource = realm.resources.get(uri)
  if (!resource || !may(realm, identity, resource, 'viewAny')) throw invalid(name, realm.t('resource.none'))
  return resource
}
