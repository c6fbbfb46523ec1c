import { createRequire } from 'node:module'
import type { PgDialect } from 'drizzle-orm/pg-core'
import { patience } from '../../queue.js'
import type { Client, Pool } from './driver.js'

/** A database, not connected yet. */
export interface Database {
  /** A pool, or a single connection. */
  readonly client: Pool | Client
  /** Whether it belongs to the application: then it stays open when the store closes. */
  readonly borrowed: boolean
  /** The dialect of a user's Drizzle database. */
  readonly dialect?: PgDialect
}

const mostConnections = 10
const second = 1000

/** The database of a `postgres:` URL. Settings in the URL take precedence. */
export function databaseOf(url: string, load: (name: string) => unknown = createRequire(import.meta.url)): Database {
  const { Pool } = library(load)
  const client = new Pool({
    connectionString: url,
    fallback_application_name: 'daymark',
    max: mostConnections,
    maxLifetimeSeconds: 30 * 60,
    connectionTimeoutMillis: 5 * second,
    statement_timeout: 30 * second,
    lock_timeout: patience,
    // For a server that vanished without closing the connection.
    query_timeout: 35 * second,
    keepAlive: true,
    // Sends queries without waiting for earlier answers. Older versions of pg ignore it and wait.
    pipeline: true,
    idle_in_transaction_session_timeout: 60 * second,
    // Under another DateStyle, the same digits may mean another day.
    options: '-c timezone=UTC -c datestyle=ISO',
    allowExitOnIdle: true,
  })
  return { client, borrowed: false }
}

/** A user's Drizzle database over node-postgres; null: it uses another driver. */
export function databaseOfDrizzle(database: object): Database | null {
  const { $client: client, dialect } = database as { $client?: Partial<Pool & Client>; dialect?: PgDialect }
  if (typeof client?.query !== 'function' || typeof client.connect !== 'function') return null
  return { client: client as Pool | Client, borrowed: true, ...(dialect && { dialect }) }
}

export function isPool(client: Pool | Client): client is Pool {
  return 'totalCount' in client
}

/** An optional package is not installed. */
export class MissingPackage extends Error {}

function library(load: (name: string) => unknown): { Pool: new (options: object) => Pool } {
  try {
    return load('pg') as { Pool: new (options: object) => Pool }
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw cause
    throw new MissingPackage('PostgreSQL needs the package pg: npm install pg')
  }
}
