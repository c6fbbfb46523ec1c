import { randomBytes } from 'node:crypto'
import { isLonger } from '../base/characters.js'
import { a, optionsFault, type Settings } from '../base/setting.js'
import type { Account } from './account.js'
import type { Identity } from './identity.js'
import type { ApiKeySettings, Pipeline, RequestHead, Services, Visitor } from './pipeline.js'
import { stampOf } from './stamp.js'
import type { ApiKey } from './stores.js'
import { panelTokenHash } from './token-hash.js'
import { mustUseTwoFactor } from './two-factor.js'
import { oddCharacters } from './username.js'

/** The options of `apiKeys()`. */
export interface ApiKeyOptions {
  /** The roles whose users may have keys. Default: everybody who signs in. */
  readonly roles?: readonly string[]
  /** The most days that a key is valid. Default: none, and a key may be valid for ever. */
  readonly mostDays?: number
}

const ofApiKeys: Settings<ApiKeyOptions> = { roles: a.list(a.text, 'a list of roles'), mostDays: a.value }

/**
 * Lets programs call the panel with an API key in `Authorization: Bearer …` (RFC 6750 §2.1), as the user who made it. Users make and delete
 * their keys on a page of their profile; `daymark key:create` makes one for any user.
 *
 * A key is 256 random bits, of which the database stores only a hash (OWASP ASVS 11.4.1). It may be limited to reading and to some of its
 * user's roles, and cannot change the account itself.
 *
 * @example
 * ```ts
 * import { apiKeys, authenticate, password } from 'daymark'
 *
 * export const auth = { middleware: authenticate(), pipelines: [password(), apiKeys({ mostDays: 365 })] }
 * ```
 */
export function apiKeys(options: ApiKeyOptions = {}): Pipeline {
  const wrong = optionsFault('apiKeys()', options, ofApiKeys)
  const { roles, mostDays } = wrong ? {} : options
  const settings: ApiKeySettings = Object.freeze({ roles: roles ? Object.freeze([...roles]) : null, mostDays: mostDays ?? null })
  return Object.freeze({
    name: 'api-key',
    cookies: false,
    stays: true,
    apiKeys: settings,
    identify: (request: RequestHead, services: Services) => {
      const text = textIn(request)
      return text === undefined ? null : identify(panelTokenHash(services, text), services, settings)
    },
    meant: (request: RequestHead) => (textIn(request) === undefined ? null : 'apiKey'),
    check: () =>
      wrong ??
      (mostDays === undefined || (Number.isSafeInteger(mostDays) && mostDays > 0 && mostDays <= longestDays)
        ? null
        : { id: 'api-key-days', text: `mostDays must be a whole number of days, from 1 to ${longestDays}` }),
  })
}

/** The most keys of one user. */
export const mostKeys = 100

/** The most characters of a name. */
export const longestKeyName = 100

/** What is wrong with the name of a key; null: nothing. */
export function keyNameFault(name: string): 'empty' | 'tooLong' | 'odd' | null {
  if (name === '') return 'empty'
  if (isLonger(name, longestKeyName)) return 'tooLong'
  return name.search(oddCharacters) === -1 ? null : 'odd'
}

/** The most days that can be asked for: ten years. */
export const longestDays = 3650

const day = 86_400_000
// The first part tells scanners of leaked secrets, and people, what it is.
const prefix = 'daymark_'
const pattern = /^Bearer +(daymark_[\w-]{43})$/i

/** The key that a request carries, valid or not. */
const textIn = ({ headers }: RequestHead) => pattern.exec(headers.get('authorization') ?? '')?.[1]

/** What tells a key from others. */
export const keyText = ({ name, start }: Pick<ApiKey, 'name' | 'start'>) => `${name} (${start}…)`

/** How a key begins, by which people tell keys apart. */
export const startOf = (text: string) => text.slice(0, prefix.length + 4)

/** A new key: its text, which is not stored, and what is. */
export function makeApiKey(
  services: Pick<Services, 'panel'>,
  account: Account,
  about: Pick<ApiKey, 'name' | 'roles' | 'readOnly' | 'expiresAt'>,
): { readonly text: string; readonly key: ApiKey } {
  const text = prefix + randomBytes(32).toString('base64url')
  const { id: userId, username } = account.identity
  const own = { id: panelTokenHash(services, text), userId, username, stamp: keyStampOf(account), start: startOf(text) }
  return { text, key: { ...about, ...own, createdAt: new Date(), lastSeenAt: null } }
}

/** When a key expires that is valid for so many days; null: never. */
export function expiryOf(days: number | null): Date | null {
  return days === null ? null : new Date(Date.now() + days * day)
}

/** When a key is over: also one that was made when the panel allowed more days. Null: never. */
export function endOfKey({ createdAt, expiresAt }: ApiKey, { mostDays }: ApiKeySettings): Date | null {
  const last = mostDays === null ? null : new Date(createdAt.getTime() + mostDays * day)
  return last && expiresAt ? new Date(Math.min(last.getTime(), expiresAt.getTime())) : (last ?? expiresAt)
}

/** Whether a key of this user is worth nothing any more. */
export function isVoid(key: ApiKey, account: Account, settings: ApiKeySettings): boolean {
  const end = endOfKey(key, settings)
  if (end && end.getTime() <= Date.now()) return true
  // An id may be used again, in a table of the application's own.
  return !account.active || key.username !== account.identity.username || key.stamp !== keyStampOf(account)
}

/** Whether a user may have keys. */
export function mayHaveKeys({ roles }: ApiKeySettings, { identity }: Account): boolean {
  return roles === null || roles.some((one) => identity.roles.includes(one))
}

/** A key ends when its user is disabled, but not with another password. */
const keyStampOf = ({ disabledAt = null }: Account) => stampOf({ passwordHash: null, disabledAt })

const seenEvery = 60_000

/** Who calls by a key, as they are now; null: it is good for nobody. */
export async function holderOfKey(
  id: string,
  services: Services,
  settings: ApiKeySettings,
): Promise<{ readonly key: ApiKey; readonly account: Account; readonly identity: Identity } | null> {
  const key = await services.apiKeys.find(id)
  if (!key) return null
  const account = await services.users.byId(key.userId)
  if (!account?.active) {
    // For good, even if there is such a user again.
    services.apiKeys.remove(id).catch(() => {})
    return null
  }
  if (isVoid(key, account, settings) || !mayHaveKeys(settings, account)) return null
  const { roles, readOnly } = key
  const apiKey = { id, roles, readOnly }
  const own = roles === null ? account.identity.roles : account.identity.roles.filter((one) => roles.includes(one))
  return { key, account, identity: { ...account.identity, roles: own, apiKey } }
}

async function identify(id: string, services: Services, settings: ApiKeySettings): Promise<Visitor | null> {
  const holder = await holderOfKey(id, services, settings)
  if (!holder) return null
  const { key, account, identity } = holder
  const now = Date.now()
  const lastSeen = key.lastSeenAt?.getTime() ?? 0
  if (now - lastSeen >= seenEvery) services.apiKeys.seen(id, new Date(now)).catch(() => {})
  const end = endOfKey(key, settings)?.getTime() ?? Number.POSITIVE_INFINITY
  return {
    identity,
    session: null,
    ambient: false,
    timeZone: account.timeZone,
    until: Math.min(Math.max(lastSeen, now - seenEvery) + seenEvery, end),
    readOnly: key.readOnly,
    manages: false,
    limited: account.twoFactor === null && mustUseTwoFactor(services.twoFactor, account.identity) && !signsInWithFactor(services, account),
  }
}

/** Whether a user has no way to sign in but OpenID providers that ask for a second factor themselves: the session that made the key had one. */
function signsInWithFactor({ openIds }: Services, { passwordHash }: Account): boolean {
  return passwordHash === null && openIds.length > 0 && openIds.every(({ secondFactor }) => secondFactor)
}
