import type { Account, UserSource } from './account.js'
import type { AccountEvent, AccountWay } from './account-event.js'
import type { Identity } from './identity.js'
import type { OpenIdProvider } from './open-id-provider.js'
import type { RelyingParty } from './relying-party.js'
import type {
  ApiKeyStore,
  AttemptStore,
  OpenIdLinkStore,
  OpenIdSignIn,
  PasskeyStore,
  PreferenceStore,
  ResetStore,
  SessionStore,
  TokenStore,
} from './stores.js'
import type { TwoFactor, TwoFactorOptions } from './two-factor.js'

/** How long sessions last, in seconds. */
export interface SessionSettings {
  /** Without a request. */
  readonly idle: number
  /** In any case. */
  readonly absolute: number
  /** Both times for users who asked to be remembered. */
  readonly remembered: {
    /** Without a request. */
    readonly idle: number
    /** In any case. */
    readonly absolute: number
  }
  /** Whether users on other machines can sign in over plain http. */
  readonly allowInsecure: boolean
}

/** What `identify`, `signIn` and `refresh` get from the panel. */
export interface Services {
  /** The panel's `id`. */
  readonly panel: string
  /** The users. */
  readonly users: UserSource
  /** The sessions. */
  readonly sessions: SessionStore
  /** The refresh tokens. */
  readonly tokens: TokenStore
  /** The API keys. */
  readonly apiKeys: ApiKeyStore
  /** The failed attempts to sign in. */
  readonly attempts: AttemptStore
  /** The links to set a new password. */
  readonly resets: ResetStore
  /** The users' preferences. */
  readonly preferences: PreferenceStore
  /** Whom people at OpenID providers are here. */
  readonly openIdLinks: OpenIdLinkStore
  /** The OpenID providers that users can sign in with. */
  readonly openIds: readonly OpenIdProvider[]
  /** The users' passkeys. */
  readonly passkeys: PasskeyStore
  /** For what passkeys are made, and where; null: the panel takes none. */
  readonly relyingParty: RelyingParty | null
  /** The settings of `session()`; null if it is not among the `middleware`. */
  readonly session: SessionSettings | null
  /** The settings of two-factor sign-in; null: no user of the panel can have it. */
  readonly twoFactor: TwoFactor | null
  /** Whether a user may look at the panel as another one; null: nobody may. */
  readonly viewAs: ((user: Identity, as: Identity) => boolean) | null
}

/** A recognised user, with what is known about the request. An `identify` returns it to say more than an `Identity`. */
export interface Visitor {
  /** The user. */
  readonly identity: Identity
  /** The id of the session; null: none, such as with an API key. */
  readonly session: string | null
  /** Whether browsers send the credential by themselves, as they do a cookie. Forms then need the session's token. */
  readonly ambient: boolean
  /** An IANA time zone; null: the panel's `timeZone`. */
  readonly timeZone: string | null
  /** When the session last wrote, if that is known. */
  readonly wroteAt?: Date | null
  /**
   * Lets the panel skip `identify` for repeated requests, in milliseconds since 1970: until then, the same request comes from the same
   * visitor as long as nothing in the panel's database changes. Default: `identify` is called for every request.
   */
  readonly until?: number
  /** Whether the user has to set up two-factor sign-in before anything else. Default: `false`. */
  readonly limited?: boolean
  /** Whether the caller may only read: whatever is no GET or HEAD is refused, even what is open to anybody. Default: `false`. */
  readonly readOnly?: boolean
  /** Who is looking, where somebody looks at the panel as the user. Default: the user. */
  readonly viewedBy?: Identity
  /**
   * Whether the caller can change the account itself: name, password, sessions, two-factor sign-in, API keys. Default: `true`, for users
   * who are in the panel's table of users or in `users`.
   */
  readonly manages?: boolean
}

/** The settings of `apiKeys()`. */
export interface ApiKeySettings {
  /** The roles whose users may have keys; null: everybody who signs in. */
  readonly roles: readonly string[] | null
  /** The most days that a key is valid; null: it may be valid for ever. */
  readonly mostDays: number | null
}

/** What a sign-in returns: the value of a cookie, or tokens. */
export type Grant =
  | {
      readonly is: 'session'
      /** The value of the cookie. */
      readonly value: string
      /** How long the browser keeps the cookie, in seconds; null: until it is closed. */
      readonly maxAge: number | null
      /** The id of the new session. */
      readonly id: string
    }
  | {
      readonly is: 'tokens'
      /** The access token. */
      readonly token: string
      /** How long the access token is valid, in seconds. */
      readonly expiresIn: number
      /** Works once, to get the next pair. */
      readonly refreshToken: string
    }

/** What a sign-in knows besides the user. */
export interface SignInContext {
  /** Whether the user asked to be remembered. */
  readonly remember: boolean
  /** The request's `User-Agent` header. */
  readonly agent: string
  /** Whether the user has given a code, too. */
  readonly secondFactor: boolean
  /** How they sign in with an OpenID provider. Default: not with one. */
  readonly openId?: OpenIdSignIn | null
  /** The id of the passkey that they sign in with. Default: not with one. */
  readonly passkey?: string | null
  /** What is kept of the sign-in, with the session. Default: nothing. */
  readonly event?: AccountEvent
}

/** A request without its body. A web `Request` is one. */
export interface RequestHead {
  /** The HTTP method. */
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  /** Looked up by name, in lower case. */
  readonly headers: Pick<Headers, 'get' | 'has'>
}

/** Identifies who sends a request. Your own is a plain object with `name`, `cookies` and `identify`. */
export interface Authenticator {
  /** Its name, such as `api-key`. */
  readonly name: string
  /** Whether it reads or sets cookies. If none does, the panel never touches a cookie. */
  readonly cookies: boolean
  /**
   * Whether its answer, null included, depends only on the request and the panel's database, so that it stays the same while nothing there
   * changes. Default: `false`, and users of later pipelines are identified on every request.
   */
  readonly stays?: boolean
  /**
   * Returns who sends the request, or null. An `Identity` alone is a user without a session.
   *
   * @param cookie the value of the panel's session cookie, or null
   */
  identify?(request: RequestHead, services: Services, cookie: string | null): Identity | Visitor | null | Promise<Identity | Visitor | null>
  /**
   * Returns how a request meant to be recognised that nobody has recognised, for the events of accounts; null: not by this. Default: null.
   */
  meant?(request: RequestHead): AccountWay | null
  /** Returns what is wrong with the settings, which stops the start; null: nothing. */
  check?(): {
    /** Identifies the check, such as `jwt-secret`. */
    readonly id: string
    /** What is wrong, and what to do. */
    readonly text: string
  } | null
}

/** Runs before every request, such as `session()`. */
export interface Middleware extends Authenticator {
  /** The settings of sessions, if it keeps them. */
  readonly session?: SessionSettings
}

/** A way to sign in, such as `password()`, or to be recognised, such as by an API key. */
export interface Pipeline extends Authenticator {
  /** The settings of API keys, if it takes them. */
  readonly apiKeys?: ApiKeySettings
  /** The OpenID provider, if it is the way to sign in with one. */
  readonly openId?: OpenIdProvider
  /** Whether users can sign in with passkeys. Default: `false`. */
  readonly passkeys?: boolean
  /** Whether a cookie keeps the sign-in, so that it needs `session()`. Default: `false`. */
  readonly needsSession?: boolean
  /** Signs in a user whose password was right, and whose code, if there has to be one. */
  signIn?(account: Account, services: Services, context: SignInContext): Promise<Grant>
  /**
   * Returns new tokens for a refresh token; null if it is not valid.
   *
   * @param usedTwice hears whose token it is, if somebody has used it before
   */
  refresh?(token: string, services: Services, usedTwice?: (user: Identity) => void): Promise<Grant | null>
}

/** What callers get who are not signed in: see `authenticate()` and `authenticateApi()` of `daymark/jwt`. */
export interface AuthMiddleware {
  /** Its name. */
  readonly name: string
  /**
   * `Session`: a redirect to the sign-in page. `Bearer`: a 401 that asks for a token. JSON gets a 401 with this `WWW-Authenticate` either
   * way (RFC 9110 §11.6.1).
   */
  readonly challenge: 'Session' | 'Bearer'
}

/**
 * Who may look at the panel as which other user. Role names: users with one of them, as users with none of them. Name the roles that see
 * everything anyway, or decide by a function, synchronously: whoever looks as somebody sees all that they see.
 */
export type ViewAs =
  | readonly string[]
  | ((who: {
      /** The user who asks. */
      readonly user: Identity
      /** The user whom they want to look as. */
      readonly as: Identity
    }) => boolean)

/** How users sign in to a panel. */
export interface AuthSettings {
  /** What callers get who are not signed in: `authenticate()` or `authenticateApi()`. */
  readonly middleware: AuthMiddleware
  /** The ways to sign in and to be recognised, in order: the first that knows a caller decides. */
  readonly pipelines: readonly Pipeline[]
  /** Who must give a code besides the password. `false`: nobody can. Default: users who turn it on for themselves. */
  readonly twoFactor?: TwoFactorOptions | false
  /** Who may look at the panel as another user, and change nothing meanwhile. Needs `session()`. Default: nobody. */
  readonly viewAs?: ViewAs
}

/** The auth of a running panel. */
export interface Auth {
  readonly services: Services
  readonly challenge: 'Session' | 'Bearer'
  /** `challenge` and what else would do, for `WWW-Authenticate`. */
  readonly challenges: string
  /** Asked in this order; the first that recognises the caller decides. */
  readonly authenticators: readonly Authenticator[]
  /** The pipeline that accepts a username and a password; null: none. */
  readonly signsIn: Pipeline | null
  /** Whether users sign in at the panel, with a password or at an OpenID provider. */
  readonly hasSignIn: boolean
  /** The pipeline that accepts a refresh token; null: none. */
  readonly refreshes: Pipeline | null
  /** The settings of API keys; null: the panel takes none. */
  readonly apiKeys: ApiKeySettings | null
}

/**
 * Sends callers who are not signed in to the sign-in page; JSON gets a 401 with `WWW-Authenticate: Session`. The default of
 * `auth.middleware`.
 */
export function authenticate(): AuthMiddleware {
  return Object.freeze({ name: 'authenticate', challenge: 'Session' })
}

/** Turns the result of `identify` into a Visitor. */
export function visitorOf(known: Identity | Visitor): Visitor {
  return 'identity' in known ? known : { identity: known, session: null, ambient: false, timeZone: null }
}
