import type { Identity } from '../auth/identity.js'
import type { Query, Realm, Wants } from '../crud/call.js'
import type { Chosen } from '../crud/chosen.js'
import type { MenuEntry } from '../crud/menu.js'
import type { Outcome } from '../crud/outcome.js'
import type { Theme } from '../crud/theme.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import type { Place } from '../route/url.js'
import type { Brand } from './brand.js'
import type { View } from './view.js'

/** An answer, before it becomes HTTP. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<string> | null
  /** Made of nothing but the request and what the database holds: the same request is told the same while nothing there has changed. */
  readonly stays?: boolean
  /** Said once, on the next page. */
  readonly flash?: Flash
  /** Remembered by this browser. */
  readonly theme?: Theme
  /** The cookie of a session that begins; null: of one that ends. */
  readonly session?: { readonly value: string; readonly maxAge: number | null } | null
  /** What the policy of this one page allows besides, by directive. */
  readonly policy?: Readonly<Record<string, string>>
  /** The `Set-Cookie` headers, which the door makes of these. */
  readonly cookies?: readonly string[]
}

/** A message of the catalogue with what fills it: a code, never text from a URL. */
export interface Flash {
  readonly message:
    | 'action.said'
    | 'action.done'
    | 'record.created'
    | 'record.savedOne'
    | 'record.deleted'
    | 'record.deletedOne'
    | 'record.deletedMany'
    | 'profile.saved'
    | 'signIn.ended'
    | 'signIn.outMany'
  readonly fill: Readonly<Record<string, string | number>>
  /** Default `success`. */
  readonly tone?: 'success' | 'info' | 'warning' | 'error'
}

/** What a whole HTML page needs besides its record. */
export interface Shell {
  /** What the caller may list. */
  readonly menu: readonly Resource[]
  /** The menu as the caller sees it. */
  readonly lines: readonly MenuEntry[]
  readonly theme: Theme
  /** Whether this browser remembers a small menu, and by which cookie; null where none is read. */
  readonly rail: { readonly on: boolean; readonly cookie: string } | null
  /** What the caller has chosen for the panel. */
  readonly chosen: Chosen
  readonly flash: Flash | null
  /** The token of this page's forms; null where no cookie makes one needed. */
  readonly csrf: string | null
  /** The local path that the request came from; where there is none, the panel's first page. */
  readonly back: string
}

/** What a presenter may know besides the Outcome. */
export interface Around {
  readonly realm: Realm
  readonly place: Place
  /** Null where nobody is signed in. */
  readonly identity: Identity | null
  readonly route: Route | null
  /** Whether a page was asked for, rather than something done. */
  readonly reads: boolean
  /** The path as it was asked for, with the mount. */
  readonly path: string
  /** The path with its query, as it stands in the address. */
  readonly target: string
  readonly query: Query
  /** Set for a component of a page: `query` is its own then, and `within` the page's. */
  readonly within?: { readonly name: string; readonly query: Query }
  readonly requestId: string
  readonly brand: Brand
  /** Pages that are shown by their name. */
  readonly views: ReadonlyMap<string, View>
  /** The URL of a plugin's asset; null where no plugin has one of that name. */
  assetUrl(file: string): string | null
  /** Null in API mode. */
  readonly shell: Shell | null
}

/** How a face says each Outcome. One that is forgotten does not compile. Synchronous: a presenter never queries. */
export type Presenter = { readonly [K in Outcome['is']]: (outcome: Extract<Outcome, { is: K }>, around: Around) => Reply }

/** A face: a media type, what it wants fetched, and its presenter. */
export interface Face {
  readonly name: 'json' | 'html'
  wants(route: Route): Wants
  readonly present: Presenter
  /** A file of its own: `/assets/{hash}/{file}`. */
  asset?(hash: string, file: string, acceptEncoding: string, brand: Brand): Reply | null
}

/** Says an Outcome in a face. */
export function present(face: Face, outcome: Outcome, around: Around): Reply {
  // The table is keyed by the very `is` that the Outcome has; TypeScript cannot follow that through the union.
  const say = face.present[outcome.is] as (outcome: Outcome, around: Around) => Reply
  return say(outcome, around)
}
