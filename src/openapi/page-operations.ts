import type { House } from '../plugin/plugin.js'
import type { Ability, Policy } from '../resource/action/policy.js'
import { type Declared, uriOf } from '../resource/condition/declared.js'
import { type Component, insideOf } from '../resource/pages/component.js'
import { isComposed, type KindPage, type Page } from '../resource/pages/own-page.js'
import { sourcesOf } from '../resource/pages/sources.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import { type Found, type Running, somebodyMay } from './subject.js'

/** The operations of the panel's own pages, including the home page. */
export function ownPages(route: Route, path: string, house: House): readonly Found[] {
  const { realm } = house
  if (route.page === 'home') {
    if (!realm.home) return [{ id: route.name, path, ends: ['home'], named: 'home' }]
    return composed(house, realm.home, route.name, path, null)
  }
  return [...realm.pages.values()].flatMap((page) =>
    composed(house, page, `${route.name}.${page.uri}`, path.replace('{pageUri}', page.uri), null),
  )
}

/** The operations of a resource's pages: the three standard ones, which answer as the list, record and form do, and its further ones. */
export function pagesOf(resource: Resource, path: string, house: House): readonly Found[] {
  const at = (uri: string, item: boolean) => path.replace('{pageUri}/{resourceItem?}', `${uri}${item ? '/{resourceItem}' : ''}`)
  const id = (uri: string, more = '') => `${resource.uriKey}.${uri}${more}`
  const kind = (uri: string, { type, can, fields }: Pick<KindPage, 'type' | 'can'> & Partial<KindPage>): readonly Found[] => {
    const found = (as: keyof typeof kinds, item: boolean, more = ''): readonly Found[] => {
      const { needs, ends, named } = kinds[as]
      if (can === false || !somebodyMay(house, resource, needs)) return []
      const verb = house.verbs()[named === 'form' ? 'page' : named] as Running
      return [
        { id: id(uri, more), path: at(uri, item), resource, needs, ends, named, verb, can: can ?? null, ...(fields && { shows: fields }) },
      ]
    }
    if (type === 'index') return found('index', false)
    if (type === 'detail') return found('detail', true)
    return [...found('create', false), ...found('edit', true, '.edit')]
  }
  return [
    ...kind('index-page', { type: 'index' }),
    ...kind('detail-page', { type: 'detail' }),
    ...kind('form-page', { type: 'form' }),
    ...[...resource.morePages.values()].flatMap((page) => {
      if (!isComposed(page)) return kind(page.uri, page)
      const needs: readonly Ability[] = page.can === null ? ['viewAny'] : []
      if (!somebodyMay(house, resource, needs)) return []
      return [
        ...composed(house, page, id(page.uri), at(page.uri, false), resource, needs),
        ...composed(house, page, id(page.uri, '.one'), at(page.uri, true), resource, needs),
      ]
    }),
  ]
}

interface Kind {
  readonly needs: readonly Ability[]
  readonly ends: readonly ('listed' | 'streamed' | 'shown' | 'form' | 'invalid')[]
  readonly named: 'list' | 'show' | 'form'
}

const kinds = {
  index: { needs: ['viewAny'], ends: ['listed', 'streamed', 'invalid'], named: 'list' },
  detail: { needs: ['view'], ends: ['shown', 'invalid'], named: 'show' },
  create: { needs: ['create'], ends: ['form', 'invalid'], named: 'form' },
  edit: { needs: ['update'], ends: ['form', 'invalid'], named: 'form' },
} as const satisfies Readonly<Record<string, Kind>>

/**
 * The operation of a page of components. Without a policy, users with a role may see it; in a resource, those who may list the resource.
 */
function composed(
  house: House,
  page: Page,
  id: string,
  path: string,
  resource: Resource | null,
  needs: readonly Ability[] = [],
): readonly Found[] {
  if (page.can === false) return []
  const components = shownIn(page.components, house)
  const filters = new Map([...page.filters].filter(([, one]) => one.is === 'period' || somebodyReads(one.resource, one.field, house)))
  return [
    { id, path, resource, needs, components, filters, named: 'composed', ends: ['composed', 'invalid'], can: pageCan(page, resource) },
  ]
}

/** The components, at every level, that some caller may see. */
function shownIn(components: readonly Component[], house: House): readonly Component[] {
  return components.flatMap((one) => (somebodySees(one, house) ? [one, ...shownIn(insideOf(one), house)] : []))
}

function somebodyReads(named: Declared | string, field: string, house: House): boolean {
  const resource = house.realm.resources.get(uriOf(named)) as Resource
  return somebodyMay(house, resource, ['viewAny']) && resource.fields.get(field)?.visible !== false
}

function somebodySees(component: Component, house: House): boolean {
  const resourceOf = (named: Declared | string) => house.realm.resources.get(uriOf(named)) as Resource
  if (component.can === false) return false
  if (component.is === 'form') return somebodyMay(house, resourceOf(component.resource), [component.item === null ? 'create' : 'update'])
  if (component.is === 'table') return somebodyMay(house, resourceOf(component.resource), ['viewAny'])
  return sourcesOf(component).every(({ resource: named, columns }) => {
    const resource = resourceOf(named)
    return somebodyMay(house, resource, ['viewAny']) && columns.every((column) => resource.fields.get(column)?.visible !== false)
  })
}

/** The policy that a page itself imposes. */
export function pageCan({ can }: Page, resource: Resource | null): Policy | null {
  return can ?? (resource ? null : withRole)
}

const withRole: Policy = ({ user }) => user.roles.length > 0
