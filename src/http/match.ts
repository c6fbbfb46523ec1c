import type { Verb } from '../crud/verbs.js'
import { abilities } from '../resource/action/policy.js'
import type { Route } from '../route/routes.js'
import { type Place, panelPath, withPrefixes } from '../route/url.js'
import { paths, shapesOf } from './paths.js'

/** A row of the route table and its verb. */
export interface Mounted {
  readonly route: Route
  readonly verb: Verb
}

/** One path and its methods. */
interface Crossing {
  readonly methods: Map<string, Mounted>
  readonly allow: string
}

/** The route-table entry that a path matches. */
export interface Match extends Crossing {
  /** Path parameters as written in the path, still percent-encoded. */
  readonly params: ReadonlyMap<string, string>
}

/**
 * Compiles the route table into a lookup by path.
 *
 * @throws TypeError for a row whose declaration can never be served
 */
export function matcher(routes: readonly Route[], verbs: Readonly<Record<string, Verb>>, place: Place): (path: string) => Match | null {
  const base = panelPath({ ...place, mount: '' })
  const crossings = new Map<string, Map<string, Mounted>>()
  // Of two paths that match the same, the first would hide the other, whatever its methods.
  const taken = new Map<string, Route>()
  for (const route of routes) {
    const verb = verbOf(route, verbs)
    const path = withoutSlash(route.at === 'root' ? route.path : `${base}${withPrefixes(route.path, place.prefix)}`)
    const methods = crossings.get(path) ?? new Map<string, Mounted>()
    const hiding = crossings.has(path) ? undefined : shapesOf(path).flatMap((shape) => taken.get(shape) ?? [])[0]
    if (hiding)
      throw new TypeError(`No request can reach the route "${route.name}": the paths ${hiding.path} and ${route.path} match the same`)
    for (const shape of shapesOf(path)) taken.set(shape, route)
    for (const method of route.methods) {
      if (methods.has(method))
        throw new TypeError(`The routes "${route.name}" and "${methods.get(method)?.route.name}" are both ${method} ${route.path}`)
      methods.set(method, { route, verb })
    }
    crossings.set(path, methods)
  }
  const find = paths([...crossings].map(([path, methods]): [string, Crossing] => [path, { methods, allow: allowOf(methods) }]))
  return (path) => {
    const found = find(path)
    return found && { methods: found.to.methods, allow: found.to.allow, params: found.params }
  }
}

const withoutSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

function verbOf({ name, verb: named, ability, path, page }: Route, verbs: Readonly<Record<string, Verb>>): Verb {
  const verb = Object.hasOwn(verbs, named) ? verbs[named] : undefined
  if (!verb) throw new TypeError(`The route "${name}" runs "${named}", which is not a verb. Valid: ${Object.keys(verbs).join(', ')}`)
  // Plugins written in JavaScript may get the types wrong.
  const asked = (ability as string | undefined) ?? ''
  if (!Object.hasOwn(asks, verb.on))
    throw new TypeError(`The verb of the route "${name}" is on "${verb.on}". Valid: ${Object.keys(asks).join(', ')}`)
  const valid: readonly string[] = asks[verb.on]
  if (!valid.includes(asked))
    throw new TypeError(`The route "${name}" runs "${named}", so its ability is one of ${valid.join(', ')}, not "${asked}"`)
  if (verb.on === 'resource' && asked === 'signedIn' && !verb.asks?.length)
    throw new TypeError(`The route "${name}" names no ability, so its verb "${named}" must say what it asks`)
  if (verb.on === 'page' && page === undefined && !path.includes('{pageUri}'))
    throw new TypeError(`The route "${name}" runs "${named}", so its path needs {pageUri}`)
  if (verb.on === 'resource' && !path.includes('{resourceUri}'))
    throw new TypeError(`The route "${name}" runs "${named}", so its path needs {resourceUri}`)
  return verb
}

/** The abilities a route may require, by what its verb works on. A resource verb behind a `signedIn` route declares its own (`asks`). */
const asks: { readonly [On in Verb['on']]: readonly Route['ability'][] } = {
  resource: [...abilities, 'signedIn'],
  panel: ['signedIn'],
  page: ['signedIn'],
  guest: ['public'],
  spelled: ['signedIn'],
  nothing: ['public'],
  assets: ['public'],
}

function allowOf(methods: ReadonlyMap<string, Mounted>): string {
  return [...[...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}
