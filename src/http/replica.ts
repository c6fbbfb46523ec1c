import type { Realm } from '../crud/call.js'
import type { Route } from '../route/routes.js'
import type { Visit } from './visit.js'

// Writes that follow each other are noted once: the last of them may be so much later than what was noted.
const often = 1000

const lists = new Set(['list', 'exportList'])

/** Where a request reads: a list from the replica, unless whoever asks has just written, or comes without a session by which that is known. */
export function readingRealm({ visitor, around: { realm } }: Visit, { verb }: Route): Realm {
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

/** Notes that a session writes, before it does: from then on, and for a while, every process reads its lists from where it wrote. */
export async function noteWriting({ visitor, around: { realm, reads } }: Visit): Promise<void> {
  if (reads || !visitor?.session) return
  const now = Date.now()
  if (now - (visitor.wroteAt?.getTime() ?? 0) > often) await realm.auth.services.sessions.wrote(visitor.session, new Date(now))
}
