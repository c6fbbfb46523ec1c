import type { Client } from '../../auth/account-event.js'
import type { Identity } from '../../auth/identity.js'
import type { OpenIdFlow } from '../../auth/open-id-provider.js'
import type { PasskeyChallenge } from '../../auth/passkey-challenge.js'
import type { Auth } from '../../auth/pipeline.js'
import type { DaymarkError } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import type { Bound } from '../../field/field.js'
import type { ScopedStore, StoreOf } from '../../resource/action/action.js'
import type { Policies, Policy } from '../../resource/action/policy.js'
import type { Links } from '../../resource/check/relations.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { MenuLine } from '../../resource/pages/menu.js'
import type { Page } from '../../resource/pages/own-page.js'
import type { Throughs } from '../../resource/relation/through.js'
import type { Resource } from '../../resource/resource.js'
import type { Method } from '../../route/routes.js'
import type { AccountEventStore } from '../../store/panel/account-events.js'
import type { CommentStore } from '../../store/panel/comments.js'
import type { Files } from '../../store/panel/files.js'
import type { HistoryStore } from '../../store/panel/history.js'
import type { NotificationStore } from '../../store/panel/notifications.js'
import type { Order, Store } from '../../store/store.js'
import type { FileFormat } from '../realm/file-format.js'
import type { Idempotency } from '../realm/idempotency.js'
import type { Jobs } from '../realm/jobs.js'
import type { Mails } from '../realm/mails.js'
import type { Readiness } from '../realm/readiness.js'
import type { Webhooks } from '../realm/webhooks.js'
import type { Preferences } from './preferences.js'
import type { WriteTracker } from './write-tracker.js'

/** The ways of an action or a hook to records, as its caller may see and change them. */
export interface ScopedStores {
  /** To those of the resource itself. */
  own(call: Call, tracker: WriteTracker, readOnly: boolean): ScopedStore<Record<string, unknown>, Record<string, unknown>>
  /** To those of any resource. */
  of(call: Omit<Call, 'resource' | 'preset'>, tracker: WriteTracker, readOnly: boolean): StoreOf
}

/** What every call of a panel shares. Frozen at start-up. */
export interface Realm {
  /** The resources by their `uriKey`. */
  readonly resources: ReadonlyMap<string, Resource>
  /** The panel's own pages by their URI. */
  readonly pages: ReadonlyMap<string, Page>
  /** The panel's first page; null: the resources that the user may list. */
  readonly home: Page | null
  /** The menu as declared; null: the default. */
  readonly menu: readonly MenuLine[] | null
  /** The menu entries of plugins. */
  readonly moreMenu: readonly MenuLine[]
  /** The related resource of each relation. */
  readonly links: Links
  /** The filters that follow a relation, by resource and name. */
  readonly throughs: Throughs
  /** The panel's policies. */
  readonly can: Policies
  /** Who may save views of lists for everybody; null: nobody is asked, and there are none. */
  readonly shareViews: Policy | null
  /** Returns a text of the panel by its key. */
  readonly t: Translate
  /** The panel's `locale`, a BCP 47 tag. */
  readonly locale: string
  /** The locales of a panel that has several, this one included; empty: it has one. */
  readonly languages: readonly string[]
  /** Those between which users choose; empty: no cookie would keep the choice, or there is one. */
  readonly languageChoices: readonly string[]
  /** The panel's `timeZone`, an IANA name. */
  readonly timeZone: string
  /** The store of a resource. */
  storeOf(resource: Resource): Store
  /** The store of the panel's `database`; without one, that of its first resource. */
  readonly store: Store
  /** Where lists are read for users who have not written for `after` seconds; null: there is no replica. */
  readonly replica: { readonly after: number; storeOf(resource: Resource): Store } | null
  /** The creates of forms that have been sent already, by their one-time keys. */
  readonly once: Idempotency
  /** The jobs. */
  readonly jobs: Jobs
  /** Whether the panel can serve. */
  readonly readiness: Readiness
  /** The history of records; null: no resource has one. */
  readonly history: HistoryStore | null
  /** The comments on records; null: no resource has any. */
  readonly comments: CommentStore | null
  /** What users are told; null: nothing. */
  readonly notifications: NotificationStore | null
  /** What happens to accounts; null: it is not kept. */
  readonly accountEvents: AccountEventStore | null
  /** The files of fields; null: the panel keeps none. */
  readonly files: Files | null
  /** The formats of files besides CSV, by name. */
  readonly formats: ReadonlyMap<string, FileFormat>
  /** The services that are told of writes; null: there is none. */
  readonly webhooks: Webhooks | null
  /** The URL by which the holder of a token sets a password: absolute, if the panel knows its own. */
  passwordUrl(token: string): string
  /** The path of a job's page. */
  jobUrl(id: string): string
  /** The path of a comment among the others on its record, however many come after it. */
  commentUrl(resourceUri: string, resourceItem: string, id: number): string
  /** The mails to users; null: the panel sends none. */
  readonly mails: Mails | null
  /** How users are identified. */
  readonly auth: Auth
  /** Makes the records that actions and hooks get. */
  readonly scoped: ScopedStores
}

/** Query parameters, in order. */
export type Query = ReadonlyMap<string, readonly string[]>

/** A file that a form sends. */
export interface FormFile {
  /** Its name, as it was sent. */
  readonly name: string
  /** Its bytes. */
  readonly bytes: Uint8Array
}

/**
 * A body, as it was read: JSON values, or the texts of a form. In a form, names that begin with `_` are the panel's: they are in `panel`.
 */
export type Body =
  | { readonly from: 'none' }
  | { readonly from: 'json'; readonly fields: ReadonlyMap<string, unknown> }
  | {
      readonly from: 'form'
      readonly fields: ReadonlyMap<string, readonly string[]>
      readonly panel: ReadonlyMap<string, readonly string[]>
      /** The files that were chosen, by field; absent: none. */
      readonly files?: ReadonlyMap<string, readonly FormFile[]>
      /** What is wrong with them, by field; absent: nothing. */
      readonly faults?: ReadonlyMap<string, readonly string[]>
    }

/** Versions that a caller names; `'*'` is any, if the record exists. */
export type Versions = '*' | readonly string[] | null

/** What a request asks for, without HTTP. */
export interface Input {
  /** The HTTP method, or the one that a form names in `_method`. */
  readonly method: Method
  /** The query parameters. */
  readonly query: Query
  /** The text of `{resourceItem}`; null: none. */
  readonly key: string | null
  /** The body. */
  readonly body: Body
  /** The file that the body is, where the route takes one. */
  readonly upload?: {
    /** Its length in bytes, if it was stated. */
    readonly size: number | null
    /** Its bytes, as they arrive. */
    readonly content: AsyncIterable<Uint8Array>
  }
  /** The versions that the caller accepts: `If-Match` (RFC 9110 §13.1.1), or a form's `_version`. */
  readonly ifMatch: Versions
  /** The versions that the caller excludes: `If-None-Match` of a write (RFC 9110 §13.1.2). */
  readonly ifNoneMatch: Versions
  /** The page that it is on or comes from; null: none that is known. */
  readonly page?: { readonly uri: string; readonly resourceUri: string | null } | null
  /** Path parameters besides the resource and the record: `pageUri`, `field`. */
  readonly params?: ReadonlyMap<string, string>
}

/** How a component shows a list or a form of a resource on a page. */
export interface Preset {
  /** The name of the component, which its parameters and ids carry; null: the page is this list. */
  readonly name: string | null
  /** The URI of the further page whose list it is, by which exports and selections name it; null: they cannot. */
  readonly page: string | null
  /** Its heading; null: none. */
  readonly title: string | null
  /** The fields that it shows; null: those of the resource's page. */
  readonly fields: readonly string[] | null
  /** The condition that records must meet. */
  readonly where: Condition
  /** The sort; null: the resource's. */
  readonly sort: readonly Order[] | null
  /** The page size; null: the resource's. */
  readonly perPage: number | null
  /** Shows this many rows, without further pages; null: no limit. */
  readonly limit: number | null
  /** Whether it sorts and pages without a reload. */
  readonly async: boolean
  /** The record that all of the list belong to, and the field that links them. */
  readonly of?: { readonly field: Bound; readonly key: string }
  /** What users have chosen on the page that narrows it, by its labels. */
  readonly chosen?: readonly string[]
}

/** The part of a page that a request asks for: a component, or one row of it. */
export interface PartAsked {
  /** The name of the component. */
  readonly name: string
  /** The text of a record's key; null: the whole component. */
  readonly key: string | null
  /** The row's number on its page. */
  readonly rowNumber: number
}

/** What the answer will show, so that a verb reads no more than that. */
export interface Wants {
  /** The page whose fields it shows. */
  readonly view: 'index' | 'detail' | 'form'
  /** Whether callbacks on rows (`trAttributes`, `display`) run, which get every column. */
  readonly wholeRows: boolean
  /** Whether relations are shown by their labels. */
  readonly labels: boolean
  /** Whether the database may write the records of a list as JSON. */
  readonly written: boolean
  /** `true`: a wrong query parameter refuses the call; `false`: it is ignored, and the page says so. */
  readonly strict: boolean
  /** Whether the answer goes on while something happens. */
  readonly stream: boolean
  /** Whether it has the version of a single record. */
  readonly version: boolean
  /** Whether it depends on the user's preferences. */
  readonly chosen: boolean
  /** Whether rows can be moved where they are listed. */
  readonly moves: boolean
  /** Whether lists have the numbers below their columns, even if they were not asked for. */
  readonly summary: boolean
  /** Whether a list is drawn as the view that its URL names. */
  readonly views: boolean
  /** Whether it has the lists of related records. */
  readonly belonging: boolean
  /** Whether to leave out what can be loaded later. */
  readonly deferred: boolean
}

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

/** What a verb for anybody gets. */
export interface GuestCall extends Omit<PanelCall, 'identity'> {
  /** The user; null: nobody is signed in. */
  readonly identity: Identity | null
}

/** What a verb for any signed-in user gets. */
export interface PanelCall {
  /** The user. */
  readonly identity: Identity
  /** Where the request comes from. */
  readonly from: From
  /** The panel. */
  readonly realm: Realm
  /** What the request asks for. */
  readonly input: Input
  /** What the answer will show. */
  readonly wants: Wants
  /** The user's preferences, if a page needs them. */
  readonly chosen: Preferences
  /** When waiting for a write ends, in milliseconds of `performance.now()`. */
  readonly until: number
}

/** What a verb on a resource gets: who asks for what, and where the records are. */
export interface Call {
  /** The user. */
  readonly identity: Identity
  /** The panel. */
  readonly realm: Realm
  /** The resource. */
  readonly resource: Resource
  /** The store of the resource. */
  readonly store: Store
  /** What the request asks for. */
  readonly input: Input
  /** Where the request comes from. */
  client(): Client
  /** What the answer will show. */
  readonly wants: Wants
  /** The user's preferences, if a page needs them. */
  readonly chosen: Preferences
  /** When waiting for a write ends, in milliseconds of `performance.now()`. */
  readonly until: number
  /** The component that asks, if it is one of a page. */
  readonly preset?: Preset
  /** Whether it runs inside a transaction that somebody else ends. */
  readonly inside?: boolean
  /** The last numbers of resources that users put in order, where a transaction creates many records: else each of them reads it. */
  readonly placing?: Map<Resource, number>
  /** How many hooks are running inside each other. */
  readonly depth?: number
  /** What the store's `version` returned since the request came, if it was asked. */
  readonly seen?: unknown
}

/** What a verb on a page gets. */
export interface PageCall extends Omit<Call, 'resource' | 'store' | 'preset'> {
  /** The resource; null: the page is one of the panel's own. */
  readonly resource: Resource | null
  /** The URI of the page. */
  readonly pageUri: string
  /** The part that is asked for; null: the whole page. */
  readonly part: PartAsked | null
  /** A form of the page that was refused or searched in, with what the user typed. */
  readonly again?: { readonly name: string; readonly error: DaymarkError | null }
}
