import type { Json } from '../field/field.js'
import type { AccountEvent } from './account-event.js'

/** A sign-in that lasts, of a browser by its cookie or of a program by its family of tokens; or one that waits for its second step. */
export interface Session {
  /** The SHA-256 hash of the panel's id and the value of the cookie or the ticket, or the `sid` claim of the tokens. */
  readonly id: string
  /** How the sign-in is carried: by a cookie, or by tokens. `pending`: by a ticket that only lets its holder give the code. */
  readonly kind: 'browser' | 'tokens' | 'pending'
  /** The id of the user who signed in. */
  readonly userId: string
  /** As `stampOf` makes it: the session ends if the user's password is another one, or the user has been disabled since the sign-in. */
  readonly stamp: string
  /** The `User-Agent` header of the sign-in. */
  readonly agent: string
  /** Whether the user asked to be remembered. */
  readonly remember: boolean
  /** Whether the user has given a code, too. Default: `false`. */
  readonly secondFactor?: boolean | null
  /** How the user signed in with an OpenID provider. Default: not with one. */
  readonly openId?: OpenIdSignIn | null
  /** The id of the passkey that the user signed in with. Default: not with one. */
  readonly passkey?: string | null
  /** When the user signed in. */
  readonly createdAt: Date
  /** The time of a recent request, to about a minute. */
  readonly lastSeenAt: Date
  /** When the session ends in any case. */
  readonly expiresAt: Date
  /** When the session last wrote. Kept only if the panel has a `replica`. */
  readonly wroteAt?: Date | null
  /** The id of the user as whom its user looks at the panel. Default: as themselves. */
  readonly viewsAs?: string | null
}

/** A sign-in with an OpenID provider: what held then, whatever the panel's settings are now. */
export interface OpenIdSignIn {
  /** The `id` of the provider. */
  readonly provider: string
  /** The `issuer` in its settings: another provider may have the `id` by now. */
  readonly setting: string
  /** The issuer, as it names itself. */
  readonly issuer: string
  /** Identifies the user at the provider: the claim `sub`. */
  readonly subject: string
  /** The roles that the provider decides; null: those in the panel. They are stored once nothing more is asked for. */
  readonly roles: readonly string[] | null
  /** Whether the provider has asked for a second factor. */
  readonly secondFactor: boolean
  /** Whether the provider says that the user has just signed in there, too. */
  readonly anew: boolean
  /** Where a browser signs out there, sealed in what is stored. Default: nowhere. */
  readonly signOut?: string | null
}

/** Where sessions are kept. */
export interface SessionStore {
  /** Stores a new session. */
  create(session: Session, event?: AccountEvent): Promise<void>
  /** The session with this id, or null. */
  find(id: string): Promise<Session | null>
  /** Stores when a session was last used, unless it has been used since: such a write may arrive late. */
  seen(id: string, at: Date): Promise<void>
  /** Stores when a session last wrote. */
  wrote(id: string, at: Date): Promise<void>
  /** Stores another stamp: the user has changed their password, and this session goes on. */
  restamp(id: string, stamp: string): Promise<void>
  /** Stores whether a session stands for a code besides the password. */
  prove(id: string, secondFactor: boolean): Promise<void>
  /** Stores as whom the user of a session looks at the panel; null: as themselves. Returns whether that is another one than before. */
  viewAs(id: string, userId: string | null, event?: AccountEvent): Promise<boolean>
  /** Ends a session, and returns whether there was one: of two simultaneous calls, one ends it. */
  remove(id: string, event?: AccountEvent): Promise<boolean>
  /** The sessions of a user, newest first: 1000 at most, without those that are `pending`. */
  of(userId: string): Promise<readonly Session[]>
  /** Ends every session of a user except one, and returns how many it ended, without those that were `pending`. */
  removeOf(userId: string, except: string | null, event?: AccountEvent): Promise<number>
}

/** The result of using a refresh token. `replayed`: somebody has used it before. */
export type Rotation =
  | { readonly is: 'rotated'; readonly sessionId: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'replayed'; readonly sessionId: string }

/** Where refresh tokens are kept, each by the hash of its text. */
export interface TokenStore {
  /** Stores the hash of a session's first refresh token. */
  add(id: string, sessionId: string, at: Date): Promise<void>
  /**
   * Uses a token up and stores `next` in its place, in one step. Within `grace` milliseconds, a second use counts as a parallel refresh,
   * not as a replay.
   */
  rotate(id: string, next: string, at: Date, grace: number): Promise<Rotation>
}

/** What failed attempts are counted by, and how many are allowed. */
export interface Counted {
  /** What is counted, as text. */
  readonly key: string
  /** The most failures within the window. */
  readonly most: number
}

/** Where failed attempts are counted. */
export interface AttemptStore {
  /**
   * Counts one attempt for each key, unless one of them already has its most within `window` milliseconds. Returns 0, or how many
   * milliseconds to wait.
   */
  take(keys: readonly Counted[], window: number, now: number): Promise<number>
  /** Takes an attempt back that did not fail: drops all failures of `forget`, and the last one of `back`. */
  clear(forget: string, back: string): Promise<void>
}

/** Where users' preferences for a panel are kept, by name: `theme`, `columns:cities`; those of all users together begin with `shared:`. */
export interface PreferenceStore {
  /** All preferences of a user, and those of all users. */
  of(userId: string): Promise<ReadonlyMap<string, Json>>
  /**
   * Stores what is given; null removes a preference. Others stay.
   *
   * @param check refuses that by throwing, from what is kept so far: nobody else with a check changes the same meanwhile
   */
  change(userId: string, changes: ReadonlyMap<string, Json>, check?: (kept: ReadonlyMap<string, Json>) => void): Promise<void>
  /** How often any preference has changed, if preferences are kept in no database. */
  changes?(): number
}

/** A link to set a new password, valid once. */
export interface Reset {
  /** Identifies the link. */
  readonly id: string
  /** The id of the user whose password it sets. */
  readonly userId: string
  /** As `stampOf` makes it: the link is void once the password has changed or the user has been disabled. */
  readonly stamp: string
  /** When the link becomes void in any case. */
  readonly expiresAt: Date
}

/** Where links to set a new password are kept. */
export interface ResetStore {
  /** Stores a link. */
  create(reset: Reset, event?: AccountEvent): Promise<void>
  /** The link with this id, or null. */
  find(id: string): Promise<Reset | null>
  /** Removes a link, and returns whether it was still there: of two simultaneous uses, one succeeds. */
  remove(id: string): Promise<boolean>
}

/** A key by which programs call the panel as a user, as it is stored: without the key itself. */
export interface ApiKey {
  /** The SHA-256 hash of the panel's id and the key. */
  readonly id: string
  /** The id of the user. */
  readonly userId: string
  /** The user's username: if it is another one by now, the key is void. */
  readonly username: string
  /** Of its user, as they were: if they have been disabled since, the key is void. */
  readonly stamp: string
  /** What the user calls it. */
  readonly name: string
  /** How the key begins, to tell it from others. */
  readonly start: string
  /** The roles that it may use, of those that the user has; null: all of them. */
  readonly roles: readonly string[] | null
  /** Whether it may only read. */
  readonly readOnly: boolean
  /** When it was made. */
  readonly createdAt: Date
  /** From when on it is void; null: never. */
  readonly expiresAt: Date | null
  /** The time of a recent request, to about a minute; null: none yet. */
  readonly lastSeenAt: Date | null
}

/** Whom somebody at an OpenID provider is in the panel. */
export interface OpenIdLink {
  /** The provider's issuer: the claim `iss`. */
  readonly issuer: string
  /** Identifies the user at the provider: the claim `sub`. */
  readonly subject: string
  /** The id of the panel's user. */
  readonly userId: string
  /** The user's username: if it is another one by now, the link is void. */
  readonly username: string
  /** When the user first signed in with the provider. */
  readonly createdAt: Date
}

/** Where it is kept whom people at OpenID providers are in the panel. */
export interface OpenIdLinkStore {
  /** The link of somebody at a provider, or null. */
  find(issuer: string, subject: string): Promise<OpenIdLink | null>
  /** Stores a link, unless somebody else at the provider is this user already. Returns whether it did. */
  create(link: OpenIdLink, event?: AccountEvent): Promise<boolean>
  /** The links of a user. */
  of(userId: string): Promise<readonly OpenIdLink[]>
  /** Deletes a link, if it is there. */
  remove(link: Pick<OpenIdLink, 'issuer' | 'subject'>, event?: AccountEvent): Promise<void>
}

/** A passkey of a user, as it is stored: what checks its signatures (WebAuthn Level 3 §4, "credential record"). */
export interface Passkey {
  /** The SHA-256 hash of `site` and `credential`. */
  readonly id: string
  /** The host for which it was made: the relying party's id. Browsers use it nowhere else. */
  readonly site: string
  /** The id of the user. */
  readonly userId: string
  /** The user's username, as it was. */
  readonly username: string
  /** What the authenticator calls the user by: random bytes in base64url, the same for all passkeys of a user. */
  readonly handle: string
  /** What the authenticator calls it by, in base64url. */
  readonly credential: string
  /** The COSE key, in base64url. */
  readonly publicKey: string
  /** How often it has signed, as far as is known; 0: it doesn't count. */
  readonly counter: number
  /** How the browser reaches its authenticator: `internal`, `usb`, … */
  readonly transports: readonly string[]
  /** Whether it may be on several devices, as those of password managers are. */
  readonly synced: boolean
  /** What the user calls it. */
  readonly name: string
  /** When it was added. */
  readonly createdAt: Date
  /** When the user last signed in with it; null: never. */
  readonly lastSeenAt: Date | null
}

/** Where passkeys are kept. */
export interface PasskeyStore {
  /** Stores a new one, unless its user has `most` already, or somebody has this one. Returns whether it did. */
  create(passkey: Passkey, most: number, event?: AccountEvent): Promise<boolean>
  /** The passkey with this id, or null. */
  find(id: string): Promise<Passkey | null>
  /** The passkeys of a user, newest first. */
  of(userId: string): Promise<readonly Passkey[]>
  /**
   * Stores that it was used, and how often it has signed by now, unless it had signed as often already: then there is a copy of it (WebAuthn
   * Level 3 §6.1.1). Many don't count: 0 may follow 0. Returns whether it did.
   */
  used(id: string, counter: number, at: Date): Promise<boolean>
  /** Stores another name. */
  rename(id: string, name: string): Promise<void>
  /** Deletes one, and returns whether it was there. */
  remove(id: string, event?: AccountEvent): Promise<boolean>
  /** Deletes all of a user, and returns how many they were. */
  removeOf(userId: string, event?: AccountEvent): Promise<number>
}

/** Where the API keys of a panel are kept. */
export interface ApiKeyStore {
  /** Stores a new key, unless its user has `most` already. Returns whether it did. */
  create(key: ApiKey, most: number, event?: AccountEvent): Promise<boolean>
  /** The key with this id, or null. */
  find(id: string): Promise<ApiKey | null>
  /** Stores when a key was last used, unless it has been used since. */
  seen(id: string, at: Date): Promise<void>
  /** The keys of a user, newest first; null: those of all users. */
  of(userId: string | null): Promise<readonly ApiKey[]>
  /** Deletes a key, and returns whether it was there. */
  remove(id: string, event?: AccountEvent): Promise<boolean>
}
