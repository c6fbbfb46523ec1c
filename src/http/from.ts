import type { Client } from '../auth/account-event.js'
import type { From } from '../crud/call/call.js'
import { url } from '../route/url.js'
import { readBegun, readChallenges, readCookie, sessionCookie } from './cookies.js'
import type { Visit } from './visit.js'

/** Where a request comes from. */
export function fromOf(visit: Visit): From {
  const { request, sender, visitor, options, around } = visit
  return {
    ...clientOf(visit),
    session: visitor?.session ?? null,
    manages: visitor?.manages ?? true,
    limited: visitor?.limited ?? false,
    viewedBy: visitor?.viewedBy ?? null,
    keepsCookies: sender.keepsCookies,
    returnOf: (provider) => originSeen(visit) + url(around.place, 'openid.return', { provider }),
    signInAt: () => originSeen(visit) + url(around.place, 'login'),
    cookie: () => (options.cookies ? (readCookie(request, sessionCookie(visit)) ?? '') : ''),
    // HEAD changes nothing, so it finds nothing to go on with.
    openIds: options.realm.auth.services.openIds.length > 0 && request.method !== 'HEAD' ? readBegun(visit) : [],
    challenges: options.realm.auth.services.relyingParty !== null && request.method === 'POST' ? readChallenges(visit) : [],
  }
}

/** Where the browser finds us. */
function originSeen({ request, sender, options: { way } }: Visit): string {
  return way.origin ?? `${sender.secure ? 'https' : 'http'}://${request.headers.get('host') ?? new URL(request.url).host}`
}

/** The client that sends it: its address, and what it calls itself. */
export function clientOf({ request, sender: { address } }: Visit): Client {
  const agent = (request.headers.get('user-agent') ?? '').toWellFormed().replaceAll('\0', '').slice(0, longestAgent)
  return { address, agent: agent.toWellFormed() }
}

const longestAgent = 300
