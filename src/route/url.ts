import { type Route, type RouteName, routes } from './routes.js'

/** What a URL is made of: path parameters by name, and the query. */
export interface UrlParams {
  /** The `uriKey` of a resource. */
  readonly resourceUri?: string
  /** The text of a record's key. */
  readonly resourceItem?: string
  /** The URI of a page. */
  readonly pageUri?: string
  /** The URI of a handler. */
  readonly handlerUri?: string
  /** The name of a field. */
  readonly field?: string
  /** The id of a job, a session, a notification or a comment. */
  readonly id?: string
  /** The `id` of an OpenID provider. */
  readonly provider?: string
  /** The token of a link to set a new password. */
  readonly token?: string
  /** The hash of an asset. */
  readonly hash?: string
  /** The file name of an asset. */
  readonly file?: string
  /** Query parameters. Default: none. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>> | undefined
}

/** Where a panel is mounted, and its prefixes. */
export interface Place {
  /** The path that the panel is mounted at: empty, or `/back-office`. */
  readonly mount: string
  /** The names in its paths. */
  readonly prefix: {
    /** The name before all of its paths: `admin`. */
    readonly panel: string
    /** The name before those of resources: `resource`. */
    readonly resource: string
    /** The name before those of its own pages: `page`. */
    readonly page: string
  }
}

const paths = new Map<string, string>(routes.map(({ name, path }) => [name, path]))

/**
 * The absolute path of a named route.
 *
 * @throws TypeError for a name that does not exist or a path parameter that is missing
 */
export function url(place: Place, name: RouteName, params?: UrlParams): string {
  const path = paths.get(name)
  if (path === undefined) throw new TypeError(`No route "${name}". Valid: ${[...paths.keys()].join(', ')}`)
  return urlOf(place, { name, path }, params)
}

/**
 * The absolute path of a row of the route table.
 *
 * @throws TypeError for a path parameter that is missing
 */
export function urlOf(place: Place, route: Pick<Route, 'name' | 'path' | 'at'>, { query, ...params }: UrlParams = {}): string {
  const filled = patternOf(place, route).replace(/\{(\w+)(\??)\}/g, (_, key: keyof typeof params, optional: string) => {
    const value = params[key]
    if (value === undefined && optional === '') throw new TypeError(`The route "${route.name}" needs ${key}`)
    return value === undefined ? '' : encodeURIComponent(value)
  })
  return (filled.replace(/\/$/, '') || '/') + queryText(query)
}

/** The absolute path of a row of the route table, with its parameters in braces. */
export function patternOf(place: Place, { path, at }: Pick<Route, 'path' | 'at'>): string {
  return at === 'root' ? place.mount + path : panelPath(place) + withPrefixes(path, place.prefix)
}

/** The panel's path without a trailing slash; with an empty prefix, the path of its mount. */
export function panelPath({ mount, prefix }: Place): string {
  return prefix.panel === '' ? mount : `${mount}/${prefix.panel}`
}

/**
 * Normalizes a path that a client sent, if it is safe to redirect there: within this panel. Null for anything else, however it is spelled.
 */
export function ownPath(place: Place, text: string): string | null {
  const base = panelPath(place)
  if (!/^\/[^/\\]/.test(text) || /[\\\u0000-\u0020\u007f]/.test(text) || text.length > 2000) return null
  const here = 'http://here.invalid'
  const { origin, pathname, search, hash } = URL.canParse(text, here) ? new URL(text, here) : new URL('http://elsewhere.invalid')
  // A path that starts with two slashes would name a host.
  if (origin !== here || pathname.startsWith('//') || (pathname !== base && !pathname.startsWith(`${base}/`))) return null
  return pathname + search + hash
}

/** Puts the configured prefixes into a path of the route table. */
export function withPrefixes(path: string, prefix: Place['prefix']): string {
  return path.replace(/^\/resource(?=\/|$)/, `/${prefix.resource}`).replace(/^\/page(?=\/|$)/, `/${prefix.page}`)
}

function queryText(query: UrlParams['query']): string {
  if (!query) return ''
  const out = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (Array.isArray(value)) for (const one of value) out.append(name, one)
    else out.append(name, String(value))
  }
  const text = out.toString()
  return text === '' ? '' : `?${text}`
}
