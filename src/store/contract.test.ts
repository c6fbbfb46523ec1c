import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, describe, test } from 'vitest'
import { contractSchema, storeContract } from './contract.js'
import { memoryStore } from './memory.js'
import { openSqlStore } from './sql/open.js'
import { databaseOf } from './sql/sqlite/database.js'
import type { Store } from './store.js'

const folder = mkdtempSync(join(tmpdir(), 'daymark-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => {
  const path = join(folder, `${++files}.db`)
  // With the store's library: two copies of SQLite in one process break each other's locks.
  createTables(databaseOf(`sqlite:${path}`).connect()).close()
  return path
}

const stores: Record<string, () => Store> = {
  'the store in memory': () => memoryStore(),
  'SQLite in memory, by a Drizzle database': () => openSqlStore({ database: drizzle(createTables(new Libsql(':memory:'))) }),
  'SQLite in a file': () => openSqlStore({ database: `sqlite:${newFile()}` }),
  'SQLite in a file, by a Drizzle database': () =>
    openSqlStore({ database: drizzle(createTables(new Libsql(join(folder, `${++files}.db`)))) }),
}

describe.each(Object.entries(stores))('%s', (_, open) => {
  test.each(storeContract.map((one) => [one.name, one] as const))('%s', (_, one) => one.run(open))
})

function createTables<T extends { exec(sql: string): unknown }>(client: T): T {
  for (const statement of contractSchema) client.exec(statement)
  return client
}

// What drizzle-orm/better-sqlite3 makes, without importing better-sqlite3.
function drizzle(client: Libsql.Database): object {
  const dialect = new SQLiteSyncDialect()
  const session = new BetterSQLiteSession(client as never, dialect, undefined)
  return Object.assign(new BaseSQLiteDatabase('sync', dialect as never, session as never, undefined), { $client: client })
}
