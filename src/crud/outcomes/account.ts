// What signing in and the profile end in.
import type { KeptAccountEvent } from '../../auth/account-event.js'
import type { Identity } from '../../auth/identity.js'
import type { OpenIdProvider } from '../../auth/open-id-provider.js'
import type { PasskeyChallenge } from '../../auth/passkey-challenge.js'
import type { Grant } from '../../auth/pipeline.js'
import type { CodesCounted } from '../../auth/second-factor.js'
import type { ApiKey, Passkey, Session } from '../../auth/stores.js'
import type { newOptions, signInOptions } from '../../auth/webauthn.js'
import type { DaymarkError } from '../../base/errors.js'
import type { Resource } from '../../resource/resource.js'
import type { Notification } from '../../store/panel/notifications.js'
import type { PendingOpenId } from '../call/from.js'
import type { Preferences } from '../call/preferences.js'
import type { Theme } from '../call/theme.js'

/** The preferences of a user. */
export interface Preferred {
  /** The kind of outcome. */
  readonly is: 'preferred'
  /** What the user has chosen. */
  readonly chosen: Preferences
  /** Whether a preference has just changed. */
  readonly changed: boolean
  /** The theme that was chosen just now, for the browser to remember: the sign-in page uses it; null: none. */
  readonly theme: Theme | null
  /** The language that was chosen just now, for the browser to remember; null: the choice was taken back. Left out: no change. */
  readonly language?: string | null
  /** The list that was saved under a name just now; null: none. */
  readonly saved: {
    /** The resource of the list. */
    readonly resource: Resource
    /** The query of its URL. */
    readonly query: string
  } | null
}

/** The sign-in page. After a refusal, it holds what the user typed. */
export interface SignIn {
  /** The kind of outcome. */
  readonly is: 'signIn'
  /** What the user typed. */
  readonly username: string
  /** Whether the user asks to be remembered. */
  readonly remember: boolean
  /** Where to go after signing in, as the browser sent it: unchecked. */
  readonly to: string
  /** Why the sign-in was refused; null: it was not. */
  readonly error: DaymarkError | null
}

/** A user has signed in. */
export interface SignedIn {
  /** The kind of outcome. */
  readonly is: 'signedIn'
  /** The user. */
  readonly identity: Identity
  /** The cookie or the tokens; null: the user was signed in before. */
  readonly grant: Grant | null
  /** Where to go next, as the browser sent it: unchecked. */
  readonly to: string
  /** The language that the user has chosen, for this browser to remember. Left out: none. */
  readonly language?: string
  /** How many recovery codes are left, if one was used; else null. */
  readonly codesLeft?: number | null
  /** Wrong codes that came with the user's password before this sign-in; null: none. */
  readonly wrongCodes?: CodesCounted | null
  /** What is left of the sign-ins that the browser has begun at OpenID providers. Left out: nothing has changed. */
  readonly begun?: readonly PendingOpenId[]
  /** What is left of the challenges for passkeys that the browser has. Left out: nothing has changed. */
  readonly challenges?: readonly PasskeyChallenge[]
}

/** The caller looks at the panel as another user from now on, or as themselves again. */
export interface Viewing {
  /** The kind of outcome. */
  readonly is: 'viewing'
  /** As whom; null: as themselves. */
  readonly as: Identity | null
}

/** A browser may ask for a passkey. */
export interface PasskeyAsked {
  /** The kind of outcome. */
  readonly is: 'passkeyAsked'
  /** What it needs for that. */
  readonly options: ReturnType<typeof signInOptions>
  /** What it keeps until it answers. */
  readonly challenges: readonly PasskeyChallenge[]
}

/** A browser may have a passkey made. */
export interface PasskeyBegun {
  /** The kind of outcome. */
  readonly is: 'passkeyBegun'
  /** What it needs for that. */
  readonly options: ReturnType<typeof newOptions>
  /** What it keeps until it answers. */
  readonly challenges: readonly PasskeyChallenge[]
}

/** The passkeys of a user. */
export interface Passkeys {
  /** The kind of outcome. */
  readonly is: 'passkeys'
  /** The passkeys, newest first. */
  readonly passkeys: readonly Passkey[]
  /** The origin of the pages on which they work. */
  readonly origin: string
  /** Whether the user confirms a new one with their password. */
  readonly asksPassword: boolean
  /** The most that a user may have. */
  readonly most: number
  /** The `User-Agent` header, by which a new one may be called. */
  readonly agent: string
  /** The name that the user typed, after a refusal; null: none. */
  readonly typed: string | null
  /** What the call has done; `asks`: whether to remove it; null: nothing. */
  readonly did: { readonly is: 'added' | 'renamed' | 'asks' | 'removed'; readonly passkey: Passkey } | null
  /** What is left of the challenges that the browser has. Left out: nothing has changed. */
  readonly challenges?: readonly PasskeyChallenge[]
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}

/** What a user was told. */
export interface Notifications {
  /** The kind of outcome. */
  readonly is: 'notifications'
  /** One page of them, the newest first. */
  readonly notifications: readonly Notification[]
  /** How many of all are unread. */
  readonly unread: number
  /** The most that a page has. */
  readonly perPage: number
  /** Whether it is the first page. */
  readonly isFirst: boolean
  /** The cursor of the next page; null: it is the last. */
  readonly nextCursor: string | null
}

/** A user opens a notification. */
export interface NotificationOpened {
  /** The kind of outcome. */
  readonly is: 'notification'
  /** As it was before. */
  readonly notification: Notification
}

/** Notifications were marked or deleted. */
export interface NotificationChanged {
  /** The kind of outcome. */
  readonly is: 'notificationChanged'
  /** What was done. */
  readonly did: 'read' | 'unread' | 'deleted'
  /** The one that it was done to, as it is now; null: to all, or where deleted to all that were read. */
  readonly one: Notification | null
}

/** A sign-in with an OpenID provider has begun: the browser goes there. */
export interface OpenIdSentOn {
  /** The kind of outcome. */
  readonly is: 'openIdBegun'
  /** Where the browser has to go. */
  readonly url: string
  /** What it keeps until it comes back. */
  readonly begun: readonly PendingOpenId[]
}

/** The password was right, or an OpenID provider knows the user, who has to give a code, too. After a refusal, with what was wrong. */
export interface CodeAsked {
  /** The kind of outcome. */
  readonly is: 'codeAsked'
  /** The user's username. */
  readonly username: string
  /** What the code has to be sent with. */
  readonly ticket: string
  /** How long the ticket is valid, in seconds. */
  readonly expiresIn: number
  /** Where to go after signing in, as the browser sent it: unchecked. */
  readonly to: string
  /** Why a code was refused; null: none was. */
  readonly error: DaymarkError | null
  /** What is left of the sign-ins that the browser has begun at OpenID providers. Left out: nothing has changed. */
  readonly begun?: readonly PendingOpenId[]
}

/** The user has to set up two-factor sign-in before anything else. */
export interface Limited {
  /** The kind of outcome. */
  readonly is: 'limited'
  /** What is wrong: nothing but that. */
  readonly error: DaymarkError
}

/** The two-factor sign-in of a user: on, or what is needed to set it up. */
export interface TwoFactorShown {
  /** The kind of outcome. */
  readonly is: 'twoFactor'
  /** The user's username. */
  readonly username: string
  /** Null: it is off. */
  readonly on: {
    /** When it was turned on. */
    readonly since: Date
    /** How many recovery codes are left. */
    readonly codesLeft: number
    /** Wrong codes that came with the user's password, since the last sign-in or before it; null: none. */
    readonly wrongCodes: CodesCounted | null
  } | null
  /** Whether the user must have it on. */
  readonly required: boolean
  /** Whether the user can do nothing else yet. */
  readonly limited: boolean
  /** Whether the user has to give the password to turn it on. */
  readonly asksPassword: boolean
  /** The provider at which a user without a password has to confirm it first; null: there is nothing to confirm. */
  readonly confirmsAt: OpenIdProvider | null
  /** A secret for an authenticator app; null: it is on, or has just been turned off. */
  readonly setUp: {
    /** In base32. */
    readonly secret: string
    /** What a QR code for the app says. */
    readonly uri: string
    /** That QR code: whether each square is dark, by row. */
    readonly squares: readonly (readonly boolean[])[]
  } | null
  /** What the call has done: turned it on or off, or made new recovery codes; null: nothing. */
  readonly did: 'on' | 'off' | 'codes' | null
  /** The code that the user typed, after a refusal for another reason; else empty. */
  readonly typed: string
  /** New recovery codes, which are shown just this once; empty: none. */
  readonly codes: readonly string[]
  /** Where to go next, as the browser sent it: unchecked. */
  readonly to: string
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}

/** The API keys of a user. */
export interface ApiKeys {
  /** The kind of outcome. */
  readonly is: 'apiKeys'
  /** The keys, newest first, with whether each is still good. */
  readonly keys: readonly (ApiKey & { readonly valid: boolean })[]
  /** Whether the user confirms a new one with their password. */
  readonly asksPassword: boolean
  /** The provider at which a user without a password has to confirm it first; null: there is nothing to confirm. */
  readonly confirmsAt: OpenIdProvider | null
  /** The most days that a new one may be valid; null: it may be for ever. */
  readonly mostDays: number | null
  /** How many days a new one is valid, unless others are asked for. */
  readonly usualDays: number
  /** The user's roles, to which a key may be limited. */
  readonly roles: readonly string[]
  /** What the user typed, after a refusal; null: nothing. */
  readonly typed: { readonly name: string; readonly days: string; readonly readOnly: boolean; readonly roles: readonly string[] } | null
  /** What the call has done: made a key, whose text is shown just this once, or deleted one; `asks`: whether to delete it; null: nothing. */
  readonly did:
    | { readonly is: 'made'; readonly key: ApiKey & { readonly valid: boolean }; readonly text: string }
    | { readonly is: 'asks' | 'deleted'; readonly key: ApiKey }
    | null
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}

/** A refresh token was exchanged. */
export interface Refreshed {
  /** The kind of outcome. */
  readonly is: 'refreshed'
  /** The new tokens. */
  readonly grant: Grant
}

/** One session or several have ended. */
export interface SignedOut {
  /** The kind of outcome. */
  readonly is: 'signedOut'
  /** Whether the session that asked has ended, too. */
  readonly self: boolean
  /** How many sessions have ended. */
  readonly count: number
  /** The OpenID provider where the browser has to sign out, too; null: at none. */
  readonly onward: { readonly label: string; readonly url: string } | null
}

/** The profile of a user. */
export interface Profile {
  /** The kind of outcome. */
  readonly is: 'profile'
  /** The user. */
  readonly identity: Identity
  /** The user's IANA time zone; null: the panel's. */
  readonly timeZone: string | null
  /** The user's sessions. */
  readonly sessions: readonly Session[]
  /** The last sign-ins of the user, and those that failed; null: they are not kept. */
  readonly signIns: readonly KeptAccountEvent[] | null
  /** The id of the session that asks; null: none. */
  readonly current: string | null
  /** What the user can change. */
  readonly editable: {
    /** Whether they can change their name. */
    readonly name: boolean
    /** Whether they can change their password. */
    readonly password: boolean
    /** Whether they can change their time zone. */
    readonly timeZone: boolean
  }
  /** Whether two-factor sign-in is on; null: the user cannot have it. */
  readonly twoFactor: boolean | null
  /** How many passkeys the user has; null: the user may have none. */
  readonly passkeys: number | null
  /** How many API keys the user has; null: the user may have none. */
  readonly apiKeys: number | null
  /** What the user typed, after a refusal. */
  readonly typed: Readonly<Record<string, string>>
  /** Why a change was refused; null: it was not. */
  readonly error: DaymarkError | null
  /** Whether something has just changed. */
  readonly changed: boolean
  /** The new cookie of the session. Left out: it keeps the one that it has. */
  readonly grant?: Extract<Grant, { is: 'session' }>
}

/** A link to set a new password: its form, or that it is done. */
export interface ResetPassword {
  /** The kind of outcome. */
  readonly is: 'reset'
  /** The user's username. */
  readonly username: string
  /** Whether the password has been set. */
  readonly done: boolean
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}

/** Who has forgotten their password: the form that asks, or that a link is on its way if there is such a user. */
export interface Forgot {
  /** The kind of outcome. */
  readonly is: 'forgot'
  /** The username that was typed. */
  readonly username: string
  /** Whether a link was asked for. */
  readonly sent: boolean
  /** Why it was refused; null: it was not. */
  readonly error: DaymarkError | null
}
