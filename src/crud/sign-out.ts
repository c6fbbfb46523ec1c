import { DaymarkError } from '../base/errors.js'
import type { PanelCall } from './call.js'
import type { Outcome } from './outcome.js'

/** Ends the session by which somebody is here. */
export async function signOut({ realm, from }: PanelCall): Promise<Outcome> {
  if (from.session !== null) await realm.auth.services.sessions.remove(from.session)
  return { is: 'signedOut', self: true, count: 1 }
}

// A hash, or a UUID. Of other texts some could not even be asked for.
const named = /^[\w-]{1,64}$/

/** Ends one of one's own sessions, or without a name all of them: this one, too. */
export async function revokeSessions({ realm, identity, input, from }: PanelCall): Promise<Outcome> {
  const { sessions } = realm.auth.services
  // Who came by no session, such as an API key, has none to end.
  const has = from.session !== null
  const id = input.params?.get('id') ?? ''
  if (id === '') {
    const count = has ? await sessions.removeOf(identity.id, null) : 0
    return { is: 'signedOut', self: count > 0, count }
  }
  const session = has && named.test(id) ? await sessions.find(id) : null
  if (session?.userId !== identity.id) throw new DaymarkError('notFound', realm.t('profile.noSession'))
  await sessions.remove(id)
  return { is: 'signedOut', self: id === from.session, count: 1 }
}
