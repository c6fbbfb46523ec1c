import type { Identity } from '../auth/identity.js'
import type { Auth } from '../auth/pipeline.js'
import type { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Bound } from '../field/field.js'
import type { ScopedStore, StoreOf } from '../resource/action.js'
import type { Links } from '../resource/check.js'
import type { Condition } from '../resource/condition.js'
import type { MenuLine } from '../resource/menu.js'
import type { Page } from '../resource/own-page.js'
import type { Policies } from '../resource/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Method } from '../route/routes.js'
import type { Order, Store } from '../store/store.js'
import type { Chosen } from './chosen.js'
import type { Fate } from './fate.js'
import type { Jobs } from './jobs.js'
import type { Once } from './once.js'

/** The ways of an action or a hook to records, as its caller may see and change them. */
export interface ScopedStores {
  /** To those of the resource itself. */
  own(call: Call, fate: Fate, readOnly: boolean): ScopedStore<Record<string, unknown>, Record<string, unknown>>
  /** To those of any resource. */
  of(call: Omit<Call, 'resource' | 'preset'>, fate: Fate, readOnly: boolean): StoreOf
}

/** What every call of a panel shares. Frozen at start-up. */
export interface Realm {
  readonly resources: ReadonlyMap<string, Resource>
  /** The panel's own pages, by their URI. */
  readonly pages: ReadonlyMap<string, Page>
  /** The panel's first page; null: where one can go. */
  readonly home: Page | null
  /** As it was declared; null: what there is, in its order. */
  readonly menu: readonly MenuLine[] | null
  /** What plugins add to it. */
  readonly moreMenu: readonly MenuLine[]
  readonly links: Links
  readonly can: Policies
  readonly t: Translate
  readonly locale: string
  readonly timeZone: string
  storeOf(resource: Resource): Store
  /** The panel's own database; where it has none, that of its first resource. */
  readonly store: Store
  /** Where lists may be read by whoever has not written for so many seconds; null: where all else is. */
  readonly replica: { readonly after: number; storeOf(resource: Resource): Store } | null
  /** Creates that a form already made, by its one-time key. */
  readonly once: Once
  readonly jobs: Jobs
  readonly auth: Auth
  /** Here, since a hook writes through what hooks run in. */
  readonly scoped: ScopedStores
}

/** The query parameters, in their order; null-safe, since names come from outside. */
export type Query = ReadonlyMap<string, readonly string[]>

/** A body as it was read: JSON values, or the texts of a form. Names that begin with `_` in a form are the panel's: they stand in `panel`. */
export type Body =
  | { readonly from: 'none' }
  | { readonly from: 'json'; readonly fields: ReadonlyMap<string, unknown> }
  | {
      readonly from: 'form'
      readonly fields: ReadonlyMap<string, readonly string[]>
      readonly panel: ReadonlyMap<string, readonly string[]>
    }

/** Versions that a caller names: `'*'` is any, if the record exists. */
export type Versions = '*' | readonly string[] | null

export interface Input {
  /** The method that was meant: of the request, or of the form. */
  readonly method: Method
  readonly query: Query
  /** The text of `{resourceItem}`. */
  readonly key: string | null
  readonly body: Body
  /** The versions that the caller accepts: `If-Match`, or a form's `_version`. */
  readonly ifMatch: Versions
  /** Those that the caller does not: `If-None-Match` of what writes. */
  readonly ifNoneMatch: Versions
  /** The page that it is on, or comes from; null: none that is known. */
  readonly page?: { readonly uri: string; readonly resourceUri: string | null } | null
  /** Path parameters besides the resource and the record: `pageUri`, `field`. */
  readonly params?: ReadonlyMap<string, string>
}

/** What a page says of a list or a form of a resource that stands on it. */
export interface Preset {
  /** Of the component: its parameters and ids carry it. Null: the list is what the page is for. */
  readonly name: string | null
  readonly title: string | null
  /** Null: those of the resource's page. */
  readonly fields: readonly string[] | null
  readonly where: Condition
  readonly sort: readonly Order[] | null
  readonly perPage: number | null
  /** The first so many, without further pages. */
  readonly limit: number | null
  readonly async: boolean
  /** The record that all of the list belong to, and by which field. */
  readonly of?: { readonly field: Bound; readonly key: string }
}

/** The part of a page that is asked for: a component by its name, or one row of it. */
export interface PartAsked {
  readonly name: string
  /** The text of a record's key; null: the whole component. */
  readonly key: string | null
  /** The number that the row has on the page. */
  readonly rowNumber: number
}

/** What the answer will show, filled by the route and the face: a verb fetches what is asked for and nothing more. */
export interface Wants {
  readonly view: 'index' | 'detail' | 'form'
  /** Whether row callbacks (`trAttributes`, `display`) run, which get every column. */
  readonly wholeRows: boolean
  /** Whether relations are shown by their labels. */
  readonly labels: boolean
  /** Whether an unknown or wrong query parameter refuses the call, or is left aside and said. */
  readonly strict: boolean
  /** Whether the answer goes on while something happens. */
  readonly stream: boolean
  /** The version of a single record. */
  readonly version: boolean
  /** Whether the answer depends on what the caller has chosen for the panel. */
  readonly chosen: boolean
  /** The lists of what belongs to a record. */
  readonly belonging: boolean
  /** Whether what can be asked for later is left for then. */
  readonly deferred: boolean
}

/** Who sent a request, as far as the wire tells. */
export interface From {
  /** The network address; empty where nobody knows it. */
  readonly address: string
  readonly agent: string
  /** The session by which somebody is signed in. */
  readonly session: string | null
  /** Whether a browser would keep the session's cookie to itself on the way. */
  readonly keepsCookies: boolean
}

/** What a verb gets that serves people before they are signed in, too. */
export interface GuestCall extends Omit<PanelCall, 'identity'> {
  readonly identity: Identity | null
}

/** What a verb of the whole panel gets. */
export interface PanelCall {
  readonly identity: Identity
  readonly from: From
  readonly realm: Realm
  readonly input: Input
  readonly wants: Wants
  readonly chosen: Chosen
  /** When waiting for the writer ends, in milliseconds of `performance.now()`. */
  readonly until: number
}

/** What a verb gets: who asks, for what, and where the records are. No request, no face. */
export interface Call {
  readonly identity: Identity
  readonly realm: Realm
  readonly resource: Resource
  readonly store: Store
  readonly input: Input
  readonly wants: Wants
  /** What the caller has chosen, where pages are drawn by it. */
  readonly chosen: Chosen
  /** When waiting for the writer ends, in milliseconds of `performance.now()`. */
  readonly until: number
  readonly preset?: Preset
  /** Whether it goes on in a transaction that somebody else ends. */
  readonly inside?: boolean
  /** How many hooks are running in each other, whose writes led to this one. */
  readonly depth?: number
  /** What the store's `version` said since the request came, where it was asked. */
  readonly seen?: unknown
}

/** What a verb of a page gets: of one of the panel's own, or of a resource's. */
export interface PageCall extends Omit<Call, 'resource' | 'store' | 'preset'> {
  readonly resource: Resource | null
  readonly pageUri: string
  /** Null: all of it. */
  readonly part: PartAsked | null
  /** A form of it that was refused, or in which a related record is searched: it has what was typed. */
  readonly again?: { readonly name: string; readonly error: DaymarkError | null }
}
