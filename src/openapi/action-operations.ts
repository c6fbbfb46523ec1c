import type { Outcome } from '../crud/outcomes/outcome.js'
import type { House } from '../plugin/plugin.js'
import type { BoundAction } from '../resource/action/bind-action.js'
import { type Policy, permits } from '../resource/action/policy.js'
import { pageTypes } from '../resource/page.js'
import { isComposed, type Page } from '../resource/pages/own-page.js'
import type { Resource } from '../resource/resource.js'
import { pageCan } from './page-operations.js'
import { type Found, pathsOf, somebodyMay } from './subject.js'

/** Each handler under its own path, and all handlers of one HTTP method under the path where the query names them. */
export function handlersOf(resource: Resource, path: string, house: House): readonly Found[] {
  const actions = calledBySomebody(house, resource, resource.handlers)
  const [base = path] = pathsOf(path)
  return [
    ...actions.map((action) => ({
      id: `${resource.uriKey}.handler.${action.uri}`,
      path: `${base}/${encodeURIComponent(action.uri)}`,
      methods: [action.method],
      resource,
      needs: [action.ability],
      actions: [action],
      ends: handled([action]),
    })),
    ...byMethod(actions).map(([method, some]) => ({
      id: `${resource.uriKey}.handler.by-query.${method.toLowerCase()}`,
      path: base,
      methods: [method],
      resource,
      needs: some.map(({ ability }) => ability),
      actions: some,
      ends: handled(some),
      byQuery: { others: some.length < actions.length },
    })),
  ]
}

/**
 * The methods that a query names: those of the panel's own pages, those of each resource under any of its pages, and those that a
 * resource's page declares itself.
 */
export function methodsOf(path: string, house: House): readonly Found[] {
  const { pages, resources } = house.realm
  const panel = [...pages.values()].flatMap((page) => named(page.uri, path.replace('/{resourceUri?}', ''), ownMethods(page), { page }))
  return [
    ...panel,
    ...[...resources.values()].flatMap((resource) => {
      const at = path.replace('{resourceUri?}', resource.uriKey)
      const actions = calledBySomebody(house, resource, resource.methods)
      const own = [...resource.morePages.values()].filter(isComposed).filter((page) => page.methods.size > 0)
      return [
        ...named(resource.uriKey, at, actions, { resource }),
        ...own.flatMap((page) => named(`${resource.uriKey}.${page.uri}`, at, [...ownMethods(page), ...actions], { resource, page })),
      ]
    }),
  ]
}

/** The operations of methods under one path, or under one that starts with any page of the resource. */
function named(
  id: string,
  path: string,
  actions: readonly BoundAction[],
  { resource = null, page }: { readonly resource?: Resource | null; readonly page?: Page },
): readonly Found[] {
  if (page?.can === false) return []
  return byMethod(actions).map(([method, some]) => ({
    id: `${id}.method.${method.toLowerCase()}`,
    path: page ? path.replace('{pageUri}', page.uri) : path,
    methods: [method],
    resource,
    needs: page ? [] : some.map(({ ability }) => ability),
    can: page ? pageCan(page, resource) : everyPage(resource),
    actions: some,
    byQuery: { others: some.length < actions.length },
  }))
}

/** The policy of a path that stands for any further page of a resource: the policies of all of them; null: none. */
function everyPage(resource: Resource | null): Policy | null {
  const all = [...(resource?.morePages.values() ?? [])].flatMap(({ can }) => (can === null || can === undefined ? [] : [can]))
  return all.length === 0 ? null : ({ user }) => all.every((can) => permits(can, user))
}

function ownMethods({ methods }: Page): readonly BoundAction[] {
  return [...methods.values()].filter(({ can }) => can !== false)
}

/** The pages under which the methods of a resource can be called. */
export function pageUrisOf({ morePages }: Resource): readonly string[] {
  return [...pageTypes.map((type) => `${type}-page`), ...morePages.keys()]
}

function calledBySomebody(house: House, resource: Resource, all: ReadonlyMap<string, BoundAction>): readonly BoundAction[] {
  return [...all.values()].filter(({ ability, can }) => can !== false && somebodyMay(house, resource, [ability]))
}

function byMethod(actions: readonly BoundAction[]): readonly (readonly [BoundAction['method'], readonly BoundAction[]])[] {
  return [...new Set(actions.map(({ method }) => method))].map((one) => [one, actions.filter(({ method }) => method === one)] as const)
}

/**
 * A long action starts a job, as does one that changes many records; any other one has acted when it answers. Forms that ask first are for
 * pages only.
 */
function handled(actions: readonly BoundAction[]): readonly Outcome['is'][] {
  return [...new Set(actions.flatMap(({ long, changes }) => (changes ? (['acted', 'job'] as const) : ([long ? 'job' : 'acted'] as const))))]
}
