import { fileFields } from '../crud/commit/record-files.js'
import type { House } from '../plugin/plugin.js'
import type { Ability } from '../resource/action/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Method, Route } from '../route/routes.js'
import { panelPath, withPrefixes } from '../route/url.js'
import { handlersOf, methodsOf } from './action-operations.js'
import { ownPages, pagesOf } from './page-operations.js'
import { type Found, pathsOf, type Running, type Subject, somebodyMay } from './subject.js'

/** One row of the route table with one HTTP method, for one resource. */
export interface Operation extends Subject {
  /**
   * Stable: `cities.update`, `authenticate`. Handler names may contain anything, so characters that a URL cannot hold are written as bytes:
   * `~20` for a space.
   */
  readonly id: string
  readonly method: Method
  /** Relative to the mount. */
  readonly path: string
  readonly route: Route
}

/** All operations that some caller may use. Switched-off actions and those that a policy denies to everybody are left out. */
export function operationsOf(house: House): readonly Operation[] {
  return distinct(house.routes().flatMap((route) => operationsOfRow(route, house)))
}

/** A resource or page may be called like a part of the panel: `profile.update` of a resource `profile` becomes `profile.update.2`. */
function distinct(operations: readonly Operation[]): readonly Operation[] {
  const taken = new Set<string>()
  return operations.map((operation) => {
    let { id } = operation
    for (let n = 2; taken.has(id); n++) id = `${operation.id}.${n}`
    taken.add(id)
    return { ...operation, id }
  })
}

function operationsOfRow(route: Route, house: House): readonly Operation[] {
  const { place } = house
  const verb = house.verbs()[route.verb]
  if (!verb || verb.on === 'spelled' || verb.on === 'assets' || !offered(route.verb, house)) return []
  const path =
    route.at === 'root'
      ? route.path
      : `${panelPath({ ...place, mount: '' })}${withPrefixes(route.path, place.prefix)}`.replace(/(?<=.)\/$/, '')
  return foundIn(route, verb, path, house).flatMap(({ id, path, methods = route.methods, ...about }) =>
    methods.map((method) => ({
      verb,
      named: route.verb,
      resource: null,
      ends: verb.ends,
      needs: [],
      can: null,
      actions: [],
      ...about,
      route,
      method,
      path,
      id: encodeURIComponent(method === methods[0] ? id : `${id}.${method.toLowerCase()}`).replaceAll('%', '~'),
    })),
  )
}

function foundIn(route: Route, verb: Running, path: string, house: House): readonly Found[] {
  const { realm } = house
  if (route.verb === 'method') return methodsOf(path, house)
  if (verb.on === 'page') return ownPages(route, path, house)
  const all = [...realm.resources.values()]
  if (route.verb === 'page') return all.flatMap((resource) => pagesOf(resource, ofResource(path, resource), house))
  if (route.verb === 'handler') return all.flatMap((resource) => handlersOf(resource, ofResource(path, resource), house))
  if (!path.includes('{resourceUri}')) return pathsOf(path).map((one, i) => ({ id: `${route.name}${i === 0 ? '' : 'One'}`, path: one }))
  return all.flatMap((resource) => {
    const name = `${resource.uriKey}.${route.name.replace(/^crud\./, '')}`
    return pathsOf(ofResource(path, resource)).flatMap((path, i) => {
      const needs = abilitiesOf(route, verb, i)
      if (!somebodyMay(house, resource, needs)) return []
      if (route.verb === 'history' && resource.history === false) return []
      if (/comment/i.test(route.verb) && (!resource.comments || (resource.trashOf && route.methods[0] !== 'GET'))) return []
      if (route.verb === 'move' && !resource.reorderable) return []
      if (route.verb.startsWith('import') && resource.import === false) return []
      if ((route.verb === 'file' || route.verb === 'upload') && fileFields(resource).length === 0) return []
      return [{ id: `${name}${i === 0 ? '' : 'One'}`, path, resource, needs }]
    })
  })
}

function ofResource(path: string, { uriKey }: Resource): string {
  return path.replace('{resourceUri}', uriKey)
}

const keyVerbs = new Set(['apiKeys', 'createApiKey', 'deleteApiKey'])
const passkeyVerbs = new Set([
  'beginPasskeySignIn',
  'signInPasskey',
  'passkeys',
  'beginPasskey',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
])
const notificationVerbs = new Set(['notifications', 'openNotification', 'markNotifications', 'deleteNotifications'])
const secondSteps = new Set(['signInCode', 'twoFactor', 'turnOnTwoFactor', 'turnOffTwoFactor', 'newRecoveryCodes'])

/** Whether a verb makes sense in this panel: leaves out ways to sign in that it does not have, and jobs if no handler is long. */
function offered(verb: string, { realm: { auth, resources, mails, notifications } }: House): boolean {
  const { signsIn, hasSignIn, refreshes, challenge, services } = auth
  // A part of a page has no JSON, nor has what a field looks like.
  if (verb === 'part' || verb === 'preview') return false
  if (verb.startsWith('job'))
    return [...resources.values()].some(({ handlers }) => [...handlers.values()].some(({ long, changes }) => long || changes))
  if (verb === 'signInPage') return hasSignIn && challenge === 'Session'
  if (verb === 'beginOpenId' || verb === 'finishOpenId') return services.openIds.length > 0
  if (verb === 'refresh') return refreshes !== null
  if (notificationVerbs.has(verb)) return notifications !== null
  if (passkeyVerbs.has(verb)) return services.relyingParty !== null
  if (keyVerbs.has(verb)) return auth.apiKeys !== null
  if (secondSteps.has(verb)) return hasSignIn && services.twoFactor !== null
  if (verb.startsWith('viewAs')) return services.viewAs !== null
  if (verb.startsWith('forgot')) return signsIn !== null && mails !== null
  if (['signIn', 'resetPage', 'resetPassword'].includes(verb)) return signsIn !== null
  return hasSignIn || !['signOut', 'updateProfile', 'revokeSessions'].includes(verb)
}

/** `validate` needs `create` on the path without a record, and `update` on the one with a record. */
function abilitiesOf({ ability, verb: named }: Route, verb: Running, i: number): readonly Ability[] {
  if (ability !== 'signedIn' && ability !== 'public') return [ability]
  if (named === 'validate') return [i === 0 ? 'create' : 'update']
  return verb.on === 'resource' ? (verb.asks ?? []) : []
}
