import type { Client } from '../../auth/account-event.js'
import type { Identity } from '../../auth/identity.js'
import type { Auth } from '../../auth/pipeline.js'
import type { DaymarkError } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import type { ScopedStore, StoreOf } from '../../resource/action/action.js'
import type { Policies, Policy } from '../../resource/action/policy.js'
import type { Links } from '../../resource/check/relations.js'
import type { MenuLine } from '../../resource/pages/menu.js'
import type { Page } from '../../resource/pages/own-page.js'
import type { Throughs } from '../../resource/relation/through.js'
import type { Resource } from '../../resource/resource.js'
import type { AccountEventStore } from '../../store/panel/account-events.js'
import type { CommentStore } from '../../store/panel/comments.js'
import type { Files } from '../../store/panel/files.js'
import type { HistoryStore } from '../../store/panel/history.js'
import type { NotificationStore } from '../../store/panel/notifications.js'
import type { Store } from '../../store/store.js'
import type { FileFormat } from '../realm/file-format.js'
import type { Idempotency } from '../realm/idempotency.js'
import type { Jobs } from '../realm/jobs.js'
import type { Mails } from '../realm/mails.js'
import type { Readiness } from '../realm/readiness.js'
import type { Webhooks } from '../realm/webhooks.js'
import type { From } from './from.js'
import type { Input } from './input.js'
import type { Preferences } from './preferences.js'
import type { Preset } from './preset.js'
import type { Wants } from './wants.js'
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

/** The part of a page that a request asks for: a component, or one row of it. */
export interface PartAsked {
  /** The name of the component. */
  readonly name: string
  /** The text of a record's key; null: the whole component. */
  readonly key: string | null
  /** The row's number on its page. */
  readonly rowNumber: number
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
