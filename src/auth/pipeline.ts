import type { Account, AttemptStore, Identity, PreferenceStore, ResetStore, SessionStore, TokenStore, UserSource } from './identity.js'

/** How long sessions last, in seconds. */
export interface SessionSettings {
  /** Without a request. */
  readonly idle: number
  /** In all. */
  readonly absolute: number
  /** Both of them where the user asked to be remembered. */
  readonly remembered: { readonly idle: number; readonly absolute: number }
  /** Whether a cookie may travel over plain http beyond this machine. */
  readonly allowInsecure: boolean
}

/** What a panel gives its authenticators. */
export interface Services {
  /** The id of the panel. */
  readonly panel: string
  readonly users: UserSource
  readonly sessions: SessionStore
  readonly tokens: TokenStore
  readonly attempts: AttemptStore
  readonly resets: ResetStore
  readonly preferences: PreferenceStore
  /** Null where no middleware keeps sessions. */
  readonly session: SessionSettings | null
}

/** Somebody who was recognised. */
export interface Visitor {
  readonly identity: Identity
  /** The session that it came by; null: none, such as an API key. */
  readonly session: string | null
  /** Whether a browser sends it by itself, so that a form needs its token. */
  readonly ambient: boolean
  /** An IANA time zone; null: the panel's. */
  readonly timeZone: string | null
  /** When its session last wrote, where that is known. */
  readonly wroteAt?: Date | null
  /** Until when the same request comes from the same visitor as long as nothing in the panel's database changes, in milliseconds since 1970; without it each is asked anew. */
  readonly until?: number
}

/** What a sign-in gives: a cookie, or tokens. */
export type Grant =
  | {
      readonly is: 'session'
      readonly value: string /** Seconds; null: until the browser is closed. */
      readonly maxAge: number | null
      readonly id: string
    }
  | { readonly is: 'tokens'; readonly token: string /** Seconds. */; readonly expiresIn: number; readonly refreshToken: string }

/** What a sign-in knows besides who it is. */
export interface SignInContext {
  readonly remember: boolean
  readonly agent: string
}

/** What tells who sends a request: anything of it but its body. A web Request is one. */
export interface RequestHead {
  readonly method: string
  /** Absolute. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Pick<Headers, 'get' | 'has'>
}

/** Tells who sends a request. Plain data and functions: a way of one's own is an object with `identify`. */
export interface Authenticator {
  readonly name: string
  /** Whether it reads or sets cookies: if none does, no cookie is ever touched. */
  readonly cookies: boolean
  /** Whether it says the same of the same request while nothing in the panel's database changes, that it knows nobody included. Default: it is asked each time. */
  readonly stays?: boolean
  /**
   * Who sends this request, or null. An Identity alone is somebody without a session.
   *
   * @param cookie the value of the panel's session cookie
   */
  identify?(request: RequestHead, services: Services, cookie: string | null): Identity | Visitor | null | Promise<Identity | Visitor | null>
  /** What is wrong with its settings, for the start to say; null: nothing. */
  check?(): { readonly id: string; readonly text: string } | null
}

/** What stands before every request, such as `session()`. */
export interface Middleware extends Authenticator {
  readonly session?: SessionSettings
}

/** A way to sign in or to be recognised. */
export interface Pipeline extends Authenticator {
  /** Whether a sign-in is kept by a cookie, and so needs `session()`. */
  readonly needsSession?: boolean
  signIn?(account: Account, services: Services, context: SignInContext): Promise<Grant>
  /** New tokens for a refresh token; null: it is not good. */
  refresh?(token: string, services: Services): Promise<Grant | null>
}

/** What those who are not signed in get: the way to a form (`Session`), or the word that tokens are taken here (`Bearer`). */
export interface AuthMiddleware {
  readonly name: string
  readonly challenge: 'Session' | 'Bearer'
}

/** Who may come into a panel, and how. */
export interface AuthSettings {
  readonly middleware: AuthMiddleware
  readonly pipelines: readonly Pipeline[]
}

/** The auth of a running panel. */
export interface Auth {
  readonly services: Services
  readonly challenge: 'Session' | 'Bearer'
  /** Asked in their order; the first that knows somebody decides. */
  readonly authenticators: readonly Authenticator[]
  /** The pipeline that takes a username and a password; null: none does. */
  readonly signsIn: Pipeline | null
  /** The pipeline that takes a refresh token; null: none does. */
  readonly refreshes: Pipeline | null
}

/** Users sign in on a page, by `password()`. */
export function authenticate(): AuthMiddleware {
  return Object.freeze({ name: 'authenticate', challenge: 'Session' })
}

/** What an authenticator gave, as a Visitor. */
export function visitorOf(known: Identity | Visitor): Visitor {
  return 'identity' in known ? known : { identity: known, session: null, ambient: false, timeZone: null }
}
