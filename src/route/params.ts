import type { Declared } from '../resource/condition/declared.js'
import type { RouteName, routes } from './routes.js'
import type { UrlParams } from './url.js'

type PathOf<N extends RouteName> = Extract<(typeof routes)[number], { readonly name: N }>['path']
type Places<P extends string> = P extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never
type Needed<P extends string> = Exclude<Places<P>, `${string}?`>
type Free<P extends string> = Places<P> extends infer Place ? (Place extends `${infer Name}?` ? Name : never) : never

/** The friendly name and the type of each path parameter. */
interface Values {
  readonly resourceUri: { readonly resource: string | Declared }
  readonly pageUri: { readonly page: string | { readonly uri: string } }
  readonly resourceItem: { readonly resourceItem: string | number | bigint }
}
type Called<Place> = Place extends keyof Values ? keyof Values[Place] : Place
type ValueOf<Place> = Place extends keyof Values ? Values[Place][keyof Values[Place]] : string

/** The parameters of a named route: the required and optional ones of its path, and the query. */
export type RouteParams<N extends RouteName> = {
  readonly [Place in Needed<PathOf<N>> as Called<Place> & string]: ValueOf<Place>
} & { readonly [Place in Free<PathOf<N>> as Called<Place> & string]?: ValueOf<Place> } & { readonly query?: UrlParams['query'] }

/** The arguments of a function that takes those parameters. They are optional if the path requires none. */
export type RouteArguments<N extends RouteName> = [Needed<PathOf<N>>] extends [never] ? [params?: RouteParams<N>] : [params: RouteParams<N>]

/** Converts the friendly parameters to those of the path. */
export function urlParams(given: object = {}): UrlParams {
  const { resource, page, resourceItem, ...rest } = given as {
    readonly resource?: string | Declared
    readonly page?: string | { readonly uri: string }
    readonly resourceItem?: string | number | bigint
  }
  return {
    ...rest,
    ...(resource !== undefined && { resourceUri: typeof resource === 'string' ? resource : resource.uriKey }),
    ...(page !== undefined && { pageUri: typeof page === 'string' ? page : page.uri }),
    ...(resourceItem !== undefined && { resourceItem: String(resourceItem) }),
  }
}
