import type { Client } from '../auth/account-event.js'
import type { From } from '../crud/call/from.js'
import { url } from '../route/url.js'
import { readChallenges, readCookie, readPendingOpenIds, sessionCookie } from './cookies.js'
import type { RequestContext } from './request-context.js'

/** Where a request comes from. */
export function fromOf(context: RequestContext): From {
  const { request, sender, visitor, options, around } = context
  return {
    ...clientOf(context),
    session: visitor?.session ?? null,
    manages: visitor?.manages ?? true,
    limited: visitor?.limited ?? false,
    viewedBy: visitor?.viewedBy ?? null,
    keepsCookies: sender.keepsCookies,
    returnOf: (provider) => originSeen(context) + url(around.place, 'openid.return', { provider }),
    signInAt: () => originSeen(context) + url(around.place, 'login'),
    cookie: () => (options.cookies ? (readCookie(request, sessionCookie(context)) ?? '') : ''),
    // HEAD changes nothing, so it finds nothing to go on with.
    openIds: options.realm.auth.services.openIds.length > 0 && request.method !== 'HEAD' ? readPendingOpenIds(context) : [],
    challenges: options.realm.auth.services.relyingParty !== null && request.method === 'POST' ? readChallenges(context) : [],
  }
}

/** Where the browser finds us. */
function originSeen({ request, sender, options: { network } }: RequestContext): string {
  return network.origin ?? `${sender.secure ? 'https' : 'http'}://${request.headers.get('host') ?? new URL(request.url).host}`
}

/** The client that sends it: its address, and what it calls itself. */
export function clientOf({ request, sender: { address } }: RequestContext): Client {
  const agent = (request.headers.get('user-agent') ?? '').toWellFormed().replaceAll('\0', '').slice(0, longestAgent)
  return { address, agent: agent.toWellFormed() }
}

const longestAgent = 300
