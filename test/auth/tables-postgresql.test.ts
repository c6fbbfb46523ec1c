import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { Session } from '../../src/auth/stores.js'
import { modelOf } from '../../src/resource/model/model.js'
import { stepsFor } from '../../src/store/panel/migrations.js'
import { panelStore } from '../../src/store/panel/open.js'
import * as tables from '../../src/store/panel/tables.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import type { SqlStore } from '../../src/store/sql/sql-store.js'
import { modelIn } from '../../src/store/sql/twin.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'
import { migrateTogether } from './migrate-together.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = Object.values(tables).filter((one) => is(one, SQLiteTable)) as SQLiteTable[]
const folder = mkdtempSync(join(tmpdir(), 'daymark-tables-'))
let database: TestDatabase
let store: SqlStore
beforeEach(async () => {
  database = await openDatabase()
  store = openSqlStore({ database: database.url })
})
afterEach(async () => {
  await store.close()
  await database.drop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const columns = `select column_name, is_nullable, data_type from information_schema.columns where table_schema = 'daymark' and table_name = $1 order by ordinal_position`
const indexes = "select indexname from pg_indexes where schemaname = 'daymark'"

test('the migrations make what the tables say, in a schema of their own', async () => {
  await panelStore(store).secret()
  for (const table of own) {
    const twin = modelIn('postgresql', modelOf(table))
    expect(getTableName(table)).toBe(`daymark_${twin.name}`)
    const { rows } = await database.query(columns, [twin.name])
    const said = [...twin.columns.values()].map(({ name, notNull, drizzle }) => ({
      column_name: name,
      is_nullable: notNull ? 'NO' : 'YES',
      data_type: drizzle
        .getSQLType()
        .replace('timestamp (3)', 'timestamp(3)')
        .replace(/\(\d\)/, ''),
    }))
    expect(rows, twin.name).toEqual(said)
    expect(Object.keys(getTableColumns(table))).toEqual([...twin.columns.keys()])
  }
  const { rows } = await database.query(indexes)
  const made = stepsFor('sqlite').flatMap((step) => step.flatMap((statement) => /^create index (\w+)/.exec(statement)?.[1] ?? []))
  expect(rows.map(({ indexname }) => indexname)).toEqual(expect.arrayContaining(made))
})

test('processes that start together make them once, and share one secret', { timeout: 180_000 }, async () => {
  expect(new Set(await migrateTogether(database.url, 4)).size).toBe(1)
  const { rows } = await database.query('select id from daymark.migrations order by id')
  expect(rows).toEqual(stepsFor('postgresql').map((_, i) => ({ id: String(i + 1) })))
})

test('a schema that an administrator has made is enough: no right to make one is needed', async () => {
  await database.query(`create role panel login password 'x'; create schema daymark authorization panel`)
  const url = new URL(database.url)
  url.username = 'panel'
  url.password = 'x'
  const limited = openSqlStore({ database: url.href })
  try {
    expect(await panelStore(limited).secret()).toHaveLength(44)
  } finally {
    await limited.close()
    await database.query('drop owned by panel; drop role panel')
  }
})

test('a database of a newer version is left alone', async () => {
  await database.query(`create schema daymark; create table daymark.migrations (id bigint primary key, at timestamptz(3) not null);
    insert into daymark.migrations select i, now() from generate_series(1, 100) i`)
  await expect(panelStore(store).secret()).rejects.toThrow('newer version')
})

test('drizzle-kit push of an application leaves every table of the panel alive', { timeout: 120_000 }, async () => {
  await panelStore(store).admin?.create({ username: 'a', name: 'A', roles: ['admin'], passwordHash: null })
  const project = mkdtempSync(join(folder, 'push-'))
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  writeFileSync(
    join(project, 'schema.ts'),
    `import { integer, pgTable } from 'drizzle-orm/pg-core'\nexport const things = pgTable('things', { id: integer().primaryKey() })\n`,
  )
  writeFileSync(
    join(project, 'drizzle.config.json'),
    JSON.stringify({ dialect: 'postgresql', schema: './schema.ts', dbCredentials: { url: database.url }, schemaFilter: ['public'] }),
  )
  const push = [join(project, 'node_modules/drizzle-kit/bin.cjs'), 'push', '--force']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, push, { cwd: project }).catch((error) => error)
  const { rows } = await database.query("select schemaname, tablename from pg_tables where schemaname in ('public', 'daymark')")
  const names = rows.map(({ schemaname, tablename }) => `${schemaname}.${tablename}`)
  expect(names.sort(), `${stdout}${stderr}`).toEqual(
    [...own.map((table) => getTableName(table).replace('daymark_', 'daymark.')), 'public.things'].sort(),
  )
  expect((await database.query('select count(*)::int from daymark.users')).rows).toEqual([{ count: 1 }])
})

test('that a session was seen is one statement', async () => {
  const seen: string[] = []
  await store.close()
  store = openSqlStore({ database: database.url, observe: (text) => seen.push(text) })
  const { sessions } = panelStore(store)
  const now = new Date()
  const of = (id: string): Session => ({
    id,
    kind: 'browser',
    userId: '1',
    stamp: 'a',
    agent: '',
    remember: false,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
  })
  await sessions.create(of('one'))
  // What the table is, is asked behind the first write.
  const said = async () => {
    seen.length = 0
    await sessions.seen('one', new Date(now.getTime() + 1000))
    return seen
  }
  await expect.poll(said).toEqual([expect.stringMatching(/^update "daymark"."sessions" set "last_seen_at" = /)])
  expect((await sessions.find('one'))?.lastSeenAt).toEqual(new Date(now.getTime() + 1000))
})
