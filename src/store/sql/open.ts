import type { Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import * as postgresql from './postgresql/database.js'
import { postgresqlStore } from './postgresql/store.js'
import type { SqlStore } from './sql-store.js'
import * as sqlite from './sqlite/database.js'
import { sqliteStore } from './sqlite/store.js'
import type { Counted } from './tally-codec.js'
import { type Watch, watchOf } from './watch.js'

/** The options of `openSqlStore`. */
export interface SqlStoreOptions {
  /**
   * `sqlite:PATH` (or `file:PATH`), `sqlite::memory:`, `postgres://…` (or `postgresql://…`), or a Drizzle database over better-sqlite3,
   * libsql or node-postgres.
   */
  readonly database: string | object
  /** Receives the SQL of every statement, without values, before it runs. Default: none. */
  readonly observe?: (sql: string) => void
  /** Which records of a table count where fields of other tables tell of them: `countOf` and the like. Default: all. */
  readonly counted?: (model: Model) => Condition
}

/**
 * A store over a SQLite or PostgreSQL database. It opens nothing before the first use.
 *
 * In SQLite, give the Drizzle database if your application has the file open in the same process: two copies of SQLite in one process break
 * each other's locks. Integers beyond 2^53 are bigints, never rounded; `mode: 'timestamp'` keeps whole seconds, as in Drizzle; there is no
 * -0.
 *
 * PostgreSQL needs the package `pg`. In a transaction, `find` and `findMany` lock what they read, and `fn` may run again: if PostgreSQL
 * rolled it back in favour of another transaction, or a prepared statement no longer fits.
 *
 * @throws TypeError for a URL or a Drizzle database that it does not support
 * @throws Error if `pg` is needed and not installed
 *
 * @example
 * ```ts
 * import { openSqlStore } from 'daymark'
 *
 * const store = openSqlStore({ database: 'sqlite:data/atlas.db' })
 * ```
 */
export function openSqlStore({ database, observe, counted }: SqlStoreOptions): SqlStore {
  return openWatched(database, watchOf(observe, null), counted)
}

/** The same for a panel, which may want to know more of the statements. */
export function openWatched(database: string | object, watch: Watch | undefined, counted: Counted | undefined): SqlStore {
  if (typeof database === 'object') {
    const found = postgresql.databaseOfDrizzle(database)
    return found ? postgresqlStore(found, watch, counted) : sqliteStore(sqlite.databaseOfDrizzle(database), watch, counted)
  }
  const fault = databaseFault(database)
  if (fault !== null) throw new TypeError(fault)
  return dialectOf(database) === 'postgresql'
    ? postgresqlStore(postgresql.databaseOf(database), watch, counted)
    : sqliteStore(sqlite.databaseOf(database), watch, counted)
}

const ofPostgresql = /^postgres(?:ql)?:/
const ofSqlite = /^(?:sqlite:.|file:[^?]+$)/s

/** The dialect of a database's URL. */
export const dialectOf = (url: string): Model['dialect'] => (ofPostgresql.test(url) ? 'postgresql' : 'sqlite')

/** Why a URL names no supported database; null: it does. Masks a part of the URL that may be a password. */
export function databaseFault(url: string): string | null {
  if (ofPostgresql.test(url) || ofSqlite.test(url)) return null
  const shown = url.replace(/^([a-z][a-z+.-]*:(?:\/\/)?)?.*@/is, '$1…@').replace(/[?#].*/s, '?…')
  return `"${shown}" names no database that this can speak to: sqlite:PATH, sqlite::memory:, postgres://… or a Drizzle database`
}
