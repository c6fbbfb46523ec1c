import type { MenuLine } from '../resource/menu.js'
import type { Policies, Policy } from '../resource/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Realm } from './call.js'
import { handsOutRecords } from './lens.js'

// What depends on the panel is never kept with a resource, which several may serve.
const plains = new WeakMap<Resource, boolean>()
const plainPanels = new WeakMap<Realm, boolean>()
const plainMenus = new WeakMap<Realm, boolean>()

/** Whether what a caller may do with a resource is data alone: no code of the user's own has a say in it, which could say something else the next time. */
export function isPlain(realm: Realm, resource: Resource): boolean {
  return (
    once(plainPanels, realm, () => all(realm.can)) &&
    once(plains, resource, () => resource.scope === null && !handsOutRecords(resource) && all(resource.can))
  )
}

/** The same of the whole menu, which stands on every page. What it counts is old by up to half a minute, so nothing may be counted. */
export function isPlainMenu(realm: Realm): boolean {
  return once(plainMenus, realm, () => {
    const resources = [...realm.resources.values()].every((one) => all(one.can))
    const pages = [...realm.pages.values(), ...(realm.home ? [realm.home] : [])].every((one) => isData(one.can))
    return resources && pages && [...(realm.menu ?? []), ...realm.moreMenu].every(isPlainLine)
  })
}

function isPlainLine(line: MenuLine): boolean {
  // What stands there by itself is asked above.
  if (line === 'divider' || 'components' in line || 'uriKey' in line) return true
  if ('group' in line) return isData(line.can) && line.items.every(isPlainLine)
  return isData(line.can) && (line.badge === undefined || typeof line.badge === 'string')
}

const all = (policies: Policies) => Object.values(policies).every(isData)
const isData = (policy: Policy | null | undefined) => typeof policy !== 'function'

function once<K extends object>(known: WeakMap<K, boolean>, key: K, ask: () => boolean): boolean {
  const answer = known.get(key) ?? ask()
  known.set(key, answer)
  return answer
}
