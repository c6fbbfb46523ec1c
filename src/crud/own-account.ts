import { mayHaveKeys } from '../auth/api-key.js'
import type { Account, ApiKey } from '../auth/identity.js'
import { isPassword } from '../auth/password.js'
import type { ApiKeySettings } from '../auth/pipeline.js'
import { attempt } from '../auth/throttle.js'
import type { PanelCall, Realm } from './call.js'
import { throttled } from './sign-in.js'

/** The caller's account among the panel's users; null: they are identified in another way, such as by an API key, and cannot change it. */
export async function accountOf({ realm, identity, from }: PanelCall): Promise<Account | null> {
  if (!from.manages) return null
  const account = await realm.auth.services.users.byId(identity.id)
  return account?.identity.username === identity.username ? account : null
}

/** What is wrong with a password that a caller types to confirm who they are; null: it is theirs. */
export async function checkPassword({ realm, identity, from }: PanelCall, account: Account, text: string): Promise<string | null> {
  if (text === '') return realm.t('field.required', { label: realm.t('profile.currentPassword') })
  const { wait, succeeded } = await attempt(realm.auth.services.attempts, identity.username, from.address)
  if (wait > 0) throw throttled(wait, realm)
  if (!(await isPassword(account, text))) return realm.t('profile.wrongPassword')
  await succeeded()
  return null
}

/** Whether users of the panel can turn two-factor sign-in on: those who sign in with a password. */
export function canUseTwoFactor({ auth }: Realm): boolean {
  return auth.services.twoFactor !== null && auth.signsIn !== null
}

/** The API keys of a user: not those of somebody else who had the same id, in a table of the application's own. */
export async function keysOf({ auth }: Realm, { identity }: Account): Promise<readonly ApiKey[]> {
  return (await auth.services.apiKeys.of(identity.id)).filter(({ username }) => username === identity.username)
}

/** The settings of API keys for a user who may make some; null: this one may not. */
export function apiKeysOf({ auth }: Realm, account: Account): ApiKeySettings | null {
  return auth.apiKeys && mayHaveKeys(auth.apiKeys, account) ? auth.apiKeys : null
}
