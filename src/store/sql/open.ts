import * as postgresql from './postgresql/database.js'
import { postgresqlStore } from './postgresql/store.js'
import type { SqlStore } from './sql-store.js'
import * as sqlite from './sqlite/database.js'
import { sqliteStore } from './sqlite/store.js'

/** Where the records are, and who wants to know what is asked of the database. */
export interface SqlStoreOptions {
  /** `sqlite:PATH` (or `file:PATH`), `sqlite::memory:`, `postgres://…`, or a Drizzle database over better-sqlite3, libsql or node-postgres. */
  readonly database: string | object
  /** Called with the SQL of every statement before it runs. */
  readonly observe?: (sql: string) => void
}

/**
 * A store over a SQL database. Nothing is opened before the first use.
 *
 * Give a Drizzle database rather than its path where the application itself has the file open: two copies of SQLite in one process break each other's locks.
 * An integer beyond 2^53 is a bigint, never a rounded number; `mode: 'timestamp'` keeps whole seconds, as Drizzle does; SQLite has no -0.
 *
 * PostgreSQL needs the package `pg`. Inside a transaction, `find` and `findMany` lock what they read; and `fn` may run again where PostgreSQL rolled it back
 * for the sake of another transaction, or for a prepared statement that is not what it was.
 *
 * @throws TypeError for a database that this version cannot speak to
 * @example
 * ```ts
 * import { openSqlStore } from 'daymark'
 *
 * const store = openSqlStore({ database: 'sqlite:data/atlas.db' })
 * ```
 */
export function openSqlStore({ database, observe }: SqlStoreOptions): SqlStore {
  if (typeof database === 'object') {
    const found = postgresql.databaseOfDrizzle(database)
    return found ? postgresqlStore(found, observe) : sqliteStore(sqlite.databaseOfDrizzle(database), observe)
  }
  const fault = databaseFault(database)
  if (fault !== null) throw new TypeError(fault)
  return ofPostgresql.test(database)
    ? postgresqlStore(postgresql.databaseOf(database), observe)
    : sqliteStore(sqlite.databaseOf(database), observe)
}

const ofPostgresql = /^postgres(?:ql)?:/
const ofSqlite = /^(?:sqlite:.|file:[^?]+$)/s

/** Why a URL is none of a database that there is a store for; null: it is. What may be a password in it is not said. */
export function databaseFault(url: string): string | null {
  if (ofPostgresql.test(url) || ofSqlite.test(url)) return null
  const shown = url.replace(/^([a-z][a-z+.-]*:(?:\/\/)?)?.*@/is, '$1…@').replace(/[?#].*/s, '?…')
  return `"${shown}" names no database that this can speak to: sqlite:PATH, sqlite::memory:, postgres://… or a Drizzle database`
}
