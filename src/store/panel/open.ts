import type { UserSource } from '../../auth/account.js'
import type {
  ApiKeyStore,
  AttemptStore,
  OpenIdLinkStore,
  PasskeyStore,
  PreferenceStore,
  ResetStore,
  SessionStore,
  TokenStore,
} from '../../auth/stores.js'
import type { FileStorage } from '../files/storage.js'
import type { SqlStore } from '../sql/sql-store.js'
import { type AccountEventStore, accountEventStore, keepsNone } from './account-events.js'
import { apiKeyStore } from './api-keys.js'
import { attemptStore } from './attempts.js'
import { type CommentStore, commentStore } from './comments.js'
import { type DeliveryStore, deliveryStore } from './deliveries.js'
import { type Files, filesOf } from './files.js'
import { type HistoryStore, historyStore } from './history.js'
import { type JobStore, jobStore } from './jobs.js'
import { migrate } from './migrate.js'
import { type NotificationStore, notificationStore } from './notifications.js'
import { openIdLinkStore } from './open-id-links.js'
import { passkeyStore } from './passkeys.js'
import { preferenceStore } from './preferences.js'
import { sessionStore } from './sessions.js'
import { storedSecret } from './settings.js'
import { resetStore, tokenStore } from './tokens.js'
import { type UserAdmin, userAdmin } from './user-admin.js'
import { userIds } from './user-ids.js'
import { ownUsers, type UserModel, userSource } from './users.js'

/** The panel's own data. */
export interface PanelStore {
  readonly users: UserSource
  /** Null: the users are in a model of the application. */
  readonly admin: UserAdmin | null
  readonly sessions: SessionStore
  readonly tokens: TokenStore
  readonly apiKeys: ApiKeyStore
  /** Null: what happens to accounts is not kept. */
  readonly accountEvents: AccountEventStore | null
  readonly openIdLinks: OpenIdLinkStore
  readonly passkeys: PasskeyStore
  readonly attempts: AttemptStore
  readonly resets: ResetStore
  readonly jobs: JobStore
  readonly preferences: PreferenceStore
  readonly history: HistoryStore
  readonly deliveries: DeliveryStore
  /** @param keeps whether the records of a resource may have comments */
  comments(keeps: CommentStore['keeps']): CommentStore
  /**
   * @param keep for how many days they are kept
   * @param failed receives why old ones could not be deleted
   */
  notifications(keep: number, failed: (thrown: unknown) => void): NotificationStore
  /** @param failed receives what went wrong in the removal of a file */
  files(storage: FileStorage, failed: (thrown: unknown) => void): Files
  /** The panel's secret, created at first use. */
  secret(): Promise<string>
}

/**
 * The panel's own tables in a store. They are created or migrated at first use.
 *
 * @param report receives why events of accounts could not be kept; null: none are
 */
export function panelStore(
  store: SqlStore,
  users?: UserModel,
  panel = 'admin',
  report: ((thrown: unknown) => void) | null = null,
): PanelStore {
  let migrated: Promise<void> | null = null
  const ready = async () => {
    migrated ??= migrate(store).catch((thrown: unknown) => {
      migrated = null
      throw thrown
    })
    await migrated
    return store
  }
  const ids = userIds(users)
  // Of a table of the application's, an id may be given again.
  const accountEvents = report && accountEventStore(ready, panel, users === undefined, report)
  const events = accountEvents ?? keepsNone
  const admin = users ? null : userAdmin(ready, events)
  let secret: Promise<string> | null = null
  return {
    users: userSource(ready, users, admin, events),
    admin,
    sessions: sessionStore(ready, ids, events),
    tokens: tokenStore(ready),
    accountEvents,
    apiKeys: apiKeyStore(ready, ids, panel, events),
    openIdLinks: openIdLinkStore(ready, ids, events),
    passkeys: passkeyStore(ready, ids, admin !== null, events),
    attempts: attemptStore(ready),
    resets: resetStore(ready, ids, events),
    jobs: jobStore(ready, panel),
    preferences: preferenceStore(ready, panel),
    history: historyStore(ready),
    deliveries: deliveryStore(ready, panel),
    comments: (keeps) => commentStore(ready, ids, !users, keeps),
    notifications: (keep, failed) => {
      const whose = { users: users ?? ownUsers, own: !users }
      return notificationStore({ store, open: ready, ids }, whose, panel, keep, failed)
    },
    files: (storage, failed) => filesOf(ready, storage, failed),
    secret() {
      secret ??= ready()
        .then(storedSecret)
        .catch((thrown: unknown) => {
          secret = null
          throw thrown
        })
      return secret
    },
  }
}
