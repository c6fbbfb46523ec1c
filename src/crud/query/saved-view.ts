import type { Identity } from '../../auth/identity.js'
import { DaymarkError } from '../../base/errors.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import type { SavedView } from '../call/preferences.js'
import { listQuery } from './list-query.js'

/** How many characters the name of a saved view has at most. */
export const longestViewName = 60

/** What is wrong with the query of a saved view, for a user; null: nothing. */
export function viewFault(realm: Realm, identity: Identity, resource: Resource, query: string): string | null {
  const named = new Map<string, string[]>()
  for (const [key, value] of new URLSearchParams(query)) named.set(key, [...(named.get(key) ?? []), value])
  try {
    listQuery(realm, identity, lensOf(identity, resource, { name: 'index', whole: false }), named, true)
    return null
  } catch (thrown) {
    if (thrown instanceof DaymarkError) return thrown.message
    throw thrown
  }
}

/** The saved views that a user is offered: one that others share may tell of a field that this user does not see. */
export function openViews(realm: Realm, identity: Identity, resource: Resource, views: readonly SavedView[]): readonly SavedView[] {
  return views.filter(({ shared, query }) => !shared || viewFault(realm, identity, resource, query) === null)
}
