import { DaymarkError } from '../base/errors.js'
import type { PanelCall } from './call.js'
import type { Outcome } from './outcome.js'

/** Ends the caller's session. */
export async function signOut({ realm, from }: PanelCall): Promise<Outcome> {
  if (from.session !== null) await realm.auth.services.sessions.remove(from.session)
  return { is: 'signedOut', self: true, count: 1 }
}

// A hash or a UUID. Some other texts could not even be queried.
const named = /^[\w-]{1,64}$/

/** Ends one of the caller's sessions; without an id all of them, including this one. */
export async function revokeSessions({ realm, identity, input, from }: PanelCall): Promise<Outcome> {
  const { sessions } = realm.auth.services
  // A caller without a session, such as an API key, has none to end.
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
