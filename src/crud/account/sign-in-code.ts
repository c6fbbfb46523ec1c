import type { FailedBecause } from '../../auth/account-event.js'
import { checkCode } from '../../auth/one-time-code.js'
import { recoveryHash } from '../../auth/recovery-code.js'
import type { SecondFactor } from '../../auth/second-factor.js'
import { codeAttempt, forgetCodeAttempts } from '../../auth/throttle.js'
import { ticketed } from '../../auth/ticket.js'
import type { TwoFactor, WithFactor } from '../../auth/two-factor.js'
import { mostWrongCodes, withoutWrongCodes, withWrongCode, wrongBefore, wrongCodes } from '../../auth/wrong-codes.js'
import { DaymarkError, invalid } from '../../base/errors.js'
import type { GuestCall, Realm } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import { panelText } from '../input/panel-text.js'
import type { Outcome } from '../outcomes/outcome.js'
import { accountEvent, signInFailed } from './events.js'
import { changeSecondFactor, type FactorChange, secondFactorOf } from './second-factor.js'
import { checkSignIn, noSuchPageError, startSession, throttledError } from './sign-in.js'

/** The second step of a sign-in: the code of an authenticator app, or a recovery code, with the ticket of the first step. */
export async function signInCode(call: GuestCall): Promise<Outcome> {
  const { input, realm, from } = call
  const { t } = realm
  const { services } = realm.auth
  checkSignIn(call)
  if (!services.twoFactor) throw noSuchPageError(realm)
  const fields = panelFields(input, ['ticket', 'code', 'recoveryCode'], realm)
  const given = (name: string) => fields.get(name)?.trim() ?? ''
  const begun = await ticketed(services, given('ticket'))
  if (!begun) throw refusal(realm, t('signIn.late'))
  const { session, account } = begun
  const step = { account, settings: services.twoFactor, begun: session.createdAt }
  const [code, recoveryCode] = [given('code'), given('recoveryCode')]
  if (code === '' && recoveryCode === '') throw invalid('code', t('field.required', { label: t('signIn.code') }))
  const using = recoveryCode === '' ? useCode(call, step, code) : useRecoveryCode(call, step, recoveryCode)
  const { before, after } = await using.catch((thrown) => {
    const reason = reasonOf(thrown)
    if (reason) signInFailed(call, session.openId ? 'providerAndCode' : 'passwordAndCode', reason, account.identity)
    throw thrown
  })
  // Of two that use the ticket at once, with a code each, one signs in.
  if (!(await services.sessions.remove(session.id))) throw refusal(realm, t('signIn.late'))
  await forgetCodeAttempts(services.attempts, account.identity)
  const context = { remember: session.remember, openId: session.openId ?? null, agent: from.agent, secondFactor: true }
  return {
    ...(await startSession(call, account, context, panelText(input, '_to'))),
    codesLeft: recoveryCode === '' ? null : after.codes.length,
    wrongCodes: wrongBefore(before, account, session.createdAt),
  }
}

/** Why it failed, if a code did. */
function reasonOf(thrown: unknown): FailedBecause | null {
  if (!(thrown instanceof DaymarkError)) return null
  if (thrown.code === 'throttled') return 'throttled'
  return thrown.code === 'unauthenticated' && thrown.errors.size > 0 ? 'wrongCode' : null
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

/** A sign-in that waits for its code. */
interface Step {
  readonly account: WithFactor
  readonly settings: TwoFactor
  /** When the first step was done. */
  readonly begun: Date
}

/**
 * Takes a code of the user's app.
 *
 * @throws DaymarkError `unauthenticated` if it is wrong, `throttled` after too many wrong ones in a short time
 */
async function useCode(call: GuestCall, { account, settings, begun }: Step, code: string): Promise<FactorChange> {
  const { t, auth } = call.realm
  const { id } = account.identity
  // First, since nobody has guessed wrong where nothing can be checked.
  const factor = await secondFactorOf(call, account, settings)
  // Before the throttle, which would say that waiting helps.
  if ((wrongCodes(factor, account).open?.count ?? 0) >= mostWrongCodes) throw refusal(call.realm, t('signIn.tooManyCodes'), 'code')
  const wait = await codeAttempt(auth.services.attempts, account.identity)
  if (wait > 0) throw throttledError(wait, call.realm, 'signIn.throttledCodes')
  const found = await checkCode(code, factor.secret, id, settings)
  if (found !== 'right') {
    // A used one was right: its user has sent it twice, and nobody has guessed.
    if (found === 'wrong') await changeSecondFactor(call, account, settings, (now) => withWrongCode(now, account, new Date()))
    throw refusal(call.realm, t('signIn.wrongCode'), 'code')
  }
  const change = await changeSecondFactor(call, account, settings, (now) => withoutWrongCodes(now, account, begun))
  if (!change) throw refusal(call.realm, t('signIn.late'))
  return change
}

/**
 * Uses a recovery code up. Nobody can guess one, so there is no limit: a flood of wrong codes does not keep the user from signing in.
 *
 * @throws DaymarkError `unauthenticated` if it is none of the user's
 */
async function useRecoveryCode(call: GuestCall, { account, settings, begun }: Step, code: string): Promise<FactorChange> {
  const hash = recoveryHash(code, account.identity.id)
  const used = accountEvent(call, 'recoveryCodeUsed', 'passwordAndCode', account.identity)
  const taken = (factor: SecondFactor) => {
    const codes = factor.codes.filter((one) => one !== hash)
    // Of two uses of it at once, one succeeds: the other one no longer finds it.
    return codes.length === factor.codes.length ? null : { ...withoutWrongCodes(factor, account, begun), codes }
  }
  const change = await changeSecondFactor(call, account, settings, taken, used)
  if (!change) throw refusal(call.realm, call.realm.t('signIn.wrongRecoveryCode'), 'recoveryCode')
  return change
}

function refusal({ auth }: Realm, text: string, field?: 'code' | 'recoveryCode'): DaymarkError {
  const errors = field ? [[field, [text]] as const] : []
  return new DaymarkError('unauthenticated', text, { headers: { 'www-authenticate': auth.challenge }, errors })
}
