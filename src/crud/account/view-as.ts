import type { Session } from '../../auth/stores.js'
import { mayViewAs } from '../../auth/view-as.js'
import { DaymarkError } from '../../base/errors.js'
import type { PanelCall } from '../call/call.js'
import type { Outcome } from '../outcomes/outcome.js'
import { accountEvent } from './events.js'
import { noSuchPageError } from './sign-in.js'

/** Lets the caller look at the panel as another user, in the session of their browser. */
export async function viewAs(call: PanelCall): Promise<Outcome> {
  const { realm, identity, input } = call
  const { services } = realm.auth
  checkTaken(call)
  const account = await services.users.byId(input.params?.get('id') ?? '')
  if (!account) throw new DaymarkError('notFound', realm.t('viewAs.none'))
  if (!mayViewAs(services, identity, account)) throw new DaymarkError('forbidden', realm.t('viewAs.denied'))
  const session = await browserSession(call)
  if (session === null) throw new DaymarkError('forbidden', realm.t('viewAs.browser'))
  const event = { ...accountEvent(call, 'viewedAs', 'administration', account.identity), by: identity }
  await services.sessions.viewAs(session.id, account.identity.id, event)
  return { is: 'viewing', as: account.identity }
}

/** Ends that: the caller is themselves again. */
export async function viewAsSelf(call: PanelCall): Promise<Outcome> {
  const { realm, input } = call
  checkTaken(call)
  const session = await browserSession(call)
  if (session?.viewsAs == null || session.viewsAs !== input.params?.get('id')) throw new DaymarkError('notFound', realm.t('viewAs.not'))
  await realm.auth.services.sessions.viewAs(session.id, null)
  return { is: 'viewing', as: null }
}

/** @throws DaymarkError `notFound` if nobody may in this panel */
function checkTaken({ realm }: PanelCall): void {
  if (realm.auth.services.viewAs === null) throw noSuchPageError(realm)
}

/** The caller's session, if a cookie holds it: a token says for good who has it. */
async function browserSession({ realm, from }: PanelCall): Promise<Session | null> {
  const session = from.session === null ? null : await realm.auth.services.sessions.find(from.session)
  return session?.kind === 'browser' ? session : null
}
