import type { Account } from '../../auth/account.js'
import { withChallenge } from '../../auth/passkey-challenge.js'
import { isPasskeyOf, mayHavePasskeys } from '../../auth/passkeys.js'
import type { RelyingParty } from '../../auth/relying-party.js'
import type { Passkey } from '../../auth/stores.js'
import { checkSignIn, type PasskeyAnswer, passkeyId, signInOptions } from '../../auth/webauthn.js'
import { DaymarkError } from '../../base/errors.js'
import type { GuestCall, Realm } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import { panelText } from '../input/panel-text.js'
import type { PasskeyAsked, SignIn } from '../outcomes/account.js'
import type { Outcome } from '../outcomes/outcome.js'
import { signInFailed } from './events.js'
import { challengeFor, isFirstAnswer, passkeyAnswer } from './passkey-answer.js'
import { checkConnection, countedAttempt, noSuchPageError, startSession } from './sign-in.js'

/** What a browser needs to sign in with a passkey. Nothing is stored: everybody who opens the sign-in page asks for it. */
export async function beginPasskeySignIn(call: GuestCall): Promise<PasskeyAsked> {
  const { realm, from, input } = call
  const party = partyOf(realm)
  checkConnection(call, { needsSession: true })
  panelFields(input, [], realm)
  const challenges = withChallenge(from.challenges, null)
  return { is: 'passkeyAsked', options: signInOptions(party, challenges[0].challenge), challenges }
}

/** Signs in a user by a passkey. It takes the device and what unlocks it, so no code is asked for. */
export async function signInPasskey(call: GuestCall): Promise<Outcome> {
  const { realm, from, input } = call
  const party = partyOf(realm)
  checkConnection(call, { needsSession: true })
  const fields = panelFields(input, [], realm, { switches: ['remember'], others: ['credential'] })
  const answer = passkeyAnswer(input, realm)
  const asked = challengeFor(call, answer, null)
  if (!asked) throw refusal(realm, realm.t('passkey.late'))
  // By the address alone: every sign-in has a challenge of its own.
  const succeeded = await countedAttempt(call, 'passkey', asked.challenge)
  if (!(await isFirstAnswer(party, asked))) throw refusal(realm, realm.t('passkey.late'))
  const { account, passkey } = await holderOf(call, party, asked.challenge, answer)
  await succeeded()
  const remember = ['1', 'on', 'true'].includes(fields.get('remember') ?? '')
  const context = { remember, agent: from.agent, secondFactor: true, passkey: passkey.id }
  return {
    ...(await startSession(call, account, context, panelText(input, '_to'))),
    challenges: from.challenges.filter((one) => one !== asked),
  }
}

/** Shows the sign-in page again after a refusal. */
export async function signInPasskeyAgain({ input, realm }: GuestCall, error: DaymarkError): Promise<SignIn> {
  if (realm.auth.challenge !== 'Session') throw error
  return { is: 'signIn', username: '', remember: false, to: panelText(input, '_to'), error }
}

/** @throws DaymarkError `notFound` if the panel takes no passkeys */
function partyOf(realm: Realm): RelyingParty {
  const { relyingParty } = realm.auth.services
  if (!relyingParty) throw noSuchPageError(realm)
  return relyingParty
}

/**
 * The user who has signed a challenge. All who have not are told the same, whether the passkey, its user or the signature is what is wrong.
 *
 * @throws DaymarkError `unauthenticated`
 */
async function holderOf(
  call: GuestCall,
  party: RelyingParty,
  challenge: string,
  answer: PasskeyAnswer,
): Promise<{ readonly account: Account; readonly passkey: Passkey }> {
  const { realm } = call
  const { services } = realm.auth
  const passkey = await services.passkeys.find(passkeyId(party, answer.id))
  const account = passkey && (await services.users.byId(passkey.userId))
  // For good: of a user who was deleted, or whose id is another's by now.
  const isOwn = passkey && account && isPasskeyOf(services, passkey, account)
  if (passkey && !isOwn) await services.passkeys.remove(passkey.id)
  const isGood = isOwn && account.active && mayHavePasskeys(services, account)
  const counter = isGood ? await checkSignIn(party, challenge, passkey, answer) : null
  if (!passkey || !account || counter === null) {
    if (isOwn && !account.active) signInFailed(call, 'passkey', 'disabled', account.identity)
    else signInFailed(call, 'passkey', 'wrongPasskey', isOwn ? account.identity : null)
    throw refusal(realm, realm.t('passkey.wrong'))
  }
  const { id, username } = account.identity
  if (!(await services.passkeys.used(passkey.id, counter, new Date()))) {
    const cause = new Error(
      `The passkey "${passkey.name}" of the user ${id} (${username}) may have been copied: it has signed ${counter} times by what it says, and ${passkey.counter} times before`,
    )
    signInFailed(call, 'passkey', 'wrongPasskey', account.identity)
    throw refusal(realm, realm.t('passkey.copied'), cause)
  }
  return { account, passkey }
}

/** @param cause what the log should say of it */
function refusal({ auth }: Realm, text: string, cause?: Error): DaymarkError {
  return new DaymarkError('unauthenticated', text, { headers: { 'www-authenticate': auth.challenge }, ...(cause && { cause }) })
}
