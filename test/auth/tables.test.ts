import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, describe, expect, test } from 'vitest'
import { stepsFor } from '../../src/store/panel/migrations.js'
import { panelStore } from '../../src/store/panel/open.js'
import * as tables from '../../src/store/panel/tables.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import { Sqlite } from '../support/sqlite.js'
import { migrateTogether } from './migrate-together.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'daymark-tables-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const own = Object.values(tables).filter((one) => is(one, SQLiteTable)) as SQLiteTable[]
const ask = (path: string, sql: string) => {
  const client = new Sqlite(path)
  const rows = client.prepare(sql).raw().all([]) as unknown[][]
  client.close()
  return rows
}

test('the migrations make what the tables say', async () => {
  const path = join(folder, 'columns.db')
  const store = openSqlStore({ database: `sqlite:${path}` })
  await panelStore(store).secret()
  await store.close()
  for (const table of own) {
    const made = ask(path, `select name, "notnull", pk from pragma_table_info('${getTableName(table)}')`)
    const said = Object.values(getTableColumns(table)).map(({ name, notNull, primary }) => [name, notNull, primary])
    expect(
      made.map(([name, notNull, pk]) => [name, Boolean(notNull) || Boolean(pk), Boolean(pk)]),
      getTableName(table),
    ).toEqual(said)
  }
})

test('processes that start together make them once, and share one secret', { timeout: 180_000 }, async () => {
  const path = join(folder, 'together.db')
  const said = await migrateTogether(`sqlite:${path}`, 4)
  expect(new Set(said).size).toBe(1)
  expect(ask(path, 'select id from daymark_migrations')).toEqual(stepsFor('sqlite').map((_, i) => [i + 1]))
  expect(ask(path, 'select count(*) from daymark_settings')).toEqual([[1]])
})

test('however many sessions somebody has, all of them end, and with each all of its tokens', async () => {
  const path = join(folder, 'many.db')
  const store = openSqlStore({ database: `sqlite:${path}` })
  const { sessions, tokens } = panelStore(store)
  const at = new Date()
  const session = {
    kind: 'tokens',
    stamp: '',
    agent: '',
    remember: false,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: new Date(at.getTime() + 1e6),
  } as const
  await Promise.all(Array.from({ length: 1201 }, (_, i) => sessions.create({ ...session, id: `s${i}`, userId: '1' })))
  await sessions.create({ ...session, id: 'other', userId: '2' })
  await Promise.all(Array.from({ length: 1101 }, (_, i) => tokens.add(`t${i}`, i < 1050 ? 's0' : 's1', at)))
  await tokens.add('of another', 'other', at)
  await sessions.remove('s0')
  expect(ask(path, 'select count(*) from daymark_tokens')).toEqual([[52]])
  expect(await sessions.removeOf('1', 's1')).toBe(1199)
  expect(ask(path, 'select id from daymark_sessions order by id')).toEqual([['other'], ['s1']])
  expect(await sessions.removeOf('1', null)).toBe(1)
  expect(ask(path, 'select id from daymark_tokens')).toEqual([['of another']])
  await store.close()
})

test('a database of a newer version is left alone', async () => {
  const path = join(folder, 'newer.db')
  const client = new Sqlite(path)
  client.exec('create table daymark_migrations (id integer primary key, at integer not null)')
  const steps = Array.from({ length: stepsFor('sqlite').length + 1 }, (_, i) => `(${i + 1}, 0)`)
  client.exec(`insert into daymark_migrations values ${steps}`)
  client.close()
  const store = openSqlStore({ database: `sqlite:${path}` })
  await expect(panelStore(store).secret()).rejects.toThrow('newer version')
  await store.close()
})

const driver = `const Libsql = require('libsql')
module.exports = class extends Libsql {
  prepare(sql) {
    const statement = super.prepare(sql)
    statement.bind = (values) => ({ all: () => statement.all(...values) })
    return statement
  }
}`

describe('drizzle-kit push', { timeout: 120_000 }, () => {
  test('of an application leaves every table of the panel alive, with the line from the docs', async () => {
    const path = join(folder, 'pushed.db')
    const store = openSqlStore({ database: `sqlite:${path}` })
    await panelStore(store).admin?.create({ username: 'a', name: 'A', roles: ['admin'], passwordHash: null })
    await store.close()
    const project = mkdtempSync(join(folder, 'push-'))
    // The kit knows better-sqlite3, whose API libsql has but for this one method.
    mkdirSync(join(project, 'node_modules/better-sqlite3'), { recursive: true })
    writeFileSync(join(project, 'node_modules/better-sqlite3/index.js'), driver)
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== 'better-sqlite3') symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
    const config = {
      dialect: 'sqlite',
      schema: join(root, 'examples/atlas/sqlite-schema.ts'),
      dbCredentials: { url: `file:${path}` },
      tablesFilter: ['!daymark_*'],
    }
    writeFileSync(join(project, 'drizzle.config.json'), JSON.stringify(config))
    const run = promisify(execFile)(
      process.execPath,
      ['--preserve-symlinks', '--preserve-symlinks-main', join(project, 'node_modules/drizzle-kit/bin.cjs'), 'push', '--force'],
      { cwd: project },
    )
    const { stdout, stderr } = await run.catch((error) => error)
    const names = ask(path, "select name from sqlite_master where type = 'table'").map(([name]) => name)
    expect(names, `${stdout}${stderr}`).toEqual(expect.arrayContaining([...own.map(getTableName), 'languages']))
    expect(ask(path, 'select count(*) from daymark_users')).toEqual([[1]])
  })
})
