import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { always } from '../../../resource/condition/condition.js'
import { modelOf } from '../../../resource/model/model.js'
import { openSqlStore } from '../open.js'
import type { SqlStore } from '../sql-store.js'
import { databaseOf } from './database.js'
import type { Driver } from './driver.js'

const towns = modelOf(sqliteTable('towns', { id: integer().primaryKey(), name: text().unique(), twin: integer() }))
let folder: string
let other: Driver
let store: SqlStore
const seen: string[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-group-'))
  other = databaseOf(`sqlite:${join(folder, 'towns.db')}`).connect()
  other.exec(
    'create table towns (id integer primary key, name text unique, twin integer references towns (id) deferrable initially deferred)',
  )
  other.exec(
    "create trigger stop before insert on towns when new.name = 'stop' begin select raise(rollback, 'stopped by a trigger'); end; insert into towns (name) values ('first')",
  )
  store = openSqlStore({ database: `sqlite:${join(folder, 'towns.db')}`, observe: (sql) => seen.push(sql) })
  seen.length = 0
})
afterEach(async () => {
  await store.close()
  other.close()
  rmSync(folder, { recursive: true })
})

const make = (name: string, twin: number | null = null) => store.transaction((tx) => tx.create(towns, { name, twin }))
const commits = () => seen.filter((sql) => sql === 'commit').length
const names = () =>
  other
    .prepare('select name from towns order by id', false)
    .all([])
    .map(([name]) => name)
const settled = async (all: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { code?: string }).code))

test('writes that meet are committed together, and nobody is answered before', async () => {
  const before: unknown[] = []
  const all = ['a', 'b', 'c'].map((name) => make(name).then((id) => before.push([id, names().length])))
  await Promise.all(all)
  expect(commits()).toBe(1)
  expect(before).toEqual([
    [2, 4],
    [3, 4],
    [4, 4],
  ])
  await make('alone')
  expect(commits()).toBe(2)
})

test('one that is refused takes back what it did, and nothing else', async () => {
  const half = () =>
    store.transaction(async (tx) => {
      await tx.create(towns, { name: 'half' })
      await tx.create(towns, { name: 'a' })
    })
  const thrown = () =>
    store.transaction(async (tx) => {
      await tx.create(towns, { name: 'thrown' })
      throw Object.assign(new Error('no'), { code: 'mine' })
    })
  const found = () => store.transaction((tx) => tx.count(towns, always))
  expect(await settled([make('a'), half(), make('b'), thrown(), make('c'), found()])).toEqual([2, 'conflict', 3, 'mine', 4, 4])
  expect(names()).toEqual(['first', 'a', 'b', 'c'])
  expect(commits()).toBe(1)
})

test('a refusal is told once what it is due to is on the disk, and not at all if that is gone', async () => {
  const [, seenThen] = await Promise.all([make('a'), make('a').catch(() => names())])
  expect(seenThen).toEqual(['first', 'a'])
  // The one whose twin is missing cannot be committed: what met it is done again, and nothing is in its way any more.
  expect(await settled([make('b', 99), make('b')])).toEqual(['conflict', 3])
  expect(names()).toEqual(['first', 'a', 'b'])
})

test('the first may be refused, too', async () => {
  expect(await settled([make('first'), make('a'), make('b')])).toEqual(['conflict', 2, 3])
  expect(names()).toEqual(['first', 'a', 'b'])
})

test('where the commit is refused, each is done again by itself, and only the one at fault is refused', async () => {
  expect(await settled([make('a'), make('b', 99), make('c', 1)])).toEqual([2, 'conflict', 3])
  expect(names()).toEqual(['first', 'a', 'c'])
})

test('where SQLite rolls back by itself, the others are done again', async () => {
  const [a, stop, b] = await settled([make('a'), make('stop'), make('b')])
  expect([a, b].sort()).toEqual([2, 3])
  expect(stop).toBe('invalid')
  expect(names().sort()).toEqual(['a', 'b', 'first'])
})

test('closing commits what is done', async () => {
  const writing = make('a')
  await Promise.resolve()
  await Promise.all([writing, store.close()])
  expect(names()).toEqual(['first', 'a'])
})

test('of 50 that count up at once, none is lost', async () => {
  await Promise.all(
    Array.from({ length: 50 }, () =>
      store.transaction(async (tx) => {
        const [twin] = (await tx.find(towns, 1, ['twin'])) ?? []
        await tx.update(towns, 1, { twin: 1 })
        await tx.update(towns, 1, { name: String(Number.parseInt(String((await tx.find(towns, 1, ['name']))?.[0]), 10) + 1 || 1) })
        return twin
      }),
    ),
  )
  expect(names()).toEqual(['50'])
})
