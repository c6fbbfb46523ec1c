import type { Policies, Policy } from '../../resource/action/policy.js'
import { always, othersIn } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { MenuLine } from '../../resource/pages/menu.js'
import type { Resource } from '../../resource/resource.js'
import type { Store } from '../../store/store.js'
import type { Realm } from '../call/call.js'
import type { Query } from '../call/input.js'
import { actionsOf, callbacksGetRecords } from '../call/lens.js'
import { resourcesThrough } from '../query/filter-fields.js'

// Results that depend on the panel are cached by panel, since several panels may share a resource.
const plains = new WeakMap<Resource, boolean>()
const plainPanels = new WeakMap<Realm, boolean>()
const plainMenus = new WeakMap<Realm, boolean>()

/** Whether a caller's rights on a resource depend on data alone: user code could decide differently next time. */
export function isCacheable(realm: Realm, resource: Resource): boolean {
  return (
    once(plainPanels, realm, () => all(realm.can)) &&
    once(
      plains,
      resource,
      () =>
        resource.scope === null &&
        !callbacksGetRecords(resource) &&
        all(resource.can) &&
        actionsOf(resource).every(({ can }) => isData(can)),
    ) &&
    resourcesThrough(realm, resource).every((one) => one.scope === null && all(one.can))
  )
}

/** Like `isCacheable`, for the menu, which is on every page. It must have no counts, since these may be half a minute old. */
export function isCacheableMenu(realm: Realm): boolean {
  return once(plainMenus, realm, () => {
    const resources = [...realm.resources.values()].every((one) => all(one.can))
    const pages = [...realm.pages.values(), ...(realm.home ? [realm.home] : [])].every((one) => isData(one.can))
    return resources && pages && [...(realm.menu ?? []), ...realm.moreMenu].every(isPlainLine)
  })
}

function isPlainLine(line: MenuLine): boolean {
  // The policies of resources and pages that are listed directly are checked by `isCacheableMenu`.
  if (line === 'divider' || 'components' in line || 'uriKey' in line) return true
  if ('group' in line) return isData(line.can) && line.items.every(isPlainLine)
  return isData(line.can) && (line.badge === undefined || typeof line.badge === 'string')
}

/** Whether a list is asked for by a period that is told from now on: tomorrow it has others, though nothing has changed. */
export function isToldFromNow({ queryTags }: Resource, query: Query): boolean {
  if (query.get('query-tag')?.some((tag) => queryTags.get(tag)?.isToldFromNow)) return true
  for (const name of query.keys()) if (name.endsWith('[within]')) return true
  return false
}

/** Whether the store reports every change of the tables that a list of a resource is asked of. */
export function reportsChanges(realm: Realm, store: Store, resource: Resource, query: Query): boolean {
  const { model, queryTags } = resource
  const tells = (one: Model) => store.tells?.(one) !== false
  const isKnown = (tag: string) => othersIn(queryTags.get(tag)?.where('UTC') ?? always).every(tells)
  return (
    tells(model) && resourcesThrough(realm, resource).every((one) => tells(one.model)) && query.get('query-tag')?.every(isKnown) !== false
  )
}

const all = (policies: Policies) => Object.values(policies).every(isData)
const isData = (policy: Policy | null | undefined) => typeof policy !== 'function'

function once<K extends object>(known: WeakMap<K, boolean>, key: K, ask: () => boolean): boolean {
  const answer = known.get(key) ?? ask()
  known.set(key, answer)
  return answer
}
