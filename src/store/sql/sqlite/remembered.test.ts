import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, expect, test } from 'vitest'
import { always, type Condition } from '../../../resource/condition.js'
import { modelOf } from '../../../resource/model.js'
import type { ListQuery } from '../../store.js'
import { openSqlStore } from '../open.js'

const folder = mkdtempSync(join(tmpdir(), 'daymark-remembered-'))
const file = join(folder, 'towns.db')
const other = new Libsql(file)
other.exec("create table towns (id integer primary key, name text); insert into towns values (1, 'a'), (2, 'b'), (3, '1'), (4, null)")
const towns = modelOf(sqliteTable('towns', { id: integer().primaryKey(), name: text() }))
// The same table, read in another way.
const dated = modelOf(sqliteTable('towns', { id: integer({ mode: 'timestamp_ms' }).primaryKey(), name: text() }))
const store = openSqlStore({ database: `sqlite:${file}` })
afterAll(async () => {
  await store.close()
  other.close()
  rmSync(folder, { recursive: true })
})

const query = (more: Partial<ListQuery> = {}): ListQuery => ({
  columns: ['id', 'name'],
  where: always,
  order: [{ column: 'id', direction: 'ASC' }],
  limit: 10,
  shared: true,
  ...more,
})

test('from the second time on the very rows are given again, until another connection or our own has changed something', async () => {
  const once = await store.list(towns, query())
  expect(Object.isFrozen(once)).toBe(false)
  const first = await store.list(towns, query())
  expect(first).toEqual(once)
  expect(Object.isFrozen(first)).toBe(true)
  expect(await store.list(towns, query())).toBe(first)
  other.exec("update towns set name = 'c' where id = 1")
  const second = await store.list(towns, query())
  expect(second[0]).toEqual([1, 'c'])
  await store.transaction((tx) => tx.update(towns, 1, { name: 'a' }))
  const third = await store.list(towns, query())
  expect(third).toEqual(first)
  expect(await store.list(towns, query())).not.toBe(third)
  expect(await store.count(towns, always)).toBe(4)
  other.exec('insert into towns (id) values (9)')
  expect(await store.count(towns, always)).toBe(5)
  other.exec('delete from towns where id = 9')
})

test('what was rolled back, and what is not committed, is not known', async () => {
  const before = await store.list(towns, query())
  const undone = store.transaction(async (tx) => {
    await tx.create(towns, { name: 'gone' })
    expect(await tx.list(towns, query())).toHaveLength(5)
    expect(await store.list(towns, query())).toHaveLength(4)
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  expect(await store.list(towns, query())).toEqual(before)
})

test('rows that somebody may change are their own', async () => {
  const mine = (await store.list(towns, query({ shared: false }))) as unknown[][]
  ;(mine[0] as unknown[])[1] = 'changed'
  expect((await store.list(towns, query()))[0]).toEqual([1, 'a'])
  expect((await store.list(towns, query({ shared: false })))[0]).toEqual([1, 'a'])
})

const is = (column: string, value: unknown): Condition => ({ op: 'eq', column, value })

test('what asks for anything else gets it, however alike it looks', async () => {
  const asked: readonly (readonly [typeof towns, ListQuery])[] = [
    [towns, query()],
    [dated, query()],
    [towns, query({ limit: 1 })],
    [towns, query({ limit: 1, fromEnd: true })],
    [towns, query({ limit: 1, offset: 1 })],
    [towns, query({ columns: ['name', 'id'] })],
    [towns, query({ where: is('name', '1') })],
    [towns, query({ where: is('id', 1) })],
    [towns, query({ where: is('name', null) })],
    [towns, query({ where: { op: 'in', column: 'name', values: ['a,b'] } })],
    [towns, query({ where: { op: 'in', column: 'name', values: ['a', 'b'] } })],
    [towns, query({ where: { op: 'or', all: [is('name', 'a"'), is('name', 'b')] } })],
    [towns, query({ where: { op: 'or', all: [is('name', 'a'), is('name', '"b')] } })],
  ]
  for (let turn = 0; turn < 3; turn++)
    for (const [model, wanted] of asked) {
      expect(await store.list(model, wanted)).toEqual(await store.list(model, { ...wanted, shared: false }))
    }
})

test('what is known stays small: what is unused for long is read anew, and a long list is not kept', async () => {
  const kept = async (asked: ListQuery) => {
    const [, first, second] = [await store.list(towns, asked), await store.list(towns, asked), await store.list(towns, asked)]
    return first === second
  }
  expect(await kept(query())).toBe(true)
  const first = await store.list(towns, query())
  for (let n = 0; n < 10_000; n++) await store.list(towns, query({ where: is('name', `no ${n}`) }))
  expect(await store.list(towns, query())).not.toBe(first)
  other.exec("with recursive n (i) as (select 10 union all select i + 1 from n where i < 300) insert into towns select i, 'x' from n")
  expect(await store.list(towns, query({ limit: 250 }))).toHaveLength(250)
  expect(await kept(query({ limit: 250 }))).toBe(false)
})

test('what lies far into a list is read of the mapped file, and is as new as all else', async () => {
  other.exec('create table many (id integer primary key, name text)')
  other.exec("insert into many with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000) select i, 'm' || i from n")
  const many = modelOf(sqliteTable('many', { id: integer().primaryKey(), name: text() }))
  const far = () => store.list(many, query({ offset: 55_000, limit: 2 }))
  const named = (name: string) => [
    [55_001, name],
    [55_002, 'm55002'],
  ]
  for (const _ of [1, 2, 3]) expect(await far()).toEqual(named('m55001'))
  other.exec("update many set name = 'of another' where id = 55001")
  expect(await far()).toEqual(named('of another'))
  await store.transaction((tx) => tx.update(many, 55_001, { name: 'our own' }))
  for (const _ of [1, 2, 3]) expect(await far()).toEqual(named('our own'))
  await store
    .transaction(async (tx) => {
      await tx.update(many, 55_001, { name: 'not committed' })
      expect(await tx.list(many, query({ offset: 55_000, limit: 2, shared: false }))).toEqual(named('not committed'))
      throw new Error('taken back')
    })
    .catch(() => {})
  other.exec('pragma wal_checkpoint(truncate); delete from many where id > 58000; vacuum')
  expect(await far()).toEqual(named('our own'))
  expect(await store.list(many, query({ offset: 57_999, limit: 5 }))).toEqual([[58_000, 'm58000']])
})
