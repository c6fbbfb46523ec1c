import { unsealedWith } from '../../auth/sealed.js'
import { agentText } from '../../base/agent.js'
import { DaymarkError } from '../../base/errors.js'
import type { PanelCall } from '../call/call.js'
import type { SignedOut } from '../outcomes/account.js'
import type { Outcome } from '../outcomes/outcome.js'
import { accountEvent } from './events.js'

/** Ends the caller's session. */
export async function signOut(call: PanelCall): Promise<Outcome> {
  const { realm, identity, from } = call
  const onward = await onwardOf(call)
  const event = accountEvent(call, 'signedOut', 'profile', from.viewedBy ?? identity)
  if (from.session !== null) await realm.auth.services.sessions.remove(from.session, event)
  return { is: 'signedOut', self: true, count: 1, onward }
}

// A hash or a UUID. Some other texts could not even be queried.
const named = /^[\w-]{1,64}$/

/** Ends one of the caller's sessions; without an id all of them, including this one. */
export async function revokeSessions(call: PanelCall): Promise<Outcome> {
  const { realm, identity, input, from } = call
  const { sessions } = realm.auth.services
  // A caller without a session, such as an API key, has none to end.
  const has = from.session !== null
  const id = input.params?.get('id') ?? ''
  if (id === '') {
    const onward = await onwardOf(call)
    const count = has ? await sessions.removeOf(identity.id, null, accountEvent(call, 'sessionsEnded', 'profile', identity)) : 0
    return { is: 'signedOut', self: count > 0, count, onward }
  }
  const session = has && named.test(id) ? await sessions.find(id) : null
  if (session?.userId !== identity.id) throw new DaymarkError('notFound', realm.t('profile.noSession'))
  const onward = id === from.session ? await onwardOf(call) : null
  await sessions.remove(id, accountEvent(call, 'sessionsEnded', 'profile', identity, agentText(session.agent)))
  return { is: 'signedOut', self: id === from.session, count: 1, onward }
}

/** Where the browser goes on to that has signed in with an OpenID provider. Nothing of it asks the provider, which may be away. */
async function onwardOf({ realm, from }: PanelCall): Promise<SignedOut['onward']> {
  const { sessions, openIds } = realm.auth.services
  if (from.session === null || !openIds.some(({ signOut }) => signOut)) return null
  const openId = unsealedWith(from.cookie(), (await sessions.find(from.session))?.openId ?? null)
  const provider = openIds.find(({ id, signOut }) => signOut && id === openId?.provider)
  return provider && openId?.signOut ? { label: provider.label, url: openId.signOut } : null
}
