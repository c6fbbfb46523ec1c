import { randomBytes } from 'node:crypto'
import type { Account, ApiKey } from './identity.js'
import type { ApiKeySettings, Pipeline, RequestHead, Services, Visitor } from './pipeline.js'
import { panelTokenHash } from './token-hash.js'

/** The options of `apiKeys()`. */
export interface ApiKeyOptions {
  /** The roles whose users may have keys. Default: everybody who signs in. */
  readonly roles?: readonly string[]
  /** The most days that a key is valid. Default: none, and a key may be valid for ever. */
  readonly mostDays?: number
}

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
export function apiKeys({ roles, mostDays }: ApiKeyOptions = {}): Pipeline {
  const settings: ApiKeySettings = Object.freeze({ roles: roles ? Object.freeze([...roles]) : null, mostDays: mostDays ?? null })
  return Object.freeze({
    name: 'api-key',
    cookies: false,
    stays: true,
    apiKeys: settings,
    identify: (request: RequestHead, services: Services) => {
      const key = pattern.exec(request.headers.get('authorization') ?? '')?.[1]
      return key === undefined ? null : holderOf(key, services, settings)
    },
    check: () =>
      mostDays === undefined || (Number.isSafeInteger(mostDays) && mostDays > 0 && mostDays <= longestDays)
        ? null
        : { id: 'api-key-days', text: `mostDays must be a whole number of days, from 1 to ${longestDays}` },
  })
}

/** The most keys of one user. */
export const mostKeys = 100

/** The most characters of a name. */
export const longestKeyName = 100

/** The most days that can be asked for: ten years. */
export const longestDays = 3650

// The first part tells scanners of leaked secrets, and people, what it is.
const prefix = 'daymark_'
const pattern = /^Bearer +(daymark_[\w-]{43})$/i

/** A new key: its text, which is not stored, and what is. */
export function makeApiKey(
  services: Pick<Services, 'panel'>,
  { identity }: Account,
  about: Pick<ApiKey, 'name' | 'roles' | 'readOnly' | 'expiresAt'>,
): { readonly text: string; readonly key: ApiKey } {
  const text = prefix + randomBytes(32).toString('base64url')
  const { id: userId, username } = identity
  const start = text.slice(0, prefix.length + 4)
  return { text, key: { ...about, id: panelTokenHash(services, text), userId, username, start, createdAt: new Date(), lastSeenAt: null } }
}

/** When a key expires that is valid for so many days; null: never. */
export function expiryOf(days: number | null): Date | null {
  return days === null ? null : new Date(Date.now() + days * 86_400_000)
}

/** When a key is void: at its end, or from when its user was disabled. Null: never. */
export function endOfKey({ createdAt, expiresAt }: ApiKey, { disabledAt }: Account): Date | null {
  if (!disabledAt || createdAt > disabledAt) return expiresAt
  return expiresAt && expiresAt < disabledAt ? expiresAt : disabledAt
}

/** Whether a user may have keys. */
export function mayHaveKeys({ roles }: ApiKeySettings, { identity }: Account): boolean {
  return roles === null || roles.some((one) => identity.roles.includes(one))
}

const seenEvery = 60_000
const isOver = (end: Date | null) => end !== null && end.getTime() <= Date.now()

async function holderOf(text: string, services: Services, settings: ApiKeySettings): Promise<Visitor | null> {
  const key = await services.apiKeys.find(panelTokenHash(services, text))
  if (!key || isOver(key.expiresAt)) return null
  const account = await services.users.byId(key.userId)
  // An id may be used again, in a table of the application's own.
  if (!account?.active || isOver(endOfKey(key, account)) || account.identity.username !== key.username || !mayHaveKeys(settings, account))
    return null
  const { identity, timeZone } = account
  const now = Date.now()
  const lastSeen = key.lastSeenAt?.getTime() ?? 0
  if (now - lastSeen >= seenEvery) services.apiKeys.seen(key.id, new Date(now)).catch(() => {})
  return {
    identity: key.roles === null ? identity : { ...identity, roles: identity.roles.filter((one) => key.roles?.includes(one)) },
    session: null,
    ambient: false,
    timeZone,
    until: Math.min(Math.max(lastSeen, now - seenEvery) + seenEvery, key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
    readOnly: key.readOnly,
    manages: false,
  }
}
