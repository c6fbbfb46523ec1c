import { isCode } from '../auth/one-time-code.js'
import { recoveryHash } from '../auth/recovery-code.js'
import { type SecondFactor, storedFactor } from '../auth/second-factor.js'
import { codeAttempt } from '../auth/throttle.js'
import { ticketed } from '../auth/ticket.js'
import type { TwoFactor, WithFactor } from '../auth/two-factor.js'
import { DaymarkError, invalid } from '../base/errors.js'
import type { GuestCall } from './call.js'
import { factorOf } from './factor.js'
import type { Outcome } from './outcome.js'
import { panelFields } from './panel-fields.js'
import { panelText } from './panel-text.js'
import { checkWay, noSuchPage, signedIn, signsIn, throttled } from './sign-in.js'

/** The second step of a sign-in: the code of an authenticator app, or a recovery code, with the ticket of the first step. */
export async function signInCode(call: GuestCall): Promise<Outcome> {
  const { input, realm, from } = call
  const { t, auth } = realm
  const { services } = auth
  checkWay(call, signsIn(realm))
  if (!services.twoFactor) throw noSuchPage(realm)
  const fields = panelFields(input, ['ticket', 'code', 'recoveryCode'], realm)
  const given = (name: string) => fields.get(name)?.trim() ?? ''
  const begun = await ticketed(services, given('ticket'))
  const refused = (text: string, errors: readonly (readonly [string, readonly string[]])[] = []) =>
    new DaymarkError('unauthenticated', text, { headers: { 'www-authenticate': auth.challenge }, errors })
  const wrong = (name: string, text: string) => refused(text, [[name, [text]]])
  if (!begun) throw refused(t('signIn.late'))
  const { session, account } = begun
  const [code, recoveryCode] = [given('code'), given('recoveryCode')]
  if (code === '' && recoveryCode === '') throw invalid('code', t('field.required', { label: t('signIn.code') }))
  // First, since nobody has guessed wrong where nothing can be checked.
  const factor = await factorOf(call, account, services.twoFactor)
  const { wait, succeeded } = await codeAttempt(services.attempts, account.identity.id)
  if (wait > 0) throw throttled(wait, realm)
  const left = recoveryCode === '' ? null : await useRecoveryCode(call, account, factor, recoveryCode, services.twoFactor)
  if (recoveryCode !== '' && left === null) throw wrong('recoveryCode', t('signIn.wrongRecoveryCode'))
  if (recoveryCode === '' && !(await isCode(code, factor.secret, account.identity.id, services.twoFactor)))
    throw wrong('code', t('signIn.wrongCode'))
  await succeeded()
  await services.sessions.remove(session.id)
  const context = { remember: session.remember, agent: from.agent, secondFactor: true }
  return { ...(await signedIn(call, account, context, panelText(input, '_to'))), codesLeft: left }
}

/** Asks again after a refusal; or for the password, if that was too long ago. */
export async function signInCodeAgain(call: GuestCall, error: DaymarkError): Promise<Outcome> {
  const { body } = call.input
  const ticket = body.from === 'form' ? (body.fields.get('ticket')?.at(-1) ?? '') : ''
  const to = panelText(call.input, '_to')
  const begun = await ticketed(call.realm.auth.services, ticket)
  if (begun) {
    const expiresIn = Math.ceil((begun.session.expiresAt.getTime() - Date.now()) / 1000)
    return { is: 'codeAsked', username: begun.account.identity.username, ticket, expiresIn, to, error }
  }
  return { is: 'signIn', username: '', remember: false, to, error }
}

/** Uses a recovery code up, and returns how many are left; null: it is none of them. */
async function useRecoveryCode(
  { realm }: GuestCall,
  account: WithFactor,
  factor: SecondFactor,
  code: string,
  settings: TwoFactor,
): Promise<number | null> {
  const { id } = account.identity
  const used = recoveryHash(code, id)
  const codes = factor.codes.filter((one) => one !== used)
  if (codes.length === factor.codes.length) return null
  // Of two uses of it at once, one succeeds.
  const stored = await storedFactor({ ...factor, codes }, settings)
  return (await realm.auth.services.users.changeTwoFactor(id, account.twoFactor, stored)) ? codes.length : null
}
