import { panelFeatures, resourceFeatures } from '../crud/features.js'
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
  if (!verb || verb.on === 'spelled' || verb.on === 'assets' || !isOffered(verb, house)) return []
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
      if (verb.on === 'resource' && verb.of && !resourceFeatures[verb.of](resource)) return []
      return [{ id: `${name}${i === 0 ? '' : 'One'}`, path, resource, needs }]
    })
  })
}

/** Whether programs can call it in this panel. */
function isOffered(verb: Running, { realm }: House): boolean {
  if (verb.unlisted) return false
  return (verb.on !== 'panel' && verb.on !== 'guest') || !verb.of || panelFeatures[verb.of](realm)
}

function ofResource(path: string, { uriKey }: Resource): string {
  return path.replace('{resourceUri}', uriKey)
}

/** `validate` needs `create` on the path without a record, and `update` on the one with a record. */
function abilitiesOf({ ability, verb: named }: Route, verb: Running, i: number): readonly Ability[] {
  if (ability !== 'signedIn' && ability !== 'public') return [ability]
  if (named === 'validate') return [i === 0 ? 'create' : 'update']
  return verb.on === 'resource' ? (verb.asks ?? []) : []
}
