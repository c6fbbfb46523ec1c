import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { integer, real, SQLiteSyncDialect, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DaymarkError } from '../../../base/errors.js'
import { Illegible } from '../../../field/illegible.js'
import { always, type Condition } from '../../../resource/condition/condition.js'
import { modelOf } from '../../../resource/model/model.js'
import { models } from '../../contract/tables.js'
import { contractSchema } from '../../contract.js'
import { openSqlStore } from '../open.js'
import { databaseOf } from './database.js'

const { places, regions } = models
const folder = mkdtempSync(join(tmpdir(), 'daymark-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => join(folder, `${++files}.db`)

function open(schema: readonly string[] = contractSchema) {
  const client = new Libsql(':memory:')
  for (const statement of schema) client.exec(statement)
  const seen: string[] = []
  return { client, seen, store: openSqlStore({ database: { $client: client }, observe: (statement) => seen.push(statement) }) }
}

test('opens nothing before the first use', async () => {
  const path = newFile()
  const store = openSqlStore({ database: `sqlite:${path}` })
  expect(existsSync(path)).toBe(false)
  await expect(store.count(regions, always)).rejects.toMatchObject({ code: 'internal' })
  expect(existsSync(path)).toBe(true)
  await store.close()
})

test('a file is set up for one writer and many readers', async () => {
  const path = newFile()
  const client = new Libsql(path)
  for (const statement of contractSchema) client.exec(statement)
  const store = openSqlStore({ database: { $client: client } })
  await store.transaction((tx) => tx.create(regions, { name: 'North' }))
  expect(existsSync(`${path}-wal`)).toBe(true)
  await store.close()
  expect(client.prepare('select name from contract_regions').raw().all()).toEqual([['North']])
  client.close()
})

describe('the file is mapped', () => {
  const path = newFile()
  const mapped: string[] = []
  class Noting extends Libsql {
    override exec(statement: string) {
      if (statement.includes('mmap_size')) mapped.push(statement)
      return super.exec(statement)
    }
  }
  const client = new Noting(path)
  for (const statement of contractSchema) client.exec(statement)
  const store = openSqlStore({ database: { $client: client } })
  const once = ['pragma mmap_size = 1073741824', 'pragma mmap_size = 0']
  beforeEach(() => mapped.splice(0))
  afterAll(async () => {
    await store.close()
    client.close()
  })

  test('for what lies far into a list, and for nothing else, also where reading it fails', async () => {
    const page = (offset: number) =>
      store.list(regions, { columns: ['name'], where: always, order: [{ column: 'id', direction: 'ASC' }], limit: 25, offset })
    await page(49_999)
    expect(mapped).toEqual([])
    await page(50_000)
    expect(mapped).toEqual(once)
    client.exec('alter table contract_regions rename to elsewhere')
    await expect(page(50_000)).rejects.toMatchObject({ code: 'internal' })
    client.exec('alter table elsewhere rename to contract_regions')
    expect(mapped).toEqual([...once, ...once])
  })

  test('for counts of a whole table, unless it was small the last time', async () => {
    const have = (count: number) =>
      client.exec(`delete from contract_regions;
        insert into contract_regions (name) with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n`)
    const counts = async (count: number, where: Condition = always, cap?: number) => {
      have(count)
      mapped.splice(0)
      expect(await store.count(regions, where, cap)).toBe(cap ?? count)
      return [...mapped]
    }
    expect(await counts(49_999)).toEqual(once)
    expect(await counts(50_000)).toEqual([])
    expect(await counts(50_001)).toEqual(once)
    expect(await counts(3)).toEqual(once)
    expect(await counts(4)).toEqual([])
    expect(await counts(60_000, { op: 'gt', column: 'id', value: 0 })).toEqual([])
    expect(await counts(60_000, always, 10)).toEqual([])
  })
})

test.each([
  ['mysql://x', /sqlite:PATH/],
  ['sqlite:', /sqlite:PATH/],
  [{}, /synchronous SQLite driver/],
  [{ $client: { execute: () => {} } }, /synchronous SQLite driver/],
  // Like a database of drizzle-orm/libsql.
  [
    { $client: { execute: async () => {}, batch: async () => {} } },
    /drizzle-orm\/libsql makes is asynchronous: .*drizzle-orm\/better-sqlite3, or .*'sqlite:app\.db'/,
  ],
])('refuses the database %o', (database, message) => {
  expect(() => openSqlStore({ database })).toThrow(message)
})

test('a file that cannot be opened is a 503 that does not name it', async () => {
  const store = openSqlStore({ database: `sqlite:${join(folder, 'none', 'x.db')}` })
  const error: DaymarkError = await store.count(regions, always).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(DaymarkError)
  expect([error.code, error.message]).toEqual(['unavailable', 'The database cannot be opened'])
  await expect(store.transaction(async () => 1)).rejects.toMatchObject({ code: 'unavailable' })
})

test('observe gets every statement, BEGIN and COMMIT too', async () => {
  const { store, seen } = open()
  await store.transaction((tx) => tx.create(regions, { name: 'North' }))
  await store.transaction((tx) => tx.create(regions, { name: 'North' })).catch(() => {})
  await store.find(regions, 1, ['name'])
  expect(seen).toEqual([
    'begin immediate',
    'insert into "contract_regions" ("name") values (?) returning "id"',
    'commit',
    'begin immediate',
    'insert into "contract_regions" ("name") values (?) returning "id"',
    'rollback',
    'select "name" from "contract_regions" where "contract_regions"."id" = ?'.replace('"name"', '"contract_regions"."name"'),
  ])
})

test('an integer beyond 2^53 is a bigint, never a rounded number', async () => {
  const { store, client } = open()
  client.exec(
    "insert into contract_places (id, name, people, area) values (1, 'a', 9007199254740993, 1e300), (2, 'b', -9223372036854775808, 2), (9007199254740993, 'c', 5, 3)",
  )
  const rows = await store.list(places, {
    columns: ['id', 'people', 'area', 'open'],
    where: always,
    order: [{ column: 'id', direction: 'ASC' }],
    limit: 10,
  })
  expect(rows).toEqual([
    [1, 9007199254740993n, 1e300, true],
    [2, -9223372036854775808n, 2, true],
    [9007199254740993n, 5, 3, true],
  ])
  expect(await store.find(places, 9007199254740993n, ['id', 'people'])).toEqual([9007199254740993n, 5])
  expect(await store.find(places, 9007199254740992n, ['id'])).toBeNull()
  expect(await store.findMany(places, [9007199254740993n, 1], ['people'])).toEqual([[9007199254740993n], [5]])
  expect(await store.transaction((tx) => tx.create(places, { name: 'd' }))).toBe(9007199254740994n)
})

test('a stored value that cannot be read is marked, and the rest of its row is there', async () => {
  const { store, client } = open()
  client.exec("insert into contract_places (name, tags) values ('a', 'no json')")
  expect(await store.find(places, 1, ['name', 'tags'])).toEqual(['a', new Illegible('no json')])
})

test('takes the casing of a Drizzle database, and still names columns by key', async () => {
  const people = sqliteTable('people', { id: integer().primaryKey(), firstName: text().notNull().unique() })
  const client = new Libsql(':memory:')
  client.exec('create table people (id integer primary key, first_name text not null unique)')
  const store = openSqlStore({ database: { $client: client, dialect: new SQLiteSyncDialect({ casing: 'snake_case' }) } })
  const model = modelOf(people)
  await store.transaction((tx) => tx.create(model, { firstName: 'Ada' }))
  expect(await store.find(model, 1, ['firstName'])).toEqual(['Ada'])
  const again = store.transaction((tx) => tx.create(model, { firstName: 'Ada' }))
  await expect(again).rejects.toMatchObject({ code: 'conflict', errors: new Map([['firstName', ['Already taken']]]) })
})

test('takes SQL that the schema states, and names that need quoting', async () => {
  let calls = 0
  const odd = sqliteTable('odd "table"', {
    id: integer().primaryKey(),
    made: text('a "b".c').default(sql`(upper('made'))`),
    next: integer().$defaultFn(() => sql`(select count(*) from ${sql.identifier('odd "table"')}) + ${10 * ++calls}` as never),
    touched: integer().$onUpdateFn(() => sql`${100 * ++calls}` as never),
    twice: real().generatedAlwaysAs(sql`next * 2`),
  })
  const { store } = open([
    'create table "odd ""table""" (id integer primary key, "a ""b"".c" text default (upper(\'db\')) unique, next integer, touched integer, twice real generated always as (next * 2))',
  ])
  const model = modelOf(odd)
  await store.transaction((tx) => tx.create(model, {}))
  expect(await store.find(model, 1, ['made', 'next', 'touched', 'twice'])).toEqual(['MADE', 10, 200, 20])
  await store.transaction((tx) => tx.update(model, 1, { made: 'x' }))
  await store.transaction((tx) => tx.update(model, 1, { made: 'y' }))
  expect(await store.find(model, 1, ['made', 'touched'])).toEqual(['y', 400])
  await expect(store.transaction((tx) => tx.create(model, { made: 'y' }))).rejects.toMatchObject({
    errors: new Map([['made', ['Already taken']]]),
  })
  await expect(store.transaction((tx) => tx.create(model, { twice: 1 }))).rejects.toMatchObject({ code: 'invalid' })
})

test('a reference that is only checked at the end is refused there', async () => {
  const { store, client } = open([
    'create table contract_regions (id integer primary key, name text references contract_regions (id) deferrable initially deferred)',
  ])
  await expect(store.transaction((tx) => tx.create(regions, { id: 1, name: '99' }))).rejects.toMatchObject({ code: 'conflict' })
  expect(client.inTransaction).toBe(false)
  await store.transaction((tx) => tx.create(regions, { id: 1, name: '1' }))
  expect(await store.count(regions, always)).toBe(1)
})

test('where SQLite rolls back by itself, nothing that follows is written', async () => {
  const { store } = open([
    ...contractSchema,
    "create trigger stop before insert on contract_regions when new.name = 'stop' begin select raise(rollback, 'stopped by a trigger'); end",
  ])
  const work = store.transaction(async (tx) => {
    await tx.create(regions, { name: 'before' })
    await tx.create(regions, { name: 'stop' }).catch(() => {})
    await tx.create(regions, { name: 'after' }).catch(() => {})
  })
  await expect(work).rejects.toMatchObject({ code: 'invalid', message: expect.not.stringContaining('trigger') })
  expect(await store.count(regions, always)).toBe(0)
})

test('what is too long or too much for SQLite is a 422', async () => {
  const { store } = open()
  const search = (word: string) => store.count(places, { op: 'contains', column: 'name', text: word })
  await expect(search('x'.repeat(12_000))).resolves.toBe(0)
  await expect(search('x'.repeat(13_000))).rejects.toMatchObject({
    code: 'invalid',
    errors: new Map([['name', ['The text to search for is too long']]]),
  })
  const fractions = Array.from({ length: 16_385 }, (_, index) => index + 0.5)
  await expect(store.count(places, { op: 'in', column: 'area', values: fractions })).rejects.toMatchObject({
    code: 'invalid',
    errors: new Map([['area', ['Too many values at once']]]),
  })
  await expect(store.count(places, { op: 'search', columns: ['name'], words: Array(1100).fill('a') })).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('a decimal that SQLite cannot keep is refused', async () => {
  const { store } = open()
  const create = (price: string) => store.transaction((tx) => tx.create(places, { name: 'x', price }))
  for (const price of ['0.12345678901234567890', '12345678901234567890', '9007199254740993.5', '0.00000012345678901234567']) {
    await expect(create(price)).rejects.toMatchObject({ code: 'invalid', errors: new Map([['price', expect.anything()]]) })
  }
  await create('007.50')
  expect(await store.find(places, 1, ['price'])).toEqual(['7.5'])
  await create('-0.0000001')
  expect(await store.find(places, 2, ['price'])).toEqual(['-0.0000001'])
})

test('whole seconds are stored, and compared with moments between them', async () => {
  const visits = sqliteTable('visits', { id: integer().primaryKey(), at: integer({ mode: 'timestamp' }).notNull() })
  const { store } = open(['create table visits (id integer primary key, at integer not null)'])
  const model = modelOf(visits)
  await store.transaction((tx) => tx.create(model, { at: new Date('2026-01-01T10:00:00.700Z') }))
  expect(await store.find(model, 1, ['at'])).toEqual([new Date('2026-01-01T10:00:00Z')])
  const count = (op: 'lt' | 'gt' | 'eq', at: string) => store.count(model, { op, column: 'at', value: new Date(at) })
  expect(await count('lt', '2026-01-01T10:00:00.500Z')).toBe(1)
  expect(await count('gt', '2026-01-01T09:59:59.500Z')).toBe(1)
  expect(await count('eq', '2026-01-01T10:00:00.500Z')).toBe(0)
  expect(await count('eq', '2026-01-01T10:00:00Z')).toBe(1)
})

test('work that lasts longer than a turn of the event loop is committed when it is done', async () => {
  const path = newFile()
  const client = databaseOf(`sqlite:${path}`).connect()
  for (const statement of contractSchema) client.exec(statement)
  client.close()
  const store = openSqlStore({ database: `sqlite:${path}` })
  await store.transaction(async (tx) => {
    await tx.create(regions, { name: 'North' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await tx.create(regions, { name: 'South' })
  })
  expect(await store.count(regions, always)).toBe(2)
  await store.close()
})

test.each([
  ['contains', `${'a'.repeat(198)}b`],
  ['contains', `${'a'.repeat(190)}bık`],
  ['search', `${'a'.repeat(198)}b`],
] as const)('%s does not try every letter of a long value', async (op, text) => {
  const { store, client, seen } = open()
  client.prepare('insert into contract_regions (id, name) values (1, ?), (2, ?)').run('a'.repeat(900_000), `${'A'.repeat(190)}Bık`)
  const where = op === 'search' ? ({ op, columns: ['name'], words: [text] } as const) : ({ op, column: 'name', text } as const)
  expect(await store.count(regions, where)).toBe(text.endsWith('k') ? 1 : 0)
  // The long value is ruled out before the GLOB, which takes time quadratic in its length.
  expect(seen.at(-1)).toMatch(/instr\(lower\("contract_regions"\."name"\), \?\) > 0/)
})

test('a decimal has the digits that it needs, however many zeros stand around them; of what has more a refusal is not long in coming', async () => {
  const { store } = open()
  const written = async (price: string) => {
    const id = await store.transaction((tx) => tx.create(places, { name: 'x', price }))
    return (await store.find(places, id, ['price']))?.[0]
  }
  expect(await written(`${'0'.repeat(5000)}1.50${'0'.repeat(5000)}`)).toBe('1.5')
  expect(await written('-0.00')).toBe('0')
  expect(await written('100')).toBe('100')
  expect(await written('0.000001')).toBe('0.000001')
  expect(await written('-9223372036854775808')).toBe('-9223372036854775808')
  for (const price of [`1.${'10'.repeat(400_000)}1`, '1'.repeat(800_000), '9223372036854775808', '0.12345678901234567891'])
    await expect(written(price)).rejects.toMatchObject({ code: 'invalid', errors: new Map([['price', expect.anything()]]) })
})
