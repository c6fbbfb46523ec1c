/** What happens to accounts, and at the door to them. */
export type AccountEventName =
  | 'signedIn'
  | 'signInFailed'
  | 'signedOut'
  | 'sessionsEnded'
  | 'userCreated'
  | 'userDeleted'
  | 'userDisabled'
  | 'userEnabled'
  | 'usernameChanged'
  | 'rolesChanged'
  | 'passwordChanged'
  | 'passwordLink'
  | 'twoFactorOn'
  | 'twoFactorOff'
  | 'recoveryCodes'
  | 'recoveryCodeUsed'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'apiKeyCreated'
  | 'apiKeyDeleted'
  | 'providerLinked'
  | 'providerUnlinked'
  | 'viewedAs'

/** How it happens: the way of a sign-in, or where a change was made. `program`: by the application's own code. */
export type AccountWay =
  | 'password'
  | 'passwordAndCode'
  | 'passkey'
  | 'apiKey'
  | 'refreshToken'
  | 'provider'
  | 'providerAndCode'
  | 'profile'
  | 'link'
  | 'mail'
  | 'administration'
  | 'command'
  | 'program'

/** Why a sign-in fails. */
export type FailedBecause =
  | 'unknownUser'
  | 'wrongPassword'
  | 'wrongCode'
  | 'wrongPasskey'
  | 'wrongKey'
  | 'usedTwice'
  | 'notAccepted'
  | 'disabled'
  | 'throttled'

/** Where a request comes from. */
export interface Client {
  /** The network address; empty if it is not known. */
  readonly address: string
  /** The `User-Agent` header. */
  readonly agent: string
}

/** A user, by what they are called then. */
export interface Person {
  readonly id: string
  readonly username: string
}

/** Something that has happened to an account. It holds nothing that signs anybody in, and nothing that was typed. */
export interface AccountEvent {
  readonly event: AccountEventName
  readonly way: AccountWay
  /** Whose account it is; null: of nobody who is known, as when a sign-in fails. */
  readonly user: Person | null
  /** Who did it, if somebody else. */
  readonly by?: Person | null
  /** Where the request came from; null: there was none. */
  readonly client: Client | null
  /** Why a sign-in failed. */
  readonly reason?: FailedBecause
  /** What more there is to say: the name of a key, the roles before and after. */
  readonly detail?: string
}

/** What happens to somebody whom only the store that does it knows. */
export type EventOrigin = Omit<AccountEvent, 'event' | 'user'>

/** The application's own code does it. */
export const byProgram: EventOrigin = Object.freeze({ way: 'program', client: null })

/** How the detail of an event names roles. */
export const rolesText = (roles: readonly string[]) => roles.join(', ') || '—'

/** An event as it was kept. */
export interface KeptAccountEvent {
  /** When it happened; of several failures alike, the last. */
  readonly at: Date
  readonly event: AccountEventName
  readonly way: AccountWay
  readonly reason: FailedBecause | null
  readonly address: string
  /** Browser and system, as people read them. */
  readonly agent: string
  /** How often it happened. */
  readonly count: number
}
