import { bytesOf } from '../face/bytes.js'
import type { Reply } from '../face/face.js'
import { lengthOf } from './conditional.js'
import { cookiesOf } from './cookies.js'
import { corsHeaders } from './cors.js'
import type { RequestContext } from './request-context.js'

// Pages load nothing from other origins and run no inline script.
const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; media-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

// Shorter text stays a string: node sends it in one piece with the headers.
const longText = 16_384

/** The headers of every reply. The presenter's own win. All names are in lower case. */
export function withHeaders(reply: Reply, context: RequestContext): Reply {
  const { face, around } = context
  const html = face.name === 'html'
  const { languages, locale } = around.realm
  const headers: Record<string, string> = {
    'x-request-id': around.requestId,
    vary: languages.length === 0 ? 'Accept' : 'Accept, Accept-Language, Cookie',
    'cache-control': html || reply.status >= 400 ? 'no-store' : 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': html ? policyOf(reply) : dataPolicy,
  }
  if (languages.length > 0) headers['content-language'] = locale
  if (html) headers['cross-origin-opener-policy'] = 'same-origin'
  if (context.sender.secure) headers['strict-transport-security'] = 'max-age=31536000'
  Object.assign(headers, reply.headers)
  if (context.options.cors) Object.assign(headers, { vary: `${headers.vary}, Origin` }, corsHeaders(context.request, context.options.cors))
  const body = typeof reply.body === 'string' && reply.body.length > longText ? bytesOf(reply.body) : reply.body
  const length = lengthOf({ body })
  if (length) headers['content-length'] = String(length)
  // fetch() would follow the redirect and consume the next page's flash. Told the location instead, the script navigates there.
  const told = reply.status === 303 && context.request.headers.get('x-daymark-redirect') === 'tell'
  return {
    status: told ? 204 : reply.status,
    headers,
    body,
    cookies: cookiesOf(reply, context),
    stays: reply.stays === true,
    more: reply.more === true,
  }
}

/** The page policy, extended by the sources that this page allows. */
function policyOf({ policy }: Reply): string {
  if (!policy) return pagePolicy
  const more = new Map(Object.entries(policy))
  const wide = pagePolicy.split('; ').map((directive) => {
    const [name = ''] = directive.split(' ')
    const also = more.get(name)
    more.delete(name)
    return also === undefined ? directive : `${directive} ${also}`
  })
  return [...wide, ...[...more].map(([name, sources]) => `${name} ${sources}`)].join('; ')
}
