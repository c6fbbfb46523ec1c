import { createRequire } from 'node:module'
import type { Account } from './account.js'
import type { Pipeline, Services } from './pipeline.js'
import type { Passkey } from './stores.js'

/**
 * Lets users sign in with passkeys (WebAuthn), beside their password: by the fingerprint, face or PIN of their device, or by a security key.
 * Users add theirs on a page of their profile. A passkey stands for both factors, so no code is asked for after it. `session()` keeps them
 * signed in, and must be among the panel's `middleware`.
 *
 * It needs the panel's `url`, for whose host passkeys are made, and the package `@simplewebauthn/server`.
 *
 * @example
 * ```ts
 * import { authenticate, passkeys, password } from 'daymark'
 *
 * export const auth = { middleware: authenticate(), pipelines: [password(), passkeys()] }
 * ```
 */
export function passkeys(): Pipeline {
  return Object.freeze({ name: 'passkey', cookies: false, needsSession: true, passkeys: true, check: packageFault })
}

/** The most passkeys of one user. */
export const mostPasskeys = 20

/** Whether a user may have passkeys: who has no password where there are providers signs in with one, and not past it. */
export function mayHavePasskeys({ relyingParty, openIds }: Services, { passwordHash }: Account): boolean {
  return relyingParty !== null && (passwordHash !== null || openIds.length === 0)
}

/**
 * Whether a passkey is this user's. An id may be used again in a table of the application's own; the panel never gives one of its own users
 * to another.
 */
export function isPasskeyOf({ users }: Services, { userId, username }: Passkey, { identity }: Account): boolean {
  return userId === identity.id && (users.create !== undefined || username === identity.username)
}

/** Looks for the package, without loading it. */
function packageFault(find: (name: string) => unknown = createRequire(import.meta.url).resolve) {
  try {
    find('@simplewebauthn/server')
    return null
  } catch {
    return { id: 'passkeys', text: 'passkeys need the package @simplewebauthn/server: npm install @simplewebauthn/server' }
  }
}
