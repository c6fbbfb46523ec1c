import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Body, Input, Query } from '../crud/call/input.js'
import { panelParameter } from '../crud/input/panel-text.js'
import type { Method, Route } from '../route/routes.js'
import { checkFile, readBody, type TakesFiles } from './body.js'
import { type Language, readStream } from './bytes.js'
import { readIfMatch, readIfNoneMatch } from './if-match.js'
import type { IncomingRequest } from './incoming.js'
import type { Limits } from './limits.js'
import { readQuery } from './query.js'
import { percentDecode } from './url-encoding.js'

/** The two parts of a URL, as sent. */
export interface Target {
  readonly path: string
  readonly query: string
}

/** Splits a request's URL. Nothing is decoded: `%2F` in a key is not a slash. */
export function targetOf(url: string): Target {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const hash = url.indexOf('#', start)
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?', start)
  return mark < 0 || mark > end
    ? { path: url.slice(start, end), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1, end) }
}

export function readRouteQuery({ query }: Target, route: Route, limits: Limits, t: Translate): Query {
  return query === '' ? noQuery : readQuery(query, route.query === 'ids' || route.query === 'own' ? limits.fields : limits.parameters, t)
}

export const noQuery: Query = new Map()

export const noBody: Body = { from: 'none' }

/**
 * Reads the body if the route has one. The body of a GET is ignored, and a file is read by the verb.
 */
export function readRouteBody(
  request: IncomingRequest,
  route: Route,
  limits: Limits,
  language: Language,
  takesFiles: TakesFiles = false,
): Body | Promise<Body> {
  if (route.body === undefined || request.method === 'GET' || request.method === 'HEAD') return noBody
  return route.body === 'file' ? noBody : readBody(request, limits, language, takesFiles)
}

/** The file that a body is, as it arrives. */
function uploadOf(request: IncomingRequest, route: Route, t: Translate): Input['upload'] {
  if (route.body !== 'file') return undefined
  checkFile(request, t)
  const size = Number(request.headers.get('content-length') ?? Number.NaN)
  return { size: Number.isNaN(size) ? null : size, content: readStream(request, t) }
}

/**
 * Decodes path parameters.
 *
 * @throws DaymarkError `notFound` for text that can name nothing: invalid UTF-8 or a NUL
 */
export function readParams(written: ReadonlyMap<string, string>, t: Translate): ReadonlyMap<string, string> {
  let decoded: Map<string, string> | null = null
  for (const [name, text] of written) {
    const meant = percentDecode(text)
    if (meant === null || meant.includes('\0')) throw new DaymarkError('notFound', t(name === 'resourceItem' ? 'record.none' : 'page.none'))
    if (meant !== text) decoded = (decoded ?? new Map(written)).set(name, meant)
  }
  return decoded ?? written
}

/** What was read of a request. */
interface Sent {
  readonly method: Method
  readonly query: Query
  readonly body: Body
  readonly route: Route
}

/** The verb's input. */
export function inputOf(
  request: IncomingRequest,
  written: ReadonlyMap<string, string>,
  { method, query, body, route }: Sent,
  t: Translate,
): Input {
  const params = readParams(written, t)
  const upload = uploadOf(request, route, t)
  return {
    ...(upload && { upload }),
    method,
    query,
    key: params.get('resourceItem') ?? null,
    body,
    // Versions matter to writes only: reads compare the ETag when the reply is sent (see conditional.ts).
    ifMatch: method === 'GET' ? null : readIfMatch(request.headers.get('if-match'), body, t),
    ifNoneMatch: method === 'GET' ? null : readIfNoneMatch(request.headers.get('if-none-match'), t),
    page: pageOf(route, params, query, body),
    params,
  }
}

/** The page of a request: named by its path, by the form or button it came from (`_page`), or the route's default page. */
function pageOf(route: Route, params: ReadonlyMap<string, string>, query: Query, body: Body): NonNullable<Input['page']> | null {
  const resourceUri = params.get('resourceUri') ?? null
  const type = route.from ?? route.view
  const own = route.page === 'home' ? 'home' : type === undefined ? null : `${type}-page`
  const uri = params.get('pageUri') ?? (panelParameter({ query, body }, '_page') || own)
  return uri === null ? null : { uri, resourceUri }
}
