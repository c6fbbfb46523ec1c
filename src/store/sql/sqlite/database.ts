import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Driver } from './driver.js'
import { betterSqlite3, type Client } from './drivers/better-sqlite3.js'
import { type NodeClient, nodeSqlite } from './drivers/node-sqlite.js'

/** A database that is not open yet. */
export interface Database {
  /** Opens another connection. Without a file there is only one, which each call returns. */
  connect(): Driver
  readonly oneConnection: boolean
  /** Its path, for error messages. */
  readonly path: string
  /** The dialect of a user's Drizzle database. */
  readonly dialect?: SQLiteSyncDialect
}

/** The database of a `sqlite:` URL, or of a `file:` one. */
export function databaseOf(url: string): Database {
  const path = url.startsWith('file://') ? fileURLToPath(url) : url.slice(url.indexOf(':') + 1)
  if (path === ':memory:') return { connect: () => open(path), oneConnection: true, path }
  const file = resolve(path)
  return { connect: () => open(file), oneConnection: false, path: file }
}

/** A user's Drizzle database over better-sqlite3 or libsql. */
export function databaseOfDrizzle(database: object): Database {
  const { $client: client, dialect } = database as { $client?: Client & { constructor: unknown }; dialect?: SQLiteSyncDialect }
  if (typeof client?.prepare !== 'function' || typeof client.exec !== 'function') {
    throw new TypeError(
      'The database must be a Drizzle database over a synchronous SQLite driver, such as better-sqlite3, or over node-postgres; or a URL. ' +
        "What drizzle-orm/libsql makes is asynchronous: give drizzle('app.db') of drizzle-orm/better-sqlite3, or the file as 'sqlite:app.db'",
    )
  }
  const [[, , file]] = client.prepare('pragma database_list').raw().all([]) as [[number, string, string]]
  const known = dialect ? { dialect } : {}
  // The user's own connection stays open when the store closes.
  if (!file) return { ...known, connect: () => ({ ...betterSqlite3(client), close: () => {} }), oneConnection: true, path: ':memory:' }
  // Opened with the same library: two copies of SQLite in one process break each other's locks.
  const Constructor = client.constructor as new (path: string) => Client
  return { ...known, connect: () => betterSqlite3(new Constructor(file)), oneConnection: false, path: file }
}

const load = createRequire(import.meta.url)

/** `node:sqlite` if it can return rows as arrays (Node 22.16), else better-sqlite3 if it is installed, else libsql. */
function open(path: string): Driver {
  const node = nodes()
  if (node && 'setReturnArrays' in node.StatementSync.prototype) return nodeSqlite(new node.DatabaseSync(path))
  return betterSqlite3(new (installed())(path))
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeClient
  readonly StatementSync: { readonly prototype: object }
}

/**
 * Loads `node:sqlite` without the ExperimentalWarning of Node 22, which would appear below our own output. Our tests cover what we use of
 * it.
 */
function nodes(): NodeSqlite | undefined {
  ofNode ??= withoutWarning(() => process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined)
  return ofNode
}

let ofNode: NodeSqlite | undefined

function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process
  // A program may have made `emitWarning` read-only.
  const isOurs = Reflect.set(process, 'emitWarning', () => {})
  try {
    return load()
  } finally {
    if (isOurs) process.emitWarning = emitWarning
  }
}

function installed(): new (path: string) => Client {
  try {
    // On a Node that it is not for, it ends the process.
    const { engines } = load('better-sqlite3/package.json') as { engines?: { node?: string } }
    if (isFor(engines?.node ?? '', process.versions.node)) return load('better-sqlite3')
  } catch {}
  return load('libsql')
}

/** Whether a package is for a version of Node, by the major versions in its `engines`: `20.x || >=22`. */
export function isFor(engines: string, version: string): boolean {
  const major = Number.parseInt(version, 10)
  const parts = [...engines.matchAll(/(>=?)?\s*v?(\d+)[^|]*/g)]
  return parts.length === 0 || parts.some(([, above, least]) => (above ? major >= Number(least) : major === Number(least)))
}
