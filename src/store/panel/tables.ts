import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AccountEventName, AccountWay, FailedBecause } from '../../auth/account-event.js'
import type { OpenIdSignIn } from '../../auth/stores.js'
import type { Json } from '../../field/field.js'
import type { Tone } from '../../field/tone.js'
import type { UntoldNotice } from '../../resource/action/notice.js'
import { own } from '../sql/twin.js'

/**
 * The panel's own tables, declared once as SQLite tables; `own` gives each a twin in PostgreSQL's schema `daymark` (`daymark.users`).
 * `migrations.ts` creates them in both: a change here needs a new step there. Column types: text, integer, boolean, timestamp_ms, json.
 */
export const users = own(
  sqliteTable('daymark_users', {
    // AUTOINCREMENT never reuses an id: a new user must not get the sessions of a deleted one.
    id: integer('id').primaryKey({ autoIncrement: true }),
    username: text('username').notNull().unique(),
    name: text('name').notNull(),
    /** The argon2 hash. */
    password: text('password'),
    roles: text('roles', { mode: 'json' }).$type<string[]>().notNull(),
    active: integer('active', { mode: 'boolean' }).notNull().default(true),
    timeZone: text('time_zone'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' })
      .notNull()
      .$defaultFn(() => new Date()),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' })
      .notNull()
      .$defaultFn(() => new Date())
      .$onUpdate(() => new Date()),
    /** As `storedFactor` writes it. */
    twoFactor: text('two_factor'),
    /** When the user was last disabled, also if they are active again. */
    disabledAt: integer('disabled_at', { mode: 'timestamp_ms' }),
    /** When somebody else last ended their sessions. */
    signedOutAt: integer('signed_out_at', { mode: 'timestamp_ms' }),
    /** How many passkeys the user has; null: none. */
    passkeys: integer('passkeys'),
  }),
)

export const sessions = own(
  sqliteTable(
    'daymark_sessions',
    {
      id: text('id').primaryKey(),
      kind: text('kind', { enum: ['browser', 'tokens', 'pending'] }).notNull(),
      userId: text('user_id').notNull(),
      stamp: text('stamp').notNull(),
      agent: text('agent').notNull(),
      remember: integer('remember', { mode: 'boolean' }).notNull(),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
      lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }).notNull(),
      expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
      wroteAt: integer('wrote_at', { mode: 'timestamp_ms' }),
      secondFactor: integer('second_factor', { mode: 'boolean' }),
      openId: text('open_id', { mode: 'json' }).$type<OpenIdSignIn | null>(),
      passkey: text('passkey'),
      viewsAs: text('views_as'),
    },
    (session) => [index('daymark_sessions_user').on(session.userId), index('daymark_sessions_expires').on(session.expiresAt)],
  ),
)

export const tokens = own(
  sqliteTable(
    'daymark_tokens',
    {
      id: text('id').primaryKey(),
      sessionId: text('session_id').notNull(),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
      usedAt: integer('used_at', { mode: 'timestamp_ms' }),
    },
    (token) => [index('daymark_tokens_session').on(token.sessionId)],
  ),
)

/** The keys of programs that call a panel as one of its users. */
export const apiKeys = own(
  sqliteTable(
    'daymark_api_keys',
    {
      /** The hash. */
      id: text('id').primaryKey(),
      panel: text('panel').notNull(),
      userId: text('user_id').notNull(),
      username: text('username').notNull(),
      stamp: text('stamp').notNull(),
      name: text('name').notNull(),
      start: text('start').notNull(),
      roles: text('roles', { mode: 'json' }).$type<string[] | null>(),
      readOnly: integer('read_only', { mode: 'boolean' }).notNull(),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
      expiresAt: integer('expires_at', { mode: 'timestamp_ms' }),
      lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }),
    },
    (key) => [index('daymark_api_keys_user').on(key.panel, key.userId)],
  ),
)

/** Whom people at OpenID providers are. */
export const openIdLinks = own(
  sqliteTable(
    'daymark_open_id_links',
    {
      /** The hash of whose users they are, the issuer and the subject. */
      id: text('id').primaryKey(),
      issuer: text('issuer').notNull(),
      subject: text('subject').notNull(),
      userId: text('user_id').notNull(),
      username: text('username').notNull(),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    },
    (link) => [uniqueIndex('daymark_open_id_links_user').on(link.userId, link.issuer)],
  ),
)

/** The passkeys that users sign in with. */
export const passkeys = own(
  sqliteTable(
    'daymark_passkeys',
    {
      /** The hash of the site and the credential. */
      id: text('id').primaryKey(),
      site: text('site').notNull(),
      userId: text('user_id').notNull(),
      username: text('username').notNull(),
      handle: text('handle').notNull(),
      credential: text('credential').notNull(),
      publicKey: text('public_key').notNull(),
      counter: integer('counter').notNull(),
      transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
      synced: integer('synced', { mode: 'boolean' }).notNull(),
      name: text('name').notNull(),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
      lastSeenAt: integer('last_seen_at', { mode: 'timestamp_ms' }),
    },
    (passkey) => [index('daymark_passkeys_user').on(passkey.userId)],
  ),
)

export const attempts = own(
  sqliteTable(
    'daymark_attempts',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      key: text('key').notNull(),
      at: integer('at', { mode: 'timestamp_ms' }).notNull(),
    },
    (attempt) => [index('daymark_attempts_key').on(attempt.key, attempt.at), index('daymark_attempts_at').on(attempt.at)],
  ),
)

/** Lock rows that stand for keys: whoever counts the attempts of a key first locks its row, so that concurrent attempts are all counted. */
export const locks = own(
  // A second column, since a read of the key alone takes no lock.
  sqliteTable('daymark_locks', { id: integer('id').primaryKey(), free: integer('free', { mode: 'boolean' }).notNull().default(true) }),
)

export const resets = own(
  sqliteTable('daymark_resets', {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    stamp: text('stamp').notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  }),
)

export const settings = own(sqliteTable('daymark_settings', { name: text('name').primaryKey(), value: text('value').notNull() }))

/** Running jobs, and ended ones for some time. */
export const jobs = own(
  sqliteTable(
    'daymark_jobs',
    {
      id: text('id').primaryKey(),
      userId: text('user_id').notNull(),
      resourceUri: text('resource_uri').notNull(),
      handlerUri: text('handler_uri').notNull(),
      label: text('label').notNull(),
      state: text('state', { enum: ['running', 'done', 'failed', 'cancelled', 'interrupted'] }).notNull(),
      done: integer('done').notNull(),
      total: integer('total').notNull(),
      cancelling: integer('cancelling', { mode: 'boolean' }).notNull(),
      said: text('said', { mode: 'json' }).$type<{ readonly [name: string]: Json } | null>(),
      host: text('host').notNull(),
      pid: integer('pid').notNull(),
      boot: text('boot').notNull(),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
      beatAt: integer('beat_at', { mode: 'timestamp_ms' }).notNull(),
      endedAt: integer('ended_at', { mode: 'timestamp_ms' }),
      panel: text('panel').notNull().default('admin'),
      ifInterrupted: text('if_interrupted', { mode: 'json' }).$type<UntoldNotice | null>(),
    },
    (job) => [index('daymark_jobs_ended').on(job.endedAt)],
  ),
)

/** The messages to webhooks: those to be sent, and for some time those that were. */
export const deliveries = own(
  sqliteTable(
    'daymark_deliveries',
    {
      id: text('id').primaryKey(),
      panel: text('panel').notNull(),
      webhook: text('webhook').notNull(),
      type: text('type').notNull(),
      record: text('record').notNull(),
      body: text('body').notNull(),
      state: text('state', { enum: ['waiting', 'sent', 'failed'] }).notNull(),
      attempts: integer('attempts').notNull(),
      /** What the last attempt came to. */
      said: text('said'),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
      /** When it is to be sent; null: not any more. */
      dueAt: integer('due_at', { mode: 'timestamp_ms' }),
      endedAt: integer('ended_at', { mode: 'timestamp_ms' }),
    },
    (delivery) => [
      index('daymark_deliveries_due').on(delivery.panel, delivery.webhook, delivery.dueAt),
      index('daymark_deliveries_created').on(delivery.createdAt),
      index('daymark_deliveries_ended').on(delivery.panel, delivery.state, delivery.endedAt),
    ],
  ),
)

export const preferences = own(
  sqliteTable(
    'daymark_preferences',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      panel: text('panel').notNull(),
      userId: text('user_id').notNull(),
      name: text('name').notNull(),
      /** As JSON. */
      value: text('value').notNull(),
      updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
    },
    (preference) => [uniqueIndex('daymark_preferences_name').on(preference.panel, preference.userId, preference.name)],
  ),
)

/** What writes did to the records of resources with `history`. */
export const history = own(
  sqliteTable(
    'daymark_history',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      at: integer('at', { mode: 'timestamp_ms' }).notNull(),
      /** The record's table, with its schema unless that is the default, and its key as text. */
      of: text('of_table').notNull(),
      record: text('record').notNull(),
      action: text('action', { enum: ['create', 'update', 'delete', 'restore'] }).notNull(),
      userId: text('user_id').notNull(),
      /** Copied, since users are renamed and deleted. */
      userName: text('user_name').notNull(),
      /** As JSON. A text, since `jsonb` refuses NUL and sorts what it holds. */
      changes: text('changes').notNull(),
    },
    (entry) => [index('daymark_history_record').on(entry.of, entry.record, entry.id)],
  ),
)

/** What users have written on the records of resources with `comments`. */
export const comments = own(
  sqliteTable(
    'daymark_comments',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      /** The record's table and key, as in the history. */
      of: text('of_table').notNull(),
      record: text('record').notNull(),
      userId: text('user_id').notNull(),
      /** Of whom it was then: in a table of the application's, an id may be given again. */
      username: text('username').notNull(),
      /** Copied, since users are renamed and deleted. */
      userName: text('user_name').notNull(),
      text: text('text').notNull(),
      at: integer('at', { mode: 'timestamp_ms' }).notNull(),
      editedAt: integer('edited_at', { mode: 'timestamp_ms' }),
    },
    (one) => [index('daymark_comments_record').on(one.of, one.record, one.id)],
  ),
)

/** What has happened to the accounts of a panel, and at the door to them. */
export const accountEvents = own(
  sqliteTable(
    'daymark_account_events',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      panel: text('panel').notNull(),
      /** Of several failures alike, the first. */
      at: integer('at', { mode: 'timestamp_ms' }).notNull(),
      event: text('event').$type<AccountEventName>().notNull(),
      way: text('way').$type<AccountWay>().notNull(),
      reason: text('reason').$type<FailedBecause>(),
      /** Null: nobody who is known. */
      userId: text('user_id'),
      /** Copied, since users are renamed and deleted. */
      username: text('username'),
      /** Who did it; null: the user. */
      byId: text('by_id'),
      byUsername: text('by_username'),
      /** Null: there was no request, or its address is not known. */
      address: text('address'),
      agent: text('agent'),
      detail: text('detail'),
      /** How many failures alike there were, and when the last one was. */
      count: integer('count').notNull(),
      lastAt: integer('last_at', { mode: 'timestamp_ms' }).notNull(),
    },
    (entry) => [
      index('daymark_account_events_panel').on(entry.panel, entry.id),
      index('daymark_account_events_user').on(entry.panel, entry.userId, entry.id),
      index('daymark_account_events_at').on(entry.at),
    ],
  ),
)

/** What users of a panel are told. */
export const notifications = own(
  sqliteTable(
    'daymark_notifications',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      panel: text('panel').notNull(),
      userId: text('user_id').notNull(),
      /** Of whom it was then: in a table of the application's, an id may be given again. */
      username: text('username').notNull(),
      text: text('text').notNull(),
      tone: text('tone').$type<Tone>(),
      link: text('link'),
      createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
      readAt: integer('read_at', { mode: 'timestamp_ms' }),
    },
    (one) => [index('daymark_notifications_user').on(one.panel, one.userId, one.id), index('daymark_notifications_at').on(one.createdAt)],
  ),
)

/** Files in the panel's `files` that no record holds: what was uploaded and not saved yet, and what a record held before. */
export const files = own(
  sqliteTable(
    'daymark_files',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      path: text('path').notNull(),
      /** Whoever uploaded it, and for which field of which table; empty: no record may take it any more. */
      userId: text('user_id').notNull(),
      of: text('of_table').notNull(),
      field: text('field').notNull(),
      /** When it is removed. */
      dueAt: integer('due_at', { mode: 'timestamp_ms' }).notNull(),
    },
    (file) => [index('daymark_files_path').on(file.path), index('daymark_files_due').on(file.dueAt)],
  ),
)

/** Which steps of `migrations.ts` have run. */
export const migrations = own(
  sqliteTable('daymark_migrations', {
    id: integer('id').primaryKey(),
    at: integer('at', { mode: 'timestamp_ms' }).notNull(),
  }),
)
