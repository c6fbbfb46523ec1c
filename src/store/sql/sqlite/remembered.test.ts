import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, describe, expect, test } from 'vitest'
import { always, type Condition } from '../../../resource/condition/condition.js'
import { modelOf } from '../../../resource/model/model.js'
import type { ListQuery } from '../../store.js'
import { openSqlStore } from '../open.js'

/** The same library posing as a fast driver, so that rows are read one by one. */
class OneByOne extends Libsql {
  override readonly sync = undefined as never
}

describe.each([
  ['as one text', Libsql],
  ['one by one', OneByOne],
])('rows that are read %s', (_how, Client) => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-remembered-'))
  const file = join(folder, 'towns.db')
  const other = new Libsql(file)
  other.exec("create table towns (id integer primary key, name text); insert into towns values (1, 'a'), (2, 'b'), (3, '1'), (4, null)")
  const towns = modelOf(sqliteTable('towns', { id: integer().primaryKey(), name: text() }))
  // The same table, with another decoding.
  const dated = modelOf(sqliteTable('towns', { id: integer({ mode: 'timestamp_ms' }).primaryKey(), name: text() }))
  const store = openSqlStore({ database: { $client: new Client(file) } })
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
    // Unchanged rows keep their identity.
    expect(second.slice(1).every((row, i) => row === first[i + 1])).toBe(true)
    await store.transaction((tx) => tx.update(towns, 1, { name: 'a' }))
    const third = await store.list(towns, query())
    expect(third).toEqual(first)
    expect(third).not.toBe(first)
    // The next page may differ again, so the page itself is cached only once it has come twice.
    expect([Object.isFrozen(third), third.every(Object.isFrozen)]).toEqual([false, true])
    const fourth = await store.list(towns, query())
    expect(fourth.every((row, i) => row === third[i])).toBe(true)
    expect(await store.list(towns, query())).toBe(fourth)
    expect(await store.count(towns, always)).toBe(4)
    other.exec('insert into towns (id) values (9)')
    expect(await store.count(towns, always)).toBe(5)
    other.exec('delete from towns where id = 9')
  })

  test('where something else has changed, the very rows are given again; where one of them has, all are read anew', async () => {
    other.exec('create table kinds (id integer primary key, at integer, amount real, name text, more text)')
    other.exec(`insert into kinds values (1, 1700000000000, 0.0, 'ä', '{"a":1}'), (2, null, 1.5, '', null)`)
    const columns = {
      id: integer().primaryKey(),
      at: integer({ mode: 'timestamp_ms' }),
      amount: real(),
      name: text(),
    }
    const kinds = modelOf(sqliteTable('kinds', columns))
    const list = () => store.list(kinds, query({ columns: Object.keys(columns) }))
    /** The result after an unrelated change. */
    const later = async () => {
      other.exec("insert into towns values (700, 'elsewhere'); delete from towns where id = 700")
      return list()
    }
    await list()
    let kept = await list()
    expect(kept[0]).toEqual([1, new Date(1_700_000_000_000), 0, 'ä'])
    expect(await later()).toBe(kept)
    const changes = ['at = at + 1', 'at = null', 'amount = 0.1', "name = 'a'", 'name = null', 'name = 0']
    for (const change of changes) {
      other.exec(`update kinds set ${change} where id = 1`)
      const changed = await list()
      expect(changed, change).not.toEqual(kept)
      expect(changed, change).toEqual(await store.list(kinds, query({ columns: Object.keys(columns), shared: false })))
      // Asked for again without a change, it is cached as before.
      kept = await list()
      expect(await later(), change).toBe(kept)
    }
    other.exec('delete from kinds where id = 2')
    expect(await list()).toHaveLength(1)
    // Decoded objects cannot be compared.
    const json = modelOf(sqliteTable('kinds', { id: integer('id').primaryKey(), more: text('more', { mode: 'json' }) }))
    const objects = () => store.list(json, query({ columns: ['id', 'more'], limit: 1 }))
    const first = await objects()
    expect(await objects()).toBe(first)
    other.exec('update towns set id = 3 where id = 3')
    const again = await objects()
    expect(again).toEqual(first)
    expect(again).not.toBe(first)
    // Their packed text can, from the second time on.
    other.exec('update towns set id = 3 where id = 3')
    expect((await objects()) === again).toBe(Client === Libsql)
  })

  test('a row that is as it was is the very same, wherever it stands now', async () => {
    other.exec(
      "create table moved (id integer primary key, name text); insert into moved values (10, 'a'), (20, 'b'), (30, 'c'), (40, 'd'), (50, 'e')",
    )
    const moved = modelOf(sqliteTable('moved', { id: integer().primaryKey(), name: text() }))
    const list = () => store.list(moved, query({ limit: 5 }))
    await list()
    const known = new Set(await list())
    /** The keys of the page's rows, and of those among them that were reused. */
    const keysAfter = async (change: string) => {
      other.exec(change)
      const rows = await list()
      expect(rows).toEqual(await store.list(moved, query({ limit: 5, shared: false })))
      const same = rows.filter((row) => known.has(row)).map(([id]) => id)
      for (const row of rows) known.add(row)
      return [rows.map(([id]) => id), same]
    }
    expect(await keysAfter("insert into moved values (5, 'first')")).toEqual([
      [5, 10, 20, 30, 40],
      [10, 20, 30, 40],
    ])
    expect(await keysAfter("insert into moved values (25, 'between'); update moved set name = 'other' where id = 10")).toEqual([
      [5, 10, 20, 25, 30],
      [5, 20, 30],
    ])
    expect(await keysAfter('delete from moved where id in (5, 20)')).toEqual([
      [10, 25, 30, 40, 50],
      [10, 25, 30],
    ])
    // Rows with equal values cannot be told apart.
    const names = () => store.list(moved, query({ columns: ['name'], limit: 5 }))
    await names()
    const before = await names()
    other.exec("update moved set name = 'c' where id = 40")
    const [, , third, fourth] = await names()
    expect([third, fourth]).toEqual([['c'], ['c']])
    expect([third === before[2], fourth === before[2]]).toEqual([true, true])
  })

  test('a page that grows beyond what is kept is not kept, though its rows are as they were', async () => {
    other.exec('create table grown (id integer primary key)')
    const grow = (to: number) =>
      other.exec(
        `insert or ignore into grown with recursive n(i) as (select 1 union all select i + 1 from n where i < ${to}) select i from n`,
      )
    const grown = modelOf(sqliteTable('grown', { id: integer().primaryKey() }))
    const list = () => store.list(grown, query({ columns: ['id'], limit: 1000 }))
    grow(150)
    await list()
    expect(Object.isFrozen(await list())).toBe(true)
    grow(290)
    for (const _ of [1, 2, 3]) {
      const rows = await list()
      expect(rows).toHaveLength(290)
      expect([rows, ...rows].some(Object.isFrozen)).toBe(false)
    }
  })

  test.each([
    [2000, 2],
    [2001, 4],
  ])('of four charts with %i groups, %i are computed', async (groups, computed) => {
    other.exec(`drop table if exists days; create table days (id integer primary key, day integer);
      insert into days with recursive n(i) as (select 1 union all select i + 1 from n where i < ${groups}) select i, i from n`)
    const days = modelOf(sqliteTable('days', { id: integer().primaryKey(), day: integer() }))
    const seen: string[] = []
    const charts = openSqlStore({ database: { $client: new Client(file) }, observe: (statement) => seen.push(statement) })
    const by = [{ column: 'day' }]
    for (const _ of [1, 2, 3, 4]) {
      const found = await charts.aggregate(days, {
        of: 'count',
        column: null,
        where: always,
        by,
        order: 'group',
        limit: 3000,
        shared: true,
      })
      expect(found).toHaveLength(groups)
    }
    expect(seen.filter((statement) => statement.includes('group by'))).toHaveLength(computed)
    await charts.close()
  })

  test('a page of which most is another one each time is kept less and less often', async () => {
    other.exec('create table ticks (id integer primary key, n integer); insert into ticks values (1, 0), (2, 0), (3, 0)')
    const ticks = modelOf(sqliteTable('ticks', { id: integer().primaryKey(), n: integer() }))
    const reads = { columns: ['id', 'n'] }
    const kept: number[] = []
    for (let read = 1; read <= 300; read++) {
      other.exec(`update ticks set n = ${read} where id < 3`)
      const rows = await store.list(ticks, query(reads))
      expect(rows[0]).toEqual([1, read])
      if (Object.isFrozen(rows)) kept.push(read)
    }
    const gaps = kept.slice(1).map((read, i) => read - (kept[i] as number))
    expect(kept[0]).toBe(2)
    expect(gaps).toEqual([3, 5, 9, 17, 33, 65, 65, 65].slice(0, gaps.length))
    expect(gaps.length).toBeGreaterThan(5)
    // Once it stops changing, it is cached again.
    await store.list(ticks, query(reads))
    expect(await store.list(ticks, query(reads))).toBe(await store.list(ticks, query(reads)))
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
    other.exec(
      "insert into many with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000) select i, 'm' || i from n",
    )
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

  test('what comes again only after more than fits is never kept; after less, from the second time on', async () => {
    other.exec('create table numbers (id integer primary key)')
    other.exec('insert into numbers (id) with recursive n(i) as (select 1 union all select i + 1 from n where i < 400) select i from n')
    const numbers = modelOf(sqliteTable('numbers', { id: integer().primaryKey() }))
    // 150 of these pages are 15,000 rows, more than are kept.
    const page = (from: number) =>
      store.list(numbers, query({ columns: ['id'], where: { op: 'gt', column: 'id', value: from }, limit: 100 }))
    const kept = async (pages: number) => {
      let count = 0
      for (let from = 0; from < pages; from++) if (Object.isFrozen(await page(from))) count++
      return count
    }
    expect([await kept(150), await kept(150), await kept(150)]).toEqual([0, 0, 0])
    expect([await kept(40), await kept(40)]).toEqual([0, 40])
  })

  test('what is read between others stays known, however many they are', async () => {
    other.exec('create table crawled (id integer primary key, name text)')
    other.exec(
      "insert into crawled with recursive n(i) as (select 1 union all select i + 1 from n where i < 800) select i, 'c' || i from n",
    )
    const crawled = modelOf(sqliteTable('crawled', { id: integer().primaryKey(), name: text() }))
    const page = (from: number) => store.list(crawled, query({ where: { op: 'gt', column: 'id', value: from }, limit: 100 }))
    await page(0)
    const first = await page(0)
    for (let from = 1; from < 600; from++) {
      await page(from)
      if (from % 20 > 0) continue
      other.exec(`update crawled set name = '${from}' where id = 100`)
      expect((await page(0))[0], `after ${from} others`).toBe(first[0])
    }
  })
})
