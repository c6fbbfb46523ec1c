import type { Account } from '../../auth/account.js'
import { mayHaveKeys } from '../../auth/api-key.js'
import type { OpenIdProvider } from '../../auth/open-id-provider.js'
import { isPasskeyOf, mayHavePasskeys } from '../../auth/passkeys.js'
import { isPassword } from '../../auth/password.js'
import type { ApiKeySettings } from '../../auth/pipeline.js'
import type { ApiKey, Passkey, Session } from '../../auth/stores.js'
import { DaymarkError } from '../../base/errors.js'
import type { PanelCall, Realm } from '../call/call.js'
import { signInFailed } from './events.js'
import { countedAttempt } from './sign-in.js'

/** The caller's account among the panel's users; null: they are identified in another way, such as by an API key, and cannot change it. */
export async function accountOf({ realm, identity, from }: PanelCall): Promise<Account | null> {
  if (!from.manages) return null
  const account = await realm.auth.services.users.byId(identity.id)
  return account?.identity.username === identity.username ? account : null
}

/** Whether a user confirms what they change with their password: whoever signs in with a provider alone has none. */
export function asksPassword({ passwordHash }: Account): boolean {
  return passwordHash !== null
}

/** The provider at which a user without a password has to confirm what they change; null: they just have, or have a password. */
export async function confirmsAt(call: PanelCall, account: Account): Promise<OpenIdProvider | null> {
  if (asksPassword(account)) return null
  const session = await sessionOf(call)
  return isConfirmed(session) ? null : providerOf(call, session)
}

const providerOf = ({ realm }: PanelCall, session: Session | null) =>
  realm.auth.services.openIds.find(({ id }) => id === session?.openId?.provider) ?? null

// In milliseconds: as long as the second step of a sign-in may take.
const fresh = 600_000

/** Whether the session has just begun. */
export async function isFresh(call: PanelCall): Promise<boolean> {
  return isRecent(await sessionOf(call))
}

const sessionOf = async ({ realm, from }: PanelCall) => (from.session === null ? null : realm.auth.services.sessions.find(from.session))
const isRecent = (session: Session | null) => session !== null && session.createdAt.getTime() > Date.now() - fresh
// With a session that the provider still has, anybody at an unlocked screen could sign in again. A passkey asks who is there.
const isConfirmed = (session: Session | null) => (session?.openId?.anew === true || session?.passkey != null) && isRecent(session)

/**
 * What is wrong with a password that a caller types to confirm who they are; null: it is theirs.
 *
 * @throws DaymarkError `invalid` if they have no password and have not just signed in anew, `throttled` after too many wrong ones
 */
export async function checkPassword(call: PanelCall, account: Account, text: string): Promise<string | null> {
  const { realm, identity } = call
  if (!asksPassword(account)) {
    const session = await sessionOf(call)
    if (isConfirmed(session)) return null
    if (session?.passkey != null) throw new DaymarkError('invalid', realm.t('passkey.confirmFirst'))
    const provider = providerOf(call, session)
    if (!provider) throw new DaymarkError('forbidden', realm.t('profile.fixed'))
    throw new DaymarkError('invalid', realm.t('openId.confirmFirst', { label: provider.label }))
  }
  if (text === '') return realm.t('field.required', { label: realm.t('profile.currentPassword') })
  const succeeded = await countedAttempt(call, 'profile', identity.username, identity)
  if (!(await isPassword(account, text))) {
    signInFailed(call, 'profile', 'wrongPassword', identity)
    return realm.t('profile.wrongPassword')
  }
  await succeeded()
  return null
}

/** Whether users of the panel can turn two-factor sign-in on: those who sign in at the panel itself. */
export function canUseTwoFactor({ auth }: Realm): boolean {
  return auth.services.twoFactor !== null && auth.hasSignIn
}

/** The API keys of a user: not those of somebody else who had the same id, in a table of the application's own. */
export async function keysOf({ auth }: Realm, { identity }: Account): Promise<readonly ApiKey[]> {
  return (await auth.services.apiKeys.of(identity.id)).filter(({ username }) => username === identity.username)
}

/** The passkeys of a user for this panel's address; null: they may have none. */
export async function passkeysOf({ auth }: Realm, account: Account): Promise<readonly Passkey[] | null> {
  const { services } = auth
  if (!mayHavePasskeys(services, account)) return null
  const all = await services.passkeys.of(account.identity.id)
  return all.filter((one) => one.site === services.relyingParty?.id && isPasskeyOf(services, one, account))
}

/** The settings of API keys for a user who may make some; null: this one may not. */
export function apiKeysOf({ auth }: Realm, account: Account): ApiKeySettings | null {
  return auth.apiKeys && mayHaveKeys(auth.apiKeys, account) ? auth.apiKeys : null
}
