import type { Identity } from '../auth/identity.js'
import { type Authenticator, type Services, type Visitor, visitorOf } from '../auth/pipeline.js'
import { isLater } from '../base/later.js'
import { signInFailed } from '../crud/account/events.js'
import { hearFaults } from '../resource/action/policy.js'
import { clientOf } from './client-info.js'
import { readCookie, sessionCookie } from './cookies.js'
import { noteFault } from './log-error.js'
import type { RequestContext } from './request-context.js'

/** The first authenticator that recognizes the caller decides. */
export function identify(context: RequestContext): Visitor | null | Promise<Visitor | null> {
  const { request, options, probe } = context
  if (probe) return probe.identity && visitorOf(probe.identity)
  const { authenticators } = options.realm.auth
  const services = heard(context)
  const cookie = options.cookies ? readCookie(request, sessionCookie(context)) : null
  return after(-1, true)

  /** @param stays whether all authenticators asked so far are sure to answer "nobody" again for the same request */
  function after(index: number, stays: boolean): Visitor | null | Promise<Visitor | null> {
    let stay = stays
    for (let i = index + 1; i < authenticators.length; i++) {
      const authenticator = authenticators[i] as Authenticator
      const known = authenticator.identify?.(request, services, cookie)
      const next = stay && authenticator.stays === true
      if (isLater(known)) return Promise.resolve(known).then((known) => (known ? knownBy(known, stay) : after(i, next)))
      if (known) return knownBy(known, stay)
      stay = next
    }
    return nobody(context)
  }
}

/** The services, with the exceptions of `viewAs` in the log: who is asked about is nobody's caller yet. */
function heard(context: RequestContext): Services {
  const { services } = context.options.realm.auth
  const { viewAs } = services
  if (viewAs === null) return services
  const logged = (user: Identity) => hearFaults(user, (thrown) => noteFault(context, thrown))
  return { ...services, viewAs: (user, as) => viewAs(logged(user), as) }
}

/** A key that nobody has is kept as a sign-in that failed. */
function nobody(context: RequestContext): null {
  const { request, options } = context
  const { realm } = options
  const way = realm.accountEvents && realm.auth.authenticators.map((one) => one.meant?.(request)).find(Boolean)
  if (way) signInFailed({ realm, from: clientOf(context) }, way, 'wrongKey')
  return null
}

function knownBy(known: Identity | Visitor, stays: boolean): Visitor {
  const visitor = visitorOf(known)
  return stays || visitor.until === undefined ? visitor : { ...visitor, until: 0 }
}
