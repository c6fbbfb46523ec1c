import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Driver } from './driver.js'
import { betterSqlite3, type Client } from './drivers/better-sqlite3.js'
import { type NodeClient, nodeSqlite } from './drivers/node-sqlite.js'

/** A database that is not open yet. */
export interface Database {
  /** One more connection to it; with no file there is only one, and each call gives the same. */
  connect(): Driver
  readonly oneConnection: boolean
  /** Where it is, for whoever looks for it. */
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
  // The same library, too: two copies of SQLite in one process break each other's locks.
  const Constructor = client.constructor as new (path: string) => Client
  return { ...known, connect: () => betterSqlite3(new Constructor(file)), oneConnection: false, path: file }
}

const load = createRequire(import.meta.url)

/** `node:sqlite` where it gives rows as arrays (Node 22.16), else better-sqlite3 where it is installed, else libsql. */
function open(path: string): Driver {
  const node = nodes()
  if (node && 'setReturnArrays' in node.StatementSync.prototype) return nodeSqlite(new node.DatabaseSync(path))
  return betterSqlite3(new (installed())(path))
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeClient
  readonly StatementSync: { readonly prototype: object }
}

/** Node 22 says, when it loads it, that it is an experiment, below whatever a program of ours says: what we use of it, our tests hold it to. */
function nodes(): NodeSqlite | undefined {
  ofNode ??= withoutWarning(() => process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined)
  return ofNode
}

let ofNode: NodeSqlite | undefined

function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process
  // A program may have made it its own for good.
  const isOurs = Reflect.set(process, 'emitWarning', () => {})
  try {
    return load()
  } finally {
    if (isOurs) process.emitWarning = emitWarning
  }
}

function installed(): new (path: string) => Client {
  try {
    return load('better-sqlite3')
  } catch {
    return load('libsql')
  }
}
