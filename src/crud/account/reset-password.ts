import { createHash, randomBytes } from 'node:crypto'
import type { Account } from '../../auth/account.js'
import { byProgram, type EventOrigin } from '../../auth/account-event.js'
import { addressOf } from '../../auth/mail.js'
import { hashPassword } from '../../auth/password.js'
import type { Services } from '../../auth/pipeline.js'
import { stampOf } from '../../auth/stamp.js'
import type { Reset } from '../../auth/stores.js'
import { panelTokenHash } from '../../auth/token-hash.js'
import { DaymarkError, invalid } from '../../base/errors.js'
import type { GuestCall } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import type { Outcome } from '../outcomes/outcome.js'
import { accountEvent } from './events.js'
import { passwordFault } from './new-password.js'
import { mailPasswordChanged } from './password-changed-mail.js'

const lifetime = 24 * 3_600_000

/**
 * Creates the token of a link to set a new password. It is valid once, and only until the password or the address for mails changes.
 *
 * @param valid for how long, in milliseconds
 */
export async function makeReset(
  services: Pick<Services, 'panel' | 'resets'>,
  account: Account,
  how: EventOrigin = byProgram,
  valid = lifetime,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const reset: Reset = {
    id: panelTokenHash(services, token),
    userId: account.identity.id,
    stamp: resetStamp(account),
    expiresAt: new Date(Date.now() + valid),
  }
  await services.resets.create(reset, { ...how, event: 'passwordLink', user: account.identity })
  return token
}

/** Who reads the mailbox of before is no longer who the user is. */
function resetStamp(account: Account): string {
  return createHash('sha256')
    .update(JSON.stringify([stampOf(account), addressOf(account)]))
    .digest('base64url')
    .slice(0, 22)
}

/** The form that the link opens. */
export async function resetPage(call: GuestCall): Promise<Outcome> {
  const { account } = await behind(call)
  return { is: 'reset', username: account.identity.username, done: false, error: null }
}

/** Sets the password and ends all existing sessions. */
export async function resetPassword(call: GuestCall): Promise<Outcome> {
  const { realm, input } = call
  const { services } = realm.auth
  const { account, reset } = await behind(call)
  const { id, username } = account.identity
  const password = panelFields(input, ['password'], realm).get('password') ?? ''
  const fault = passwordFault(password, username, realm.t)
  if (fault !== null) throw invalid('password', fault)
  const passwordHash = await hashPassword(password)
  if (!(await services.resets.remove(reset.id))) throw gone(call)
  // The link was for the password of before, and somebody may have set another one meanwhile.
  const event = accountEvent(call, 'passwordChanged', 'link', account.identity)
  if (!(await services.users.change(id, { passwordHash }, account, event))) throw gone(call)
  await services.sessions.removeOf(id, null)
  mailPasswordChanged(realm, account)
  return { is: 'reset', username, done: true, error: null }
}

/** Renders the form again after a refusal. */
export async function resetAgain(call: GuestCall, error: DaymarkError): Promise<Outcome> {
  const { account } = await behind(call)
  return { is: 'reset', username: account.identity.username, done: false, error }
}

async function behind(call: GuestCall): Promise<{ readonly account: Account; readonly reset: Reset }> {
  const { services } = call.realm.auth
  const reset = await services.resets.find(panelTokenHash(services, call.input.params?.get('token') ?? ''))
  const account = reset && reset.expiresAt.getTime() > Date.now() ? await services.users.byId(reset.userId) : null
  if (!reset || !account?.active || resetStamp(account) !== reset.stamp) throw gone(call)
  return { account, reset }
}

function gone({ realm }: GuestCall): DaymarkError {
  return new DaymarkError('notFound', realm.t('reset.gone'))
}
