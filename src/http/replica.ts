import type { Realm } from '../crud/call/call.js'
import type { Route } from '../route/routes.js'
import type { RequestContext } from './request-context.js'

// Writes within this time of each other are recorded once, so the last write may be this much later than the recorded one.
const often = 1000

const lists = new Set(['list', 'exportList', 'exportSelected'])

/** Reads lists from the replica, unless the session has just written or there is no session to tell. */
export function replicaRealm({ visitor, around: { realm } }: RequestContext, { verb }: Route): Realm {
  const { replica } = realm
  if (!replica || !lists.has(verb) || !visitor?.session) return realm
  const wroteAt = visitor.wroteAt?.getTime() ?? Number.NEGATIVE_INFINITY
  return Date.now() - wroteAt < replica.after * 1000 + often ? realm : replicated(realm, replica.storeOf)
}

const known = new WeakMap<Realm, Realm>()

function replicated(realm: Realm, storeOf: Realm['storeOf']): Realm {
  const own = known.get(realm) ?? Object.freeze({ ...realm, storeOf })
  known.set(realm, own)
  return own
}

/** Records that a session is about to write: for a while, every process then reads its lists from the primary. */
export async function recordWrite({ visitor, around: { realm, reads } }: RequestContext): Promise<void> {
  if (reads || !visitor?.session) return
  const now = Date.now()
  if (now - (visitor.wroteAt?.getTime() ?? 0) > often) await realm.auth.services.sessions.wrote(visitor.session, new Date(now))
}
