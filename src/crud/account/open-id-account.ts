import type { Account } from '../../auth/account.js'
import { rolesText } from '../../auth/account-event.js'
import { forLog } from '../../auth/open-id-error.js'
import type { OpenIdClaims } from '../../auth/open-id-options.js'
import type { OpenIdProvider } from '../../auth/open-id-provider.js'
import type { OpenIdSignIn } from '../../auth/stores.js'
import { oddCharacters, plainUsername, usernameFault, vouchedFault } from '../../auth/username.js'
import { DaymarkError } from '../../base/errors.js'
import type { GuestCall } from '../call/call.js'
import { accountEvent, eventOrigin, signInFailed } from './events.js'

/** Somebody whom a provider knows. */
type Person = Pick<OpenIdSignIn, 'issuer' | 'subject' | 'roles'> & { readonly claims: OpenIdClaims }

/**
 * The user of the panel who somebody at a provider is: whom they were the last time, else who has the username that the provider vouches
 * for, else a new one. Nothing of an existing user is changed: they may have to give a code.
 *
 * @throws DaymarkError `unauthenticated` if the panel lets none in
 * @throws OpenIdError
 */
export async function accountFor(
  call: GuestCall,
  provider: OpenIdProvider,
  claims: OpenIdClaims,
): Promise<Pick<Person, 'issuer' | 'subject' | 'roles'> & { readonly account: Account }> {
  const person: Person = { issuer: claims.iss, subject: claims.sub, roles: provider.roles?.(claims) ?? null, claims }
  if (provider.roles && person.roles === null) throw unknown(call, person, 'roles returned null')
  const account = (await linked(call, person)) ?? (await named(call, provider, person))
  if (!account.active) throw unknown(call, person, 'the user is not active', account)
  return { issuer: person.issuer, subject: person.subject, roles: person.roles, account }
}

/**
 * Stores who somebody at a provider is in the panel, from now on for good, and the roles that they have. Only for a user who has given all
 * that there is to give.
 *
 * @throws DaymarkError `unauthenticated` if somebody else is it meanwhile
 */
export async function linkAccount(call: GuestCall, account: Account, person: OpenIdSignIn): Promise<Account> {
  const { users, openIdLinks } = call.realm.auth.services
  const { issuer, subject, roles } = person
  const { id, username } = account.identity
  const isOwn = async () => {
    const link = await openIdLinks.find(issuer, subject)
    return link?.userId === id && link.username === username
  }
  // The second time, for two tabs at once.
  const link = { issuer, subject, userId: id, username, createdAt: new Date() }
  const linking = accountEvent(call, 'providerLinked', 'provider', account.identity, person.provider)
  const isLinked = (await isOwn()) || (await openIdLinks.create(link, linking)) || (await isOwn())
  if (!isLinked) throw unknown(call, person, 'somebody else at the provider is this user')
  const before = account.identity.roles
  if (roles === null || (roles.length === before.length && roles.every((one, i) => one === before[i]))) return account
  const detail = `${rolesText(before)} → ${rolesText(roles)}`
  await users.change(id, { roles }, undefined, accountEvent(call, 'rolesChanged', 'provider', account.identity, detail))
  const changed = await users.byId(id)
  if (!changed?.active) throw unknown(call, person, 'the user is not active', account)
  return changed
}

/** Whom they were the last time. A link to somebody who is gone, or has another username by now, is void. */
async function linked({ realm }: GuestCall, { issuer, subject }: Person): Promise<Account | null> {
  const { users, openIdLinks } = realm.auth.services
  const link = await openIdLinks.find(issuer, subject)
  if (!link) return null
  const account = await users.byId(link.userId)
  if (account?.identity.username === link.username) return account
  await openIdLinks.remove(link)
  return null
}

/** Who has the username that the provider vouches for, or a new user of this name. */
async function named(call: GuestCall, provider: OpenIdProvider, person: Person): Promise<Account> {
  const { users, openIdLinks } = call.realm.auth.services
  const { claims, roles, issuer, subject } = person
  const username = provider.username(claims)
  if (username === null) throw unknown(call, person, 'username returned null, as it does by default without a verified e-mail address')
  const fault = vouchedFault(username)
  if (fault !== null) throw unknown(call, person, `the username is ${fault}`)
  let account = await users.byUsername(username)
  if (!account && provider.create && users.create && usernameFault(plainUsername(username)) === null) {
    await users.create({ username, name: nameOf(claims), roles: roles ?? provider.create }, eventOrigin(call, 'provider'))
    // Also if another request has just made them.
    account = await users.byUsername(username)
  }
  if (!account) throw unknown(call, person, 'there is no user of this name')
  const { id, username: stored } = account.identity
  // Before a code is asked for, which they would only guess at. Anybody else at the provider who has this name now is another person.
  const isTaken = (await openIdLinks.of(id)).some((one) => one.issuer === issuer && one.subject !== subject && one.username === stored)
  if (isTaken) throw unknown(call, person, 'somebody else at the provider is this user')
  return account
}

// As long as a user may make it.
const longestName = 200

/** The full name, without what pages and databases stumble over: users often choose it freely. */
function nameOf({ name }: OpenIdClaims): string {
  if (typeof name !== 'string') return ''
  const plain = name
    .slice(0, 1000)
    .replace(oddCharacters, '')
    .replace(/\p{Cs}/gu, '')
  // It may cut a character in two.
  return plain
    .trim()
    .slice(0, longestName)
    .replace(/\p{Cs}$/u, '')
    .trim()
}

/**
 * The user is told that there is no access, and the log why.
 *
 * @param disabled the user of the panel, where there is one who is not active
 */
function unknown(
  call: GuestCall,
  { issuer, subject }: Pick<Person, 'issuer' | 'subject'>,
  why: string,
  disabled: Account | null = null,
): DaymarkError {
  signInFailed(call, 'provider', disabled ? 'disabled' : 'unknownUser', disabled?.identity)
  const { t, auth } = call.realm
  const label = auth.services.openIds.find(({ id }) => id === call.input.params?.get('provider'))?.label ?? issuer
  const cause = new Error(`No access for ${forLog(subject)} of ${forLog(issuer)}: ${why}`)
  return new DaymarkError('unauthenticated', t('openId.unknown', { label }), { headers: { 'www-authenticate': auth.challenge }, cause })
}
