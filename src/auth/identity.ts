import type { Json } from '../field/field.js'

/** Who is asking. Roles decide what one may do; nothing else of a user is known to the house. */
export interface Identity {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
}

/** The one identity of `auth: 'open'`: for a panel on loopback that has no users. */
export const localIdentity: Identity = Object.freeze({ id: 'local', username: 'local', name: 'Local', roles: Object.freeze(['admin']) })

/** Somebody who may sign in. */
export interface Account {
  readonly identity: Identity
  readonly active: boolean
  /** A PHC string (`$argon2id$…`); null: nobody gets in by a password. */
  readonly passwordHash: string | null
  /** An IANA time zone; null: the panel's. */
  readonly timeZone: string | null
}

/** Where the users are. */
export interface UserSource {
  byUsername(username: string): Promise<Account | null>
  byId(id: string): Promise<Account | null>
  change(id: string, to: { readonly name?: string; readonly timeZone?: string | null; readonly passwordHash?: string }): Promise<void>
  /** What of a user can be kept besides the password. */
  readonly keeps: { readonly name: boolean; readonly timeZone: boolean }
}

/** Somebody is signed in: a browser by its cookie, or a client by its family of tokens. */
export interface Session {
  /** The hash of the cookie's value, or the `sid` of the tokens. */
  readonly id: string
  readonly kind: 'browser' | 'tokens'
  readonly userId: string
  /** Tells the password of the sign-in from a later one: a session ends when they differ. */
  readonly stamp: string
  /** The `User-Agent` of the sign-in. */
  readonly agent: string
  readonly remember: boolean
  readonly createdAt: Date
  readonly lastSeenAt: Date
  /** Whatever happens, it ends then. */
  readonly expiresAt: Date
  /** When it last wrote, where that is kept: with a replica to read from. */
  readonly wroteAt?: Date | null
}

export interface SessionStore {
  create(session: Session): Promise<void>
  find(id: string): Promise<Session | null>
  seen(id: string, at: Date): Promise<void>
  wrote(id: string, at: Date): Promise<void>
  restamp(id: string, stamp: string): Promise<void>
  remove(id: string): Promise<void>
  /** The newest first, a thousand at most. */
  of(userId: string): Promise<readonly Session[]>
  /** Ends every session of a user but one, and says how many those were. */
  removeOf(userId: string, except: string | null): Promise<number>
}

/** What became of a refresh token that was shown: `replayed` is one that somebody has used before. */
export type Rotation =
  | { readonly is: 'rotated'; readonly sessionId: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'replayed'; readonly sessionId: string }

/** Refresh tokens, each by the hash of its text. */
export interface TokenStore {
  add(id: string, sessionId: string, at: Date): Promise<void>
  /** Uses one up and puts `next` in its place, at once. Used again within `grace` milliseconds it counts as a parallel refresh, not as a replay. */
  rotate(id: string, next: string, at: Date, grace: number): Promise<Rotation>
}

/** A counted key, and how many failures it may have. */
export interface Counted {
  readonly key: string
  readonly most: number
}

/** Failed attempts, by key. */
export interface AttemptStore {
  /** Counts one for each key, if none has its most within `window` milliseconds; else counts nothing and says in how many milliseconds one may try again. */
  take(keys: readonly Counted[], window: number, now: number): Promise<number>
  /** It was no failure: `forget` loses all of its failures, `back` the one that was just taken. */
  clear(forget: string, back: string): Promise<void>
}

/** What users have chosen for a panel, by name: `theme`, `columns:cities`. */
export interface PreferenceStore {
  /** All that one user has chosen. */
  of(userId: string): Promise<ReadonlyMap<string, Json>>
  /** Null forgets a choice; what is not named stays. */
  change(userId: string, changes: ReadonlyMap<string, Json>): Promise<void>
  /** How often anything was changed, where that is kept in no database. */
  changes?(): number
}

/** A link by which one user sets a new password, once. */
export interface Reset {
  readonly id: string
  readonly userId: string
  readonly stamp: string
  readonly expiresAt: Date
}

export interface ResetStore {
  create(reset: Reset): Promise<void>
  find(id: string): Promise<Reset | null>
  /** Whether it was still there: of two that come at once, one gets through. */
  remove(id: string): Promise<boolean>
}
