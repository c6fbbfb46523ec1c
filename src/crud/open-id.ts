import type { Account, OpenIdLink } from '../auth/identity.js'
import type { OpenIdClaims } from '../auth/open-id-options.js'
import { OpenIdError, type OpenIdFailure, type OpenIdProvider } from '../auth/open-id-provider.js'
import { attempt } from '../auth/throttle.js'
import { plainUsername, usernameFault } from '../auth/username.js'
import { DaymarkError } from '../base/errors.js'
import type { GuestCall, OpenIdBegun } from './call.js'
import type { OpenIdSentOn, Outcome, SignIn } from './outcome.js'
import { checkWay, completed, noSuchPage, throttled } from './sign-in.js'

// Somebody may begin in several tabs. The cookie that keeps them has to stay small.
const mostBegun = 3

/** Sends the browser to a provider. */
export async function beginOpenId(call: GuestCall): Promise<OpenIdSentOn> {
  const { from, identity } = call
  const provider = providerOf(call)
  checkWay(call, { needsSession: true })
  // Who is signed in does it to confirm something. With a session at the provider, anybody at this screen could.
  const { url, flow } = await heard(call, provider, () => provider.begin(`${from.url}/return`, identity !== null))
  return { is: 'openIdBegun', url, begun: [{ ...flow, provider: provider.id, to: asked(call, 'to') }, ...from.openIds].slice(0, mostBegun) }
}

/** Signs in who comes back from a provider. */
export async function finishOpenId(call: GuestCall): Promise<Outcome> {
  const { input, from, identity, realm } = call
  const provider = providerOf(call)
  const begun = begunOf(call)
  // Such as by the button Back.
  if (!begun && identity) return { is: 'signedIn', identity, grant: null, to: '' }
  if (!begun) throw new DaymarkError('unauthenticated', realm.t('openId.late'), challenged(call))
  checkWay(call, { needsSession: true })
  // By the address alone: every sign-in has a state of its own.
  const { wait, succeeded } = await attempt(realm.auth.services.attempts, begun.state, from.address)
  if (wait > 0) throw throttled(wait, realm)
  const back = new URL(from.url)
  for (const [name, values] of input.query) for (const value of values) back.searchParams.append(name, value)
  const claims = await heard(call, provider, () => provider.finish(back.href, begun))
  const account = await accountFor(call, provider, claims)
  await succeeded()
  return { ...(await completed(call, account, { remember: false, openId: provider.id }, begun.to)), begun: [] }
}

/** Shows the sign-in page, with what went wrong. */
export async function openIdAgain(call: GuestCall, error: DaymarkError): Promise<SignIn> {
  if (call.realm.auth.challenge !== 'Session') throw error
  return { is: 'signIn', username: '', remember: false, to: begunOf(call)?.to ?? asked(call, 'to'), error }
}

const asked = ({ input }: GuestCall, name: string) => input.query.get(name)?.at(-1) ?? ''

/** What the browser has begun that this answer is for. */
function begunOf(call: GuestCall): OpenIdBegun | undefined {
  const state = asked(call, 'state')
  return call.from.openIds.find((one) => one.provider === call.input.params?.get('provider') && one.state === state)
}

function providerOf({ input, realm }: GuestCall): OpenIdProvider {
  const found = realm.auth.services.openIds.find(({ id }) => id === input.params?.get('provider'))
  if (!found) throw noSuchPage(realm)
  return found
}

const texts = { refused: 'openId.refused', away: 'openId.away', broken: 'openId.broken' } as const satisfies Record<OpenIdFailure, string>

/** Asks a provider, and says what has come of it, if nothing has. */
async function heard<T>(call: GuestCall, { label }: OpenIdProvider, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof OpenIdError)) throw thrown
    const text = call.realm.t(texts[thrown.why], { label })
    // Whoever has said no at the provider knows why.
    if (thrown.why === 'refused') throw new DaymarkError('unauthenticated', text, challenged(call))
    throw new DaymarkError(thrown.why === 'away' ? 'unavailable' : 'unauthenticated', text, { ...challenged(call), cause: thrown.cause })
  }
}

const challenged = ({ realm }: GuestCall) => ({ headers: { 'www-authenticate': realm.auth.challenge } })

/**
 * The user of the panel who somebody at a provider is: whom they were the last time, else who has the username that the provider vouches
 * for, else a new one.
 *
 * @throws DaymarkError `unauthenticated` if the panel lets none in
 */
async function accountFor(call: GuestCall, provider: OpenIdProvider, claims: OpenIdClaims): Promise<Account> {
  const { users } = call.realm.auth.services
  const roles = provider.roles ? provider.roles(claims) : undefined
  if (roles === null) throw unknown(call, provider)
  const found = (await linked(call, provider, claims)) ?? (await named(call, provider, claims, roles ?? provider.create))
  if (!found.active) throw unknown(call, provider)
  if (roles === undefined || (roles.length === found.identity.roles.length && roles.every((one, i) => one === found.identity.roles[i])))
    return found
  await users.change(found.identity.id, { roles })
  const changed = await users.byId(found.identity.id)
  if (!changed?.active) throw unknown(call, provider)
  return changed
}

/** Whom they were the last time. A link to somebody who is gone, or has another username by now, is void. */
async function linked({ realm }: GuestCall, { issuer }: OpenIdProvider, { sub }: OpenIdClaims): Promise<Account | null> {
  const { users, openIdLinks } = realm.auth.services
  const link = await openIdLinks.find(issuer, sub)
  if (!link) return null
  const account = await users.byId(link.userId)
  if (account?.identity.username === link.username) return account
  await openIdLinks.remove(link)
  return null
}

/** Who has the username that the provider vouches for, from now on for good; or a new user of this name. */
async function named(call: GuestCall, provider: OpenIdProvider, claims: OpenIdClaims, roles: readonly string[] | null): Promise<Account> {
  const { users, openIdLinks } = call.realm.auth.services
  const username = provider.username(claims)
  if (username === null || username.trim() === '') throw unknown(call, provider)
  let account = await users.byUsername(username)
  if (!account && provider.create && users.create && usernameFault(plainUsername(username)) === null) {
    const name = typeof claims.name === 'string' ? claims.name.trim().slice(0, longestName) : ''
    await users.create({ username, name, roles: roles ?? [] })
    // Also if another request has just made them.
    account = await users.byUsername(username)
  }
  if (!account?.active) throw unknown(call, provider)
  const { id: userId, username: stored } = account.identity
  const link: OpenIdLink = { issuer: provider.issuer, subject: claims.sub, userId, username: stored, createdAt: new Date() }
  if (await openIdLinks.create(link)) return account
  // Two tabs at once. Anybody else at the provider who has this name now is another person.
  const other = await openIdLinks.find(provider.issuer, claims.sub)
  if (other?.userId === userId) return account
  throw unknown(call, provider)
}

const longestName = 200

function unknown(call: GuestCall, { label }: OpenIdProvider): DaymarkError {
  return new DaymarkError('unauthenticated', call.realm.t('openId.unknown', { label }), challenged(call))
}
