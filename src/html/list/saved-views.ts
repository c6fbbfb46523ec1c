import type { Identity } from '../../auth/identity.js'
import { defaultPreferences } from '../../crud/call/preferences.js'
import { queryWithoutPage } from '../../crud/query/query-without-page.js'
import { longestViewName, openViews } from '../../crud/query/saved-view.js'
import type { PresenterContext } from '../../face/face.js'
import { type Place, url } from '../../route/url.js'
import type { ViewsView } from '../components/views-menu.js'
import { tokenInput } from '../frame/form-token.js'
import type { AnyList } from './any-list.js'
import { pairs } from './list-url.js'

/** The URL of a saved view. */
export function viewUrl(place: Place, resourceUri: string, query: string): string {
  return url(place, 'crud.index', { resourceUri }) + (query === '' ? '' : `?${query}`)
}

/** The caller's saved views of a list, and what is needed to save the current one. */
export function viewsOf(list: AnyList, at: PresenterContext): ViewsView {
  const { uriKey, table } = list.resource
  const { views, sharing } = at.shell?.preferences ?? defaultPreferences
  const now = [queryWithoutPage(pairs(at.query)), listQueryText(list, at)]
  const all = openViews(at.realm, at.identity as Identity, list.resource, views.get(uriKey) ?? [])
  const named = (those: boolean) =>
    all.flatMap(({ name, shared, query }) =>
      shared === those ? { name, href: viewUrl(at.place, uriKey, query), current: now.includes(query) } : [],
    )
  return {
    id: `${table.name}-views`,
    action: url(at.place, 'preferences'),
    token: tokenInput(at),
    resourceUri: uriKey,
    query: listQueryText(list, at),
    own: named(false),
    shared: named(true),
    shares: sharing === 'saves',
    longest: longestViewName,
  }
}

/** The list's query, with the columns if they come from the caller's preferences and so are not in the URL. */
export function listQueryText(
  { resource, lens, drawn }: AnyList,
  at: PresenterContext,
  without: ReadonlyMap<string, unknown> = new Map(),
): string {
  const all = pairs(at.query).filter(([name]) => !without.has(name) && !without.has(name.replace(/\[\]$/, '')))
  const chosen = at.shell?.preferences.columns.has(resource.uriKey) && resource.columnSelection
  // Those of a view are its own.
  if (chosen && drawn === null && !all.some(([name]) => name === 'fields')) all.push(['fields', lens.shown.map(({ key }) => key).join(',')])
  return queryWithoutPage(all)
}
