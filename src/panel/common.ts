import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { openAuth } from '../auth/open.js'
import type { Auth } from '../auth/pipeline.js'
import type { AttemptStore } from '../auth/stores.js'
import { memoryAttempts } from '../auth/throttle.js'
import { DaymarkError } from '../base/errors.js'
import { fileFields } from '../crud/commit/record-files.js'
import { type Idempotency, makeIdempotency } from '../crud/realm/idempotency.js'
import { type Jobs, makeJobs } from '../crud/realm/jobs.js'
import type { Mails } from '../crud/realm/mails.js'
import { makeReadiness, type Readiness } from '../crud/realm/readiness.js'
import { makeWebhooks, type Webhooks } from '../crud/realm/webhooks.js'
import { entryOf, type Log } from '../http/log.js'
import { makeOutages } from '../http/outages.js'
import { ReplyCache } from '../http/reply-cache.js'
import { sendWebhook } from '../http/send-webhook.js'
import { DeclarationError } from '../resource/problem.js'
import { countedIn } from '../resource/relation/counted.js'
import type { Resource } from '../resource/resource.js'
import { memoryStore } from '../store/memory.js'
import type { CommentStore } from '../store/panel/comments.js'
import type { Files } from '../store/panel/files.js'
import type { HistoryStore } from '../store/panel/history.js'
import { memoryJobs } from '../store/panel/jobs.js'
import { type NotificationStore, usualDays } from '../store/panel/notifications.js'
import { type PanelStore, panelStore } from '../store/panel/open.js'
import { accountEvents, deliveries } from '../store/panel/tables.js'
import { readingFrom } from '../store/replica.js'
import { openWatched } from '../store/sql/open.js'
import { MissingPackage } from '../store/sql/postgresql/database.js'
import type { SqlStore } from '../store/sql/sql-store.js'
import { type Statements, type Watch, watchOf } from '../store/sql/watch.js'
import type { Store } from '../store/store.js'
import type { PanelSpec } from './spec.js'

/** What a panel has one of, in however many languages: its stores, and what a process remembers. */
export interface Common {
  /** The store of a database. */
  sqlStore(database: string | object): SqlStore
  storeOf(resource: Resource): Store
  /** The store of the panel's `database`; without one, that of its first resource. */
  readonly store: Store
  /** The replica's lists; null: there is none. */
  readonly lists: Store | null
  /** The panel's own tables; null in open mode. */
  readonly kept: PanelStore | null
  readonly attempts: AttemptStore
  readonly jobs: Jobs
  readonly once: Idempotency
  /** Where the statements of each request are counted; null: nobody asks. */
  readonly running: AsyncLocalStorage<Statements> | null
  readonly readiness: Readiness
  /** Whether to log why a database is away, or cannot be written to: requests and what runs beside them share what was logged. */
  isNewOutage(cause: unknown): boolean
  readonly webhooks: Webhooks | null
  readonly history: HistoryStore | null
  readonly comments: CommentStore | null
  readonly notifications: NotificationStore | null
  readonly files: Files | null
  /** The mails of each language. */
  readonly mails: Set<Mails>
  /** Open mode's; null: users sign in. */
  readonly open: Auth | null
  readonly known: ReplyCache | null
  secret(): string | Promise<string>
  /** Waits for what is under way, then closes the stores. */
  close(): Promise<void>
}

/**
 * Opens no connection, file or port.
 *
 * @param spec the settings, with the resources of plugins
 * @throws DeclarationError for a database whose package is not installed
 */
export function makeCommon(spec: PanelSpec, log: Log): Common {
  const { resources } = spec
  const stores = new Map<unknown, Store>()
  const running = spec.answered ? new AsyncLocalStorage<Statements>() : null
  const watch = watchOf(spec.observe, running && (() => running.getStore()))
  const sqlStore = (database: string | object): SqlStore => {
    const store = stores.get(database) ?? opened(database, watch, resources)
    stores.set(database, store)
    return store as SqlStore
  }
  const storeOf = ({ ownStore, database }: Resource): Store => {
    if (!ownStore) return sqlStore(database ?? (spec.database as string | object))
    stores.set(ownStore, ownStore as unknown as Store)
    return ownStore as unknown as Store
  }
  const store = spec.database === undefined ? (resources[0] ? storeOf(resources[0]) : memoryStore()) : sqlStore(spec.database)
  const isNewOutage = makeOutages()
  // What outlives its request has log entries with a name of its own.
  const failed = (method: string, thrown: unknown, requestId = '', path = '') => {
    // Of each job, it is said for itself.
    const isOutage = requestId === '' && thrown instanceof DaymarkError && thrown.code === 'unavailable'
    if (!isOutage || isNewOutage(thrown.cause ?? thrown)) log(entryOf({ requestId, method, path }, thrown))
  }
  const keepsEvents = resources.some(({ model }) => model.table === accountEvents)
  const report = keepsEvents ? (thrown: unknown) => failed('ACCOUNTS', thrown) : null
  const kept = spec.auth === 'open' ? null : panelStore(sqlStore(spec.database as string | object), spec.users, spec.id, report)
  const own = () => kept ?? panelStore(sqlStore(spec.database as string | object), undefined, spec.id)
  const told = spec.webhooks ?? []
  // Their resource needs the table of messages, whether or not anybody is told.
  const webhooks =
    told.length > 0 || resources.some(({ model }) => model.table === deliveries)
      ? makeWebhooks(told, own().deliveries, sendWebhook, (path, thrown) => failed('WEBHOOK', thrown, '', path))
      : null
  const files =
    spec.files && resources.some((one) => fileFields(one).length > 0) ? own().files(spec.files, (thrown) => failed('FILES', thrown)) : null
  const { notifications: chosen = false } = spec
  const notifications =
    chosen === false
      ? null
      : (kept?.notifications((chosen === true ? undefined : chosen.keep) ?? usualDays, (thrown) => failed('NOTIFICATIONS', thrown)) ?? null)
  const jobs = makeJobs(kept?.jobs ?? memoryJobs(), (thrown, job) => failed('JOB', thrown, job?.id), notifications)
  // Whatever resource deletes a record of such a table, its comments go with it.
  const discussed = new Set(resources.flatMap(({ comments, model }) => (comments ? [model.fullName] : [])))
  const mails = new Set<Mails>()
  const open = kept ? null : openAuth(webhooks?.open)
  // Without the replica: while that is away, lists are read from the database itself.
  const needed = new Set([...resources.map(storeOf), store])
  const readiness = makeReadiness(needed)
  const version = versionOf(needed, (kept ?? (open as Auth).services).preferences.changes)
  return Object.freeze({
    sqlStore,
    storeOf,
    store,
    lists: spec.replica && spec.database !== undefined ? readingFrom(sqlStore(spec.replica.database), sqlStore(spec.database)) : null,
    kept,
    attempts: kept && spec.attempts === 'database' ? kept.attempts : memoryAttempts(),
    jobs,
    once: makeIdempotency(),
    running,
    readiness,
    isNewOutage,
    webhooks,
    history: resources.some(({ history }) => history !== false) ? own().history : null,
    comments: discussed.size > 0 ? own().comments((one) => discussed.has(one.model.fullName) && storeOf(one) === store) : null,
    notifications,
    files,
    mails,
    open,
    known: version && new ReplyCache(version),
    secret: secretOf(spec, kept),
    async close() {
      readiness.stop()
      await jobs.close()
      await Promise.all([files, webhooks, notifications, kept?.accountEvents, ...mails].map((one) => one?.close()))
      await Promise.all([...stores.values()].map((store) => store.close()))
    },
  })
}

function opened(database: string | object, watch: Watch | undefined, resources: readonly Resource[]): SqlStore {
  try {
    return openWatched(database, watch, countedIn(resources))
  } catch (thrown) {
    if (!(thrown instanceof MissingPackage)) throw thrown
    throw new DeclarationError([{ id: 'database', where: 'database', text: thrown.message }])
  }
}

/**
 * Returns a function whose value changes whenever any data that the panel reads may have changed; null if one of its stores cannot tell.
 *
 * @param preferences the same for preferences that no store keeps
 */
function versionOf(stores: ReadonlySet<Store>, preferences: (() => unknown) | undefined): (() => unknown) | null {
  const all = [...stores]
  if (!all.every((store) => store.version)) return null
  const versions = () => (all.length === 1 ? all[0]?.version?.() : all.map((store) => String(store.version?.())).join())
  return preferences ? () => `${String(versions())} ${preferences()}` : versions
}

// A blank value, as in a copied .env, counts as not set.
function secretOf(
  { secret = process.env.DAYMARK_SECRET?.trim() || undefined }: PanelSpec,
  kept: PanelStore | null,
): () => string | Promise<string> {
  const known = secret ?? (kept ? null : randomBytes(32).toString('base64'))
  return known === null ? () => (kept as PanelStore).secret() : () => known
}
