import type { Account } from '../../auth/account.js'
import { mailAttempt } from '../../auth/throttle.js'
import { longestSent } from '../../auth/username.js'
import { type DaymarkError, invalid } from '../../base/errors.js'
import type { GuestCall, Realm } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import type { Outcome } from '../outcomes/outcome.js'
import { eventOrigin } from './events.js'
import { linkMailText } from './password-link.js'
import { makeReset } from './reset-password.js'
import { noSuchPageError, throttledError } from './sign-in.js'

// A mail lies in a mailbox that others may read later.
const lifetime = 3_600_000

/** Asks who has forgotten their password. */
export async function forgotPage({ realm }: GuestCall): Promise<Outcome> {
  mailsOf(realm)
  return { is: 'forgot', username: '', sent: false, error: null }
}

/**
 * Sends a link to set a new password. Neither the answer nor its time tells whether there is such a user: they are looked for once it is
 * given (OWASP ASVS 6.3.8).
 */
export async function forgot({ realm, input, from }: GuestCall): Promise<Outcome> {
  const mails = mailsOf(realm)
  const { t, auth } = realm
  const { services } = auth
  const username = panelFields(input, ['username'], realm).get('username') ?? ''
  const label = t('signIn.username')
  if (username.trim() === '') throw invalid('username', t('field.required', { label }))
  if (username.length > longestSent) throw invalid('username', t('field.tooLong', { label, max: longestSent }))
  const wait = await mailAttempt(services.attempts, username, from.address)
  if (wait > 0) throw throttledError(wait, realm, 'forgot.throttled')
  mails.soon(async () => {
    const account = await services.users.byUsername(username)
    if (!account || !setsPasswords(realm, account)) return null
    const link = realm.passwordUrl(await makeReset(services, account, eventOrigin({ from }, 'mail'), lifetime))
    return [account, linkMailText(realm, account, link, 'mail.resetWhose', 'mail.resetElse')]
  })
  return { is: 'forgot', username, sent: true, error: null }
}

/** Renders the form again after a refusal. */
export async function forgotAgain({ realm, input: { body } }: GuestCall, error: DaymarkError): Promise<Outcome> {
  mailsOf(realm)
  const username = body.from === 'form' ? (body.fields.get('username')?.at(-1) ?? '') : ''
  return { is: 'forgot', username, sent: false, error }
}

/** Whether a user may set a password by mail: who has none where there are providers signs in with one, and not past it. */
const setsPasswords = ({ auth }: Realm, { active, passwordHash }: Account) =>
  active && (passwordHash !== null || auth.services.openIds.length === 0)

/** @throws DaymarkError `notFound` if the panel sends no mails, or nobody signs in with a password */
function mailsOf(realm: Realm) {
  if (!realm.mails || !realm.auth.signsIn) throw noSuchPageError(realm)
  return realm.mails
}
