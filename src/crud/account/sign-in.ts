import type { Account } from '../../auth/account.js'
import type { AccountWay, Person } from '../../auth/account-event.js'
import { isPassword } from '../../auth/password.js'
import type { Pipeline, SignInContext } from '../../auth/pipeline.js'
import { asksNoCode, openSession } from '../../auth/session.js'
import type { OpenIdSignIn } from '../../auth/stores.js'
import { attempt } from '../../auth/throttle.js'
import { makeTicket } from '../../auth/ticket.js'
import { usesTwoFactor } from '../../auth/two-factor.js'
import { longestSent } from '../../auth/username.js'
import { DaymarkError } from '../../base/errors.js'
import { minutesText } from '../../base/number.js'
import type { GuestCall, Realm } from '../call/call.js'
import { readPreferences } from '../call/read-preferences.js'
import { panelFields } from '../input/panel-fields.js'
import { panelText } from '../input/panel-text.js'
import type { CodeAsked, SignedIn, SignIn } from '../outcomes/account.js'
import type { Outcome } from '../outcomes/outcome.js'
import { accountEvent, signInFailed } from './events.js'
import { linkAccount } from './open-id-account.js'

/** The sign-in page. */
export async function signInPage(call: GuestCall): Promise<Outcome> {
  const { identity, input, realm } = call
  const to = input.query.get('to')?.[0] ?? ''
  if (realm.auth.challenge !== 'Session') throw noSuchPageError(realm)
  checkSignIn(call)
  return identity ? { is: 'signedIn', identity, grant: null, to } : { is: 'signIn', username: '', remember: false, to, error: null }
}

/** Signs a user in by password. The answer does not reveal whether the username exists. */
export async function signIn(call: GuestCall): Promise<Outcome> {
  const { input, realm } = call
  const { t, auth } = realm
  const { services } = auth
  checkConnection(call, signsIn(realm))
  const fields = panelFields(input, ['username', 'password'], realm, { switches: ['remember'] })
  const [username, password] = [fields.get('username') ?? '', fields.get('password') ?? '']
  checkGiven({ username, password }, realm)
  const succeeded = await countedAttempt(call, 'password', username)
  const account = await services.users.byUsername(username)
  const right = await isPassword(account, password)
  if (!account || !right || !account.active) {
    signInFailed(call, 'password', account ? (right ? 'disabled' : 'wrongPassword') : 'unknownUser', account?.identity)
    throw new DaymarkError('unauthenticated', t('signIn.wrong'), { headers: { 'www-authenticate': auth.challenge } })
  }
  await succeeded()
  const remember = ['1', 'on', 'true'].includes(fields.get('remember') ?? '')
  const to = panelText(input, '_to')
  return signInOrAskCode(call, account, { remember, openId: null }, to)
}

/** Signs in a user by the first of two steps, or asks for the second: a code. */
export async function signInOrAskCode(
  call: GuestCall,
  account: Account,
  { remember, openId }: { readonly remember: boolean; readonly openId: OpenIdSignIn | null },
  to: string,
): Promise<SignedIn | CodeAsked> {
  const { services } = call.realm.auth
  const context = { remember, openId, agent: call.from.agent, secondFactor: false }
  if (!usesTwoFactor(services.twoFactor, account) || asksNoCode(context)) return startSession(call, account, context, to)
  const { username } = account.identity
  return { is: 'codeAsked', username, ...(await makeTicket(account, services, context)), to, error: null }
}

/** Signs in a user who has given all that there is to give. */
export async function startSession(call: GuestCall, account: Account, context: SignInContext, to: string): Promise<SignedIn> {
  const { realm, from } = call
  const { services } = realm.auth
  // With a provider or a passkey, a browser does: it has no use for tokens.
  const sign = context.openId || context.passkey ? openSession : (signsIn(realm).signIn as NonNullable<Pipeline['signIn']>)
  const own = context.openId ? await linkAccount(call, account, context.openId) : account
  // The user has the roles by now. There may be many, and each request reads its session.
  const openId = context.openId ? { ...context.openId, roles: null } : null
  const event = accountEvent(call, 'signedIn', wayOf(context), own.identity, context.openId?.provider)
  const grant = await sign(own, services, { ...context, openId, event })
  // End the browser's previous session, so that nobody who shares the browser can return to it.
  if (from.session !== null) await services.sessions.remove(from.session)
  const language = await languageOf(own, realm)
  return { is: 'signedIn', identity: own.identity, grant, to, ...(language !== undefined && { language }) }
}

function wayOf({ openId, passkey, secondFactor }: SignInContext): AccountWay {
  if (passkey) return 'passkey'
  if (openId) return secondFactor ? 'providerAndCode' : 'provider'
  return secondFactor ? 'passwordAndCode' : 'password'
}

/** The language that the user has chosen, in whichever browser. */
async function languageOf({ identity }: Account, realm: Realm): Promise<string | undefined> {
  const { languageChoices } = realm
  if (languageChoices.length === 0) return undefined
  const { language } = await readPreferences(realm, identity)
  return languageChoices.find((one) => one === language)
}

/** Renders the page again after a refusal, with the username that was typed, but never the password. */
export async function signInAgain({ input: { body }, input, realm }: GuestCall, error: DaymarkError): Promise<SignIn> {
  if (realm.auth.challenge !== 'Session') throw error
  const typed = (name: string) => (body.from === 'form' ? (body.fields.get(name)?.at(-1) ?? '') : '')
  return { is: 'signIn', username: typed('username'), remember: typed('remember') !== '', to: panelText(input, '_to'), error }
}

/** @throws DaymarkError `notFound` if the panel has no sign-in with a password */
function signsIn(realm: Realm): Pipeline {
  if (!realm.auth.signsIn) throw noSuchPageError(realm)
  return realm.auth.signsIn
}

/** @throws DaymarkError `notFound` if the panel has no sign-in at all; as `checkConnection` */
export function checkSignIn(call: GuestCall): void {
  const { signsIn: byPassword, services } = call.realm.auth
  if (services.openIds.length > 0) checkConnection(call, { needsSession: byPassword?.needsSession ?? true })
  else checkConnection(call, signsIn(call.realm))
}

/** Refuses an insecure connection before anybody types a password: the cookie would be lost or could be read. */
export function checkConnection({ realm, from }: GuestCall, { needsSession }: Pick<Pipeline, 'needsSession'>): void {
  if (needsSession && !from.keepsCookies) throw new DaymarkError('forbidden', realm.t('signIn.insecure'))
}

function checkGiven(given: Readonly<Record<'username' | 'password', string>>, { t }: Realm): void {
  const errors = (['username', 'password'] as const).flatMap((name) => {
    const label = name === 'username' ? t('signIn.username') : t('signIn.password')
    if (given[name] === '') return [[name, [t('field.required', { label })]] as const]
    return given[name].length > longestSent ? [[name, [t('field.tooLong', { label, max: longestSent })]] as const] : []
  })
  if (errors[0]) throw new DaymarkError('invalid', errors[0][1][0] as string, { errors })
}

/**
 * Counts an attempt to sign in, by a name and the address. It is a failure until the function that it returns is called.
 *
 * @param user whose account it is about, if that is known
 * @throws DaymarkError `throttled` after too many failures, which is kept as one more
 */
export async function countedAttempt(
  call: Pick<GuestCall, 'realm' | 'from'>,
  way: AccountWay,
  name: string,
  user: Person | null = null,
): Promise<() => Promise<void>> {
  const { realm, from } = call
  const { wait, succeeded } = await attempt(realm.auth.services.attempts, name, from.address)
  if (wait === 0) return succeeded
  signInFailed(call, way, 'throttled', user)
  throw throttledError(wait, realm)
}

/** Too many attempts failed. */
export function throttledError(
  seconds: number,
  { t, locale }: Realm,
  text: 'signIn.throttled' | 'signIn.throttledCodes' | 'forgot.throttled' = 'signIn.throttled',
): DaymarkError {
  return new DaymarkError('throttled', t(text, { minutes: minutesText(locale, Math.ceil(seconds / 60)) }), {
    headers: { 'retry-after': String(seconds) },
  })
}

export function noSuchPageError({ t }: Realm): DaymarkError {
  return new DaymarkError('notFound', t('page.none'))
}
