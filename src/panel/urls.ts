import type { Realm } from '../crud/call/call.js'
import { negotiate } from '../http/negotiate.js'
import type { Declared, DeclaredOf } from '../resource/condition/declared.js'
import { pageTypes } from '../resource/page.js'
import { isComposed, type Page } from '../resource/pages/own-page.js'
import type { Resource } from '../resource/resource.js'
import { type Place, type UrlParams, url } from '../route/url.js'

type Query = UrlParams['query']
type Item = string | number | bigint

/** A page, its URI, or one of the aliases `index`, `form` and `detail`. */
export type PageName = string | { readonly uri: string }

/** The options of `toPage`: it needs a `page` or a `resource`. */
export interface ToPage {
  /** A page, its URI, or `index`, `form` or `detail`. Default: `null`, the first page of the resource. */
  readonly page?: PageName | null
  /** A resource or its URI. Default: `null`, and `page` is one of the panel's own. */
  readonly resource?: string | Declared | null
  /** Further query parameters; `resourceItem` is the key of the record that the page shows. Default: none. */
  readonly params?: NonNullable<Query> & {
    /** The key of the record that the page shows. Default: none. */
    readonly resourceItem?: Item
  }
  /** `true` returns a `Response` that redirects there, with 302. Default: `false`. */
  readonly redirect?: boolean
  /** The name of a part of the page, for the URL of that part alone. Default: `null`. */
  readonly fragment?: string | null
  /**
   * The current request, to adapt the redirect: 303 after an unsafe method (RFC 9110 §15.4.4), and `{ "redirect": "…" }` for a client that
   * asked for JSON. Default: none.
   */
  readonly request?: Request
}

/** Returns the URL of a page, or with `redirect` a `Response` that redirects there. */
export interface PageHelper {
  /** A `Response` that redirects to the page. */
  (page: ToPage & { readonly redirect: true }): Response
  /** The URL of the page: an absolute path. */
  (page: ToPage & { readonly redirect?: false }): string
}

// If no method declares its input, TypeScript infers no method names. Any name then compiles, and is checked at run time.
type Known<N> = [N] extends [never] ? string : N & string
/** The names of the methods that a page declares. */
export type PageMethods<P> = P extends Page<string, infer N> ? Known<N> : never
/** The names of the methods that a resource declares. */
export type MethodsOf<R> = DeclaredOf<R> extends { readonly methods: infer M } ? Known<keyof M> : string

/** The URLs of a resource: absolute paths. */
export interface ResourceUrls<M extends string = string> {
  /** Its first page: the list. */
  firstPage(): string
  /** The list; with a query tag `indexPage({ 'query-tag': 'megacities' })`. */
  indexPage(query?: Query): string
  /** The form for a new record. */
  createPage(query?: Query): string
  /** The form of a record. */
  editPage(key: Item, query?: Query): string
  /** The page of a record. */
  detailPage(key: Item, query?: Query): string
  /**
   * The URL of a method, for the HTTP method that it declares. `page` is the page that calls it, by default the index page.
   *
   * @throws TypeError for an unknown method or page
   */
  method<P extends PageName = PageName>(
    name: M | PageMethods<P>,
    at?: {
      /** The page that calls the method. Default: the index page. */
      readonly page?: P
      /** Further query parameters. Default: none. */
      readonly query?: Query
    },
  ): string
  /**
   * The URL of one part of a page, by default of the index page.
   *
   * @throws TypeError for an unknown page
   */
  fragment(
    name: string,
    at?: {
      /** The page of the part. Default: the index page. */
      readonly page?: PageName
      /** The key of the record that the page shows. Default: none. */
      readonly resourceItem?: Item
      /** Further query parameters. Default: none. */
      readonly query?: Query
    },
  ): string
}

/** The URLs of one of the panel's own pages: absolute paths. */
export interface PageUrls<M extends string = string> {
  /** The page. */
  url(query?: Query): string
  /** The name of its route, and the parameters of that. */
  route(): { readonly name: 'page'; readonly params: { readonly page: string } }
  /**
   * The URL of a method, for the HTTP method that it declares.
   *
   * @throws TypeError for an unknown method
   */
  method(name: M, query?: Query): string
  /** The URL of one part of the page. */
  fragment(name: string, query?: Query): string
}

/**
 * The URL of a page, or with `redirect` a `Response` that redirects there.
 *
 * @throws TypeError for a page or resource that the panel does not have; it lists what exists
 */
export function toPage(realm: Realm, place: Place, asked: ToPage): string | Response {
  const { page = null, resource = null, params = {}, fragment = null, redirect = false, request } = asked
  if (page === null && resource === null) throw new TypeError('toPage needs a page or a resource')
  const { resourceItem, ...rest } = params as Query & { resourceItem?: Item }
  const query = { ...rest, ...(fragment !== null && { '_fragment-load': fragment }) }
  const to =
    resource === null
      ? ownUrl(realm, place, page as PageName, query)
      : resourceUrl(place, resourceOf(realm, resource), page ?? 'index', resourceItem, query)
  return redirect ? response(to, request) : to
}

function response(to: string, request: Request | undefined): Response {
  if (request && negotiate(request.headers.get('accept')) === 'json')
    return Response.json({ redirect: to }, { headers: { vary: 'Accept' } })
  const safe = !request || request.method === 'GET' || request.method === 'HEAD'
  return new Response(null, { status: safe ? 302 : 303, headers: { location: to, vary: 'Accept' } })
}

/** The URLs of a resource. */
export function resourceUrls(realm: Realm, place: Place, named: string | Declared): ResourceUrls {
  const resource = resourceOf(realm, named)
  const resourceUri = resource.uriKey
  const to = (page: PageName, item?: Item, query?: Query) => resourceUrl(place, resource, page, item, query)
  return Object.freeze({
    firstPage: () => to('index'),
    indexPage: (query?: Query) => to('index', undefined, query),
    createPage: (query?: Query) => to('form', undefined, query),
    editPage: (key: Item, query?: Query) => to('form', key, query),
    detailPage: (key: Item, query?: Query) => to('detail', key, query),
    method: (method: string, { page = 'index', query = {} }: { page?: PageName; query?: Query } = {}) => {
      const pageUri = pageUriOf(resource, page)
      const own = resource.morePages.get(pageUri)
      checkMethod(method, [...(own && isComposed(own) ? own.methods.keys() : []), ...resource.methods.keys()], resourceUri)
      return url(place, 'method', { pageUri, resourceUri, query: { ...query, method } })
    },
    fragment: (name: string, { page = 'index', resourceItem, query = {} }: { page?: PageName; resourceItem?: Item; query?: Query } = {}) =>
      to(page, resourceItem, { ...query, '_fragment-load': name }),
  })
}

/** The URLs of one of the panel's own pages. */
export function pageUrls(realm: Realm, place: Place, page: PageName): PageUrls {
  const uri = ownUri(realm, page)
  return Object.freeze({
    url: (query?: Query) => ownUrl(realm, place, uri, query),
    route: () => ({ name: 'page' as const, params: { page: uri } }),
    method: (method: string, query: Query = {}) => {
      checkMethod(method, [...(realm.pages.get(uri)?.methods.keys() ?? [])], uri)
      return url(place, 'method', { pageUri: uri, query: { ...query, method } })
    },
    fragment: (name: string, query: Query = {}) => ownUrl(realm, place, uri, { ...query, '_fragment-load': name }),
  })
}

function checkMethod(name: string, names: readonly string[], of: string): void {
  if (!names.includes(name)) throw new TypeError(`There is no method "${name}" of "${of}". Valid: ${names.join(', ') || 'none'}`)
}

function ownUrl(realm: Realm, place: Place, page: PageName, query: Query): string {
  const pageUri = ownUri(realm, page)
  if (realm.home?.uri === pageUri) return url(place, 'index', { query })
  return url(place, 'page', { pageUri, query })
}

function ownUri({ pages }: Realm, page: PageName): string {
  const uri = typeof page === 'string' ? page : page.uri
  if (!pages.has(uri)) throw new TypeError(`There is no page "${uri}". Valid: ${[...pages.keys()].join(', ') || 'none'}`)
  return uri
}

function resourceUrl(place: Place, resource: Resource, page: PageName, item: Item | undefined, query: Query): string {
  const resourceUri = resource.uriKey
  const pageUri = pageUriOf(resource, page)
  if (pageUri === 'index-page') return url(place, 'crud.index', { resourceUri, query })
  if (pageUri === 'detail-page') {
    if (item === undefined) throw new TypeError(`The detail page of "${resourceUri}" needs the key of a record: resourceItem`)
    return url(place, 'crud.show', { resourceUri, resourceItem: String(item), query })
  }
  return url(place, 'resource.page', { resourceUri, pageUri, ...(item !== undefined && { resourceItem: String(item) }), query })
}

function pageUriOf({ uriKey, morePages }: Resource, page: PageName): string {
  const uri = typeof page === 'string' ? page : page.uri
  const type = pageTypes.find((one) => one === uri || `${one}-page` === uri)
  if (type) return `${type}-page`
  if (morePages.has(uri)) return uri
  throw new TypeError(`There is no page "${uri}" of "${uriKey}". Valid: ${[...pageTypes, ...morePages.keys()].join(', ')}`)
}

function resourceOf({ resources }: Realm, named: string | Declared): Resource {
  const uri = typeof named === 'string' ? named : named.uriKey
  const found = resources.get(uri)
  if (!found) throw new TypeError(`There is no resource "${uri}". Valid: ${[...resources.keys()].join(', ') || 'none'}`)
  return found
}
