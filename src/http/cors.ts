import type { RequestHead } from '../auth/pipeline.js'

/** Lets pages of other origins call the panel from a browser, with a token. Cookies are never allowed. */
export interface Cors {
  /** The origins that may call, as browsers write them: `https://app.example.com`. */
  readonly origins: readonly string[]
  /** How long browsers may cache this permission (`Access-Control-Max-Age`), in seconds. Default: 600. */
  readonly maxAge?: number
}

const exposed = 'Allow, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id, Content-Disposition, Accept-Ranges, Content-Range'
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const accepted = 'Accept, Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range'

/** The CORS headers of a reply. */
export function corsHeaders(request: RequestHead, cors: Cors): Readonly<Record<string, string>> {
  const origin = request.headers.get('origin')
  if (origin === null || !cors.origins.includes(origin)) return {}
  const asked = request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
    'cross-origin-resource-policy': 'cross-origin',
    ...(asked && {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': accepted,
      'access-control-max-age': String(cors.maxAge ?? 600),
    }),
  }
}
