import type { Model } from '../../resource/model/model.js'

/**
 * What a step spells differently in each database. Names of columns and indexes are the same in both.
 *
 * ```text
 * ({ table, id, time }) => [
 *   `create table ${table('notes')} (id ${id}, text text not null, at ${time} not null)`,
 *   `create index daymark_notes_at on ${table('notes')} (at)`,
 * ]
 * ```
 */
interface Words {
  /** `users` → `daymark_users`, `daymark.users`. */
  table(name: string): string
  /** A key that the database generates and never reuses. */
  readonly id: string
  /**
   * Integer, moment, JSON and boolean: the column types `integer()`, `timestamp_ms`, `json` and `boolean` of `tables.ts`. Text is `text`.
   */
  readonly integer: string
  readonly time: string
  readonly json: string
  readonly boolean: string
  /** `true`, as a default. */
  readonly yes: string
}

/** The statements of a step, in one database's vocabulary. */
type Step = (words: Words) => readonly string[]

/** The migrations of the panel's own tables, in order; each runs once per database. Never change a step: add one. */
const all: readonly Step[] = [
  ({ table, id, integer, time, json, boolean, yes }) => [
    `create table ${table('users')} (
      id ${id}, username text not null unique, name text not null, password text, roles ${json} not null,
      active ${boolean} not null default ${yes}, time_zone text, created_at ${time} not null, updated_at ${time} not null)`,
    `create table ${table('sessions')} (
      id text primary key not null, kind text not null, user_id text not null, stamp text not null, agent text not null, remember ${boolean} not null,
      created_at ${time} not null, last_seen_at ${time} not null, expires_at ${time} not null)`,
    `create index daymark_sessions_user on ${table('sessions')} (user_id)`,
    `create index daymark_sessions_expires on ${table('sessions')} (expires_at)`,
    `create table ${table('tokens')} (id text primary key not null, session_id text not null, created_at ${time} not null, used_at ${time})`,
    `create index daymark_tokens_session on ${table('tokens')} (session_id)`,
    `create table ${table('attempts')} (id ${id}, key text not null, at ${time} not null)`,
    `create index daymark_attempts_key on ${table('attempts')} (key, at)`,
    `create index daymark_attempts_at on ${table('attempts')} (at)`,
    `create table ${table('locks')} (id ${integer} primary key, free ${boolean} not null default ${yes})`,
    `insert into ${table('locks')} (id) values ${Array.from({ length: locked }, (_, id) => `(${id})`)}`,
    `create table ${table('resets')} (id text primary key not null, user_id text not null, stamp text not null, expires_at ${time} not null)`,
    `create table ${table('settings')} (name text primary key not null, value text not null)`,
  ],
  ({ table, integer, time, json, boolean }) => [
    `create table ${table('jobs')} (
      id text primary key not null, user_id text not null, resource_uri text not null, handler_uri text not null, label text not null, state text not null,
      done ${integer} not null, total ${integer} not null, cancelling ${boolean} not null, said ${json}, host text not null, pid ${integer} not null,
      boot text not null, created_at ${time} not null, beat_at ${time} not null, ended_at ${time})`,
    `create index daymark_jobs_ended on ${table('jobs')} (ended_at)`,
  ],
  ({ table, id, time }) => [
    `create table ${table('preferences')} (
      id ${id}, panel text not null, user_id text not null, name text not null, value text not null, updated_at ${time} not null)`,
    `create unique index daymark_preferences_name on ${table('preferences')} (panel, user_id, name)`,
  ],
  ({ table, time }) => [`alter table ${table('sessions')} add column wrote_at ${time}`],
  ({ table, id, time }) => [
    `create table ${table('history')} (
      id ${id}, at ${time} not null, of_table text not null, record text not null, action text not null, user_id text not null,
      user_name text not null, changes text not null)`,
    `create index daymark_history_record on ${table('history')} (of_table, record, id)`,
  ],
  ({ table, id, time }) => [
    `create table ${table('files')} (
      id ${id}, path text not null, user_id text not null, of_table text not null, field text not null, due_at ${time} not null)`,
    `create index daymark_files_path on ${table('files')} (path)`,
    `create index daymark_files_due on ${table('files')} (due_at)`,
  ],
  ({ table, boolean }) => [
    `alter table ${table('users')} add column two_factor text`,
    `alter table ${table('sessions')} add column second_factor ${boolean}`,
  ],
  ({ table, integer, time }) => [
    `create table ${table('deliveries')} (
      id text primary key not null, panel text not null, webhook text not null, type text not null, record text not null, body text not null,
      state text not null, attempts ${integer} not null, said text, created_at ${time} not null, due_at ${time}, ended_at ${time})`,
    `create index daymark_deliveries_due on ${table('deliveries')} (panel, webhook, due_at)`,
    `create index daymark_deliveries_created on ${table('deliveries')} (created_at)`,
    `create index daymark_deliveries_ended on ${table('deliveries')} (panel, state, ended_at)`,
  ],
  ({ table, time, json, boolean }) => [
    `create table ${table('api_keys')} (
      id text primary key not null, panel text not null, user_id text not null, username text not null, stamp text not null, name text not null,
      start text not null, roles ${json}, read_only ${boolean} not null, created_at ${time} not null, expires_at ${time}, last_seen_at ${time})`,
    `create index daymark_api_keys_user on ${table('api_keys')} (panel, user_id)`,
  ],
  ({ table, time }) => [
    `alter table ${table('users')} add column disabled_at ${time}`,
    `alter table ${table('users')} add column signed_out_at ${time}`,
  ],
  ({ table, time, json }) => [
    `alter table ${table('sessions')} add column open_id ${json}`,
    `create table ${table('open_id_links')} (
      id text primary key not null, issuer text not null, subject text not null, user_id text not null, username text not null,
      created_at ${time} not null)`,
    `create unique index daymark_open_id_links_user on ${table('open_id_links')} (user_id, issuer)`,
  ],
  ({ table, integer, time, json, boolean }) => [
    `alter table ${table('users')} add column passkeys ${integer}`,
    `alter table ${table('sessions')} add column passkey text`,
    `create table ${table('passkeys')} (
      id text primary key not null, site text not null, user_id text not null, username text not null, handle text not null,
      credential text not null, public_key text not null, counter ${integer} not null, transports ${json} not null, synced ${boolean} not null,
      name text not null, created_at ${time} not null, last_seen_at ${time})`,
    `create index daymark_passkeys_user on ${table('passkeys')} (user_id)`,
  ],
  ({ table, id, integer, time }) => [
    `create table ${table('account_events')} (
      id ${id}, panel text not null, at ${time} not null, event text not null, way text not null, reason text, user_id text, username text,
      by_id text, by_username text, address text, agent text, detail text, count ${integer} not null, last_at ${time} not null)`,
    `create index daymark_account_events_panel on ${table('account_events')} (panel, id)`,
    `create index daymark_account_events_user on ${table('account_events')} (panel, user_id, id)`,
    `create index daymark_account_events_at on ${table('account_events')} (at)`,
  ],
  ({ table, id, time }) => [
    `create table ${table('notifications')} (
      id ${id}, panel text not null, user_id text not null, username text not null, text text not null, tone text, link text,
      created_at ${time} not null, read_at ${time})`,
    `create index daymark_notifications_user on ${table('notifications')} (panel, user_id, id)`,
    `create index daymark_notifications_at on ${table('notifications')} (created_at)`,
  ],
  ({ table }) => [`alter table ${table('sessions')} add column views_as text`],
  ({ table, id, time }) => [
    `create table ${table('comments')} (
      id ${id}, of_table text not null, record text not null, user_id text not null, username text not null, user_name text not null,
      text text not null, at ${time} not null, edited_at ${time})`,
    `create index daymark_comments_record on ${table('comments')} (of_table, record, id)`,
  ],
  ({ table, json }) => [
    `alter table ${table('jobs')} add column panel text not null default 'admin'`,
    `alter table ${table('jobs')} add column if_interrupted ${json}`,
  ],
]

/** How many lock rows there are. */
export const locked = 64

/** The steps for a database. */
export function stepsFor(dialect: Model['dialect']): readonly (readonly string[])[] {
  return all.map((step) => step(words[dialect]))
}

/** Ways to create the journal of migrations. Each is tried if the one before fails. */
export function journalFor(dialect: Model['dialect']): readonly (readonly string[])[] {
  const { table, integer, time } = words[dialect]
  const journal = `create table if not exists ${table('migrations')} (id ${integer} primary key, at ${time} not null)`
  // First without creating the schema: it may exist, and the right to create one be missing.
  return dialect === 'sqlite' ? [[journal]] : [[journal], ['create schema if not exists daymark', journal]]
}

const words: Readonly<Record<Model['dialect'], Words>> = {
  sqlite: {
    table: (name) => `daymark_${name}`,
    id: 'integer primary key autoincrement',
    integer: 'integer',
    time: 'integer',
    json: 'text',
    boolean: 'integer',
    yes: '1',
  },
  postgresql: {
    table: (name) => `daymark.${name}`,
    id: 'bigint generated by default as identity primary key',
    integer: 'bigint',
    time: 'timestamptz(3)',
    json: 'jsonb',
    boolean: 'boolean',
    yes: 'true',
  },
}
