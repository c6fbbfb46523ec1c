import { OpenIdError, type OpenIdFailure } from '../../auth/open-id-error.js'
import type { OpenIdProvider } from '../../auth/open-id-provider.js'
import { DaymarkError } from '../../base/errors.js'
import type { GuestCall } from '../call/call.js'
import type { PendingOpenId } from '../call/from.js'
import type { OpenIdSentOn, SignIn } from '../outcomes/account.js'
import type { Outcome } from '../outcomes/outcome.js'
import { signInFailed } from './events.js'
import { accountFor } from './open-id-account.js'
import { checkConnection, countedAttempt, noSuchPageError, signInOrAskCode } from './sign-in.js'

// Somebody may begin in several tabs. The cookie that keeps them has to stay small.
const mostBegun = 3

/** Sends the browser to a provider. */
export async function beginOpenId(call: GuestCall): Promise<OpenIdSentOn> {
  const { from } = call
  const provider = providerOf(call)
  checkConnection(call, { needsSession: true })
  const anew = asked(call, 'anew') === '1'
  const { url, flow } = await heard(call, provider, () => provider.begin(from.returnOf(provider.id), anew))
  const begun = { ...flow, provider: provider.id, to: asked(call, 'to'), anew, at: Date.now() }
  return { is: 'openIdBegun', url, begun: [begun, ...from.openIds].slice(0, mostBegun) }
}

/** Signs in who comes back from a provider. */
export async function finishOpenId(call: GuestCall): Promise<Outcome> {
  const { input, from, identity, realm } = call
  const provider = providerOf(call)
  const begun = begunOf(call)
  // Such as by the button Back.
  if (!begun && identity) return { is: 'signedIn', identity, grant: null, to: '' }
  if (!begun) throw new DaymarkError('unauthenticated', realm.t('openId.late'), challenged(call))
  checkConnection(call, { needsSession: true })
  // By the address alone: every sign-in has a state of its own.
  const succeeded = await countedAttempt(call, 'provider', begun.state)
  const back = new URL(from.returnOf(provider.id))
  for (const [name, values] of input.query) for (const value of values) back.searchParams.append(name, value)
  const found = await heard(call, provider, async () => {
    try {
      const { claims, signOut } = await provider.finish(back.href, begun, begun.anew ? begun.at : null, from.signInAt())
      return { ...(await accountFor(call, provider, claims)), ...(signOut !== null && { signOut }) }
    } catch (thrown) {
      // Nobody has tried to be somebody. Any other error that a browser brings is logged, so it counts.
      if (thrown instanceof OpenIdError && (thrown.why === 'refused' || thrown.why === 'away')) await succeeded()
      else if (thrown instanceof OpenIdError) signInFailed(call, 'provider', 'notAccepted')
      throw thrown
    }
  })
  await succeeded()
  const { account, ...person } = found
  const openId = { ...person, provider: provider.id, setting: provider.issuer, secondFactor: provider.secondFactor, anew: begun.anew }
  const others = from.openIds.filter((one) => one !== begun)
  return { ...(await signInOrAskCode(call, account, { remember: false, openId }, begun.to)), begun: others }
}

/** Shows the sign-in page, with what went wrong. */
export async function openIdAgain(call: GuestCall, error: DaymarkError): Promise<SignIn> {
  if (call.realm.auth.challenge !== 'Session') throw error
  return { is: 'signIn', username: '', remember: false, to: begunOf(call)?.to ?? asked(call, 'to'), error }
}

const asked = ({ input }: GuestCall, name: string) => input.query.get(name)?.at(-1) ?? ''

/** What the browser has begun that this answer is for. */
function begunOf(call: GuestCall): PendingOpenId | undefined {
  const state = asked(call, 'state')
  return call.from.openIds.find((one) => one.provider === call.input.params?.get('provider') && one.state === state)
}

function providerOf({ input, realm }: GuestCall): OpenIdProvider {
  const found = realm.auth.services.openIds.find(({ id }) => id === input.params?.get('provider'))
  if (!found) throw noSuchPageError(realm)
  return found
}

const texts = {
  refused: 'openId.refused',
  away: 'openId.away',
  broken: 'openId.broken',
  notAnew: 'openId.notAnew',
} as const satisfies Record<OpenIdFailure, string>

/** Asks a provider, and says what has come of it, if nothing has. */
async function heard<T>(call: GuestCall, { label }: OpenIdProvider, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof OpenIdError)) throw thrown
    const text = call.realm.t(texts[thrown.why], { label })
    // Whoever has said no at the provider knows why.
    if (thrown.why === 'refused') throw new DaymarkError('unauthenticated', text, challenged(call))
    throw new DaymarkError(thrown.why === 'away' ? 'unavailable' : 'unauthenticated', text, { ...challenged(call), cause: thrown })
  }
}

const challenged = ({ realm }: GuestCall) => ({ headers: { 'www-authenticate': realm.auth.challenge } })
