import type { Client } from '../../auth/account-event.js'
import type { Identity } from '../../auth/identity.js'
import type { OpenIdFlow } from '../../auth/open-id-provider.js'
import type { PasskeyChallenge } from '../../auth/passkey-challenge.js'

/** Where a request comes from. */
export interface From extends Client {
  /** The id of the session; null: none. */
  readonly session: string | null
  /** Whether the user can change the account itself: an API key cannot. */
  readonly manages: boolean
  /** Whether the user has to set up two-factor sign-in before anything else. */
  readonly limited: boolean
  /** Whose session it is, where they look at the panel as the user; null: the user's. */
  readonly viewedBy: Identity | null
  /** Whether a browser keeps the session's cookie on this way. */
  readonly keepsCookies: boolean
  /** The address to which an OpenID provider sends the browser back. */
  returnOf(provider: string): string
  /** The address of the sign-in page. */
  signInAt(): string
  /** The value of the session's cookie; empty if there is none. */
  cookie(): string
  /** The sign-ins that the browser has begun at OpenID providers, newest first. */
  readonly openIds: readonly PendingOpenId[]
  /** The challenges for passkeys that the browser has, newest first. */
  readonly challenges: readonly PasskeyChallenge[]
}

/** A sign-in that has been begun at an OpenID provider, as the browser keeps it in a cookie. */
export interface PendingOpenId extends OpenIdFlow {
  /** The `id` of the provider. */
  readonly provider: string
  /** Where to go after signing in: unchecked. */
  readonly to: string
  /** Whether the user has to sign in there anew. */
  readonly anew: boolean
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number
}
