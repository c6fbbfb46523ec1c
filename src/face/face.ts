import type { Identity } from '../auth/identity.js'
import type { PasskeyChallenge } from '../auth/passkey-challenge.js'
import type { Realm } from '../crud/call/call.js'
import type { PendingOpenId } from '../crud/call/from.js'
import type { Query } from '../crud/call/input.js'
import type { Preferences } from '../crud/call/preferences.js'
import type { Theme } from '../crud/call/theme.js'
import type { Wants } from '../crud/call/wants.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import type { MenuEntry } from '../crud/pages/menu.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import type { Place } from '../route/url.js'
import type { Brand } from './brand.js'
import type { View } from './view.js'

/** A reply, before it becomes HTTP. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null
  /** Depends on the request and the database alone, so the same request gets the same reply until the database changes. */
  readonly stays?: boolean
  /** Contains what its ETag does not cover, so it is sent even to a caller who has that ETag. */
  readonly more?: boolean
  /** Sends some of its bytes, from `first` to `last`, both included. */
  readonly parts?: { readonly size: number; of(first: number, last: number): AsyncIterable<Uint8Array> }
  /** A message to show once, on the next page. */
  readonly flash?: Flash
  /** A theme for this browser to remember. */
  readonly theme?: Theme
  /** A language of the panel for this browser to remember; null: to forget the one that it has. */
  readonly language?: string | null
  /** The cookie of a new session; null: the session ends. */
  readonly session?: { readonly value: string; readonly maxAge: number | null } | null
  /** The sign-ins at OpenID providers that the browser has begun, to be kept by it. */
  readonly begun?: readonly PendingOpenId[]
  /** The challenges for passkeys that the browser has, to be kept by it. */
  readonly challenges?: readonly PasskeyChallenge[]
  /** Additions to this page's Content-Security-Policy, by directive. */
  readonly policy?: Readonly<Record<string, string>>
  /** The `Set-Cookie` headers, made from the members above. */
  readonly cookies?: readonly string[]
  /** What the request was about, where somebody is told of answered requests. */
  readonly about?: RequestInfo
}

/** What a request was about, in names that are declared. */
export interface RequestInfo {
  readonly route: string | null
  readonly path: string | null
  readonly resource: string | null
  readonly face: 'json' | 'html'
  readonly userId: string | null
}

/** A message of the catalogue and its parameters: a key, never text from a URL. */
export interface Flash {
  readonly message:
    | 'action.said'
    | 'action.done'
    | 'record.created'
    | 'record.savedOne'
    | 'record.deleted'
    | 'record.deletedOne'
    | 'record.deletedMany'
    | 'import.done'
    | 'profile.saved'
    | 'signIn.ended'
    | 'signIn.outMany'
    | 'apiKey.deleted'
    | 'comment.added'
    | 'comment.saved'
    | 'comment.deleted'
    | 'notification.readDone'
    | 'notification.unreadDone'
    | 'notification.deleted'
    | 'notification.readDeleted'
    | 'passkey.added'
    | 'passkey.renamed'
    | 'passkey.removed'
    | 'twoFactor.codeUsed'
    | 'twoFactor.turnedOff'
    | 'twoFactor.wrongBefore'
  readonly fill: Readonly<Record<string, string | number>>
  /** Default `success`. */
  readonly tone?: 'success' | 'info' | 'warning' | 'error'
  /** The trash from which records that were just deleted can be restored, their keys (none: too many to name), and a one-time key. */
  readonly undo?: { readonly trash: string; readonly keys: readonly string[]; readonly once: string } | undefined
}

/** What a full HTML page needs besides its record. */
export interface Shell {
  /** The resources that the caller may list. */
  readonly menu: readonly Resource[]
  /** The menu, as the caller sees it. */
  readonly lines: readonly MenuEntry[]
  readonly theme: Theme
  /** Whether this browser remembers a collapsed menu, and in which cookie; null without cookies. */
  readonly rail: { readonly on: boolean; readonly cookie: string } | null
  /** The caller's preferences. */
  readonly preferences: Preferences
  readonly flash: Flash | null
  /** The token for this page's forms; null if they need none. */
  readonly csrf: string | null
  /** Who is looking as the caller; null: the caller. */
  readonly viewedBy: string | null
  /** The local path of the page the request came from; null: it does not say. */
  readonly back: string | null
}

/** The context of a presenter. */
export interface PresenterContext {
  readonly realm: Realm
  readonly place: Place
  /** Null if nobody is signed in. */
  readonly identity: Identity | null
  readonly route: Route | null
  /** Whether the request only reads. */
  readonly reads: boolean
  /** The path of the request, with the mount. */
  readonly path: string
  /** The path with its query, as in the URL. */
  readonly target: string
  readonly query: Query
  /** Set for a component with parameters of its own: `query` then holds those, and `within` the page's. */
  readonly within?: { readonly name: string; readonly query: Query }
  readonly requestId: string
  readonly brand: Brand
  /** Page views, by name. */
  readonly views: ReadonlyMap<string, View>
  /** The URL of a plugin's asset; null if no plugin has one of that name. */
  assetUrl(file: string): string | null
  /** Null for JSON. */
  readonly shell: Shell | null
}

/** How a face presents each kind of Outcome; a missing kind does not compile. Synchronous, since a presenter never queries. */
export type Presenter = { readonly [K in Outcome['is']]: (outcome: Extract<Outcome, { is: K }>, around: PresenterContext) => Reply }

/** A face: a media type, what it wants fetched, and its presenter. */
export interface Face {
  readonly name: 'json' | 'html'
  wants(route: Route): Wants
  readonly present: Presenter
  /** Serves an asset: `/assets/{hash}/{file}`. */
  asset?(hash: string, file: string, acceptEncoding: string, brand: Brand): Reply | null
}

/** Presents an Outcome in a face. */
export function present(face: Face, outcome: Outcome, around: PresenterContext): Reply {
  // The cast is safe: the key is the outcome's own `is`, but TypeScript cannot correlate the two through the union.
  const say = face.present[outcome.is] as (outcome: Outcome, around: PresenterContext) => Reply
  return say(outcome, around)
}
