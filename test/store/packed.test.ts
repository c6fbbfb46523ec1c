import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blob, customType, integer, real, type SQLiteColumnBuilderBase, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import Libsql from 'libsql'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { always } from '../../src/resource/condition/condition.js'
import { modelOf } from '../../src/resource/model/model.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import type { ListQuery } from '../../src/store/store.js'
import { declarations, kinds, literal, ordinary, outcome } from './sqlite-values.js'

const folder = mkdtempSync(join(tmpdir(), 'daymark-packed-'))
const file = join(folder, 'things.db')
const other = new Libsql(file)
other.exec('create table elsewhere (n); insert into elsewhere values (0)')
const seen: string[] = []
const store = openSqlStore({ database: { $client: new Libsql(file) }, observe: (sql) => seen.push(sql) })
afterAll(async () => {
  await store.close()
  other.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  seen.length = 0
})

let tables = 0
/** A table whose columns are declared one way in the database and another way in Drizzle. */
function things(declared: string, columns: Record<string, SQLiteColumnBuilderBase>) {
  const name = `things_${tables++}`
  other.exec(`create table ${name} (id integer primary key${declared && `, ${declared}`})`)
  const model = modelOf(sqliteTable(name, { id: integer().primaryKey(), ...columns }))
  const asked = (more: Partial<ListQuery>): ListQuery => ({
    columns: ['id', ...Object.keys(columns)],
    where: always,
    order: [{ column: 'id', direction: 'ASC' }],
    limit: 1000,
    ...more,
  })
  const list = (more: Partial<ListQuery>) => store.list(model, asked({ ...more, shared: true }))
  return {
    name,
    /** A cached page is read as a packed text after a change; the second time, the previous text is compared. */
    async packed(more: Partial<ListQuery> = {}) {
      for (const _ of [1, 2]) await list(more)
      other.exec('update elsewhere set n = n + 1')
      const once = await list(more)
      other.exec('update elsewhere set n = n + 1')
      seen.length = 0
      const twice = await list(more)
      expect(twice).toEqual(once)
      return twice
    },
    list,
    plain: (more: Partial<ListQuery> = {}) => store.list(model, asked({ ...more, shared: false })),
  }
}

const wasPacked = () => seen.length === 1 && isPacked(seen[0] as string)
const isPacked = (sql: string) => sql.includes('daymark_packed')

describe.each(declarations)('a table that is declared %s', (_what, declared) => {
  test('is read as one text or not at all, and gives the very values that are read one by one', async () => {
    const { name, packed, plain, list } = things(declared, kinds)
    const row = fc.record(
      Object.fromEntries(Object.keys(kinds).map((column) => [column, fc.oneof(ordinary, fc.constant('null'), literal)])),
    )
    // Shapes vary, because a plan whose text was not exact once is never packed again.
    const shape = fc.shuffledSubarray(['id', ...Object.keys(kinds)], { minLength: 1, maxLength: 4 })
    const ways = { packed: 0, plain: 0, beside: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), shape, fc.boolean(), async (rows, asked, fromEnd) => {
        const values = rows.map((one) => `(${Object.values(one)})`)
        other.exec(`delete from ${name}; insert into ${name} (${Object.keys(kinds)}) values ${values}`)
        const one = await outcome(() => plain({ columns: asked, fromEnd }))
        expect(await outcome(() => packed({ columns: asked, fromEnd }))).toEqual(one)
        ways[wasPacked() ? 'packed' : 'plain']++
        // Mixes rows that are known with new ones.
        other.exec(`update ${name} set flag = 1, words = 'other' where id = 1; insert into ${name} (id) values (0)`)
        const two = await outcome(() => plain({ columns: asked, fromEnd }))
        seen.length = 0
        expect(await outcome(() => list({ columns: asked, fromEnd }))).toEqual(two)
        if (wasPacked()) ways.beside++
      }),
      { numRuns: 400 },
    )
    expect(ways.packed).toBeGreaterThan(25)
    expect(ways.plain).toBeGreaterThan(15)
    expect(ways.beside).toBeGreaterThan(15)
  })
})

test('what its columns are for is read as one text', async () => {
  const { name, packed, plain } = things(
    'words text, json text, whole integer, flag integer, at integer, amount real, exact numeric',
    kinds,
  )
  other.exec(
    `insert into ${name} values (1, 'a"b\\c''d' || char(10, 9, 1, 8232) || 'ä😀', '{"a":[1,"x"]}', 9007199254740991, 1, 1700000000123, 0.30000000000000004, 12.5), (2, '', null, -1, 0, null, 5.0, 7), (3, null, '"x"', null, null, 0, 1e300, null)`,
  )
  const rows = await plain()
  for (const row of rows) expect(row).toHaveLength(8)
  expect(await packed()).toEqual(rows)
  expect(wasPacked()).toBe(true)
  expect((await packed({ fromEnd: true, limit: 2 })).map(([id]) => id)).toEqual([2, 3])
  expect((await packed({ offset: 1, limit: 1 })).map(([id]) => id)).toEqual([2])
  other.exec(`delete from ${name}`)
  expect(await packed()).toEqual([])
})

test('doubles of any bits are what they were', async () => {
  const { name, packed, plain } = things('amount real', { amount: real() })
  const bits = new DataView(new ArrayBuffer(8))
  const insert = other.prepare(`insert into ${name} (amount) values (?)`)
  for (const one of fc.sample(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), 1000)) {
    bits.setBigUint64(0, one)
    const double = bits.getFloat64(0)
    insert.run([Number.isFinite(double) ? double : 0.1])
  }
  for (let offset = 0; offset < 1000; offset += 200) {
    const rows = await plain({ offset, limit: 200 })
    expect(await packed({ offset, limit: 200 })).toEqual(rows)
    expect(wasPacked()).toBe(true)
  }
})

test('doubles that are a whole number of millionths are what they were', async () => {
  const { name, packed, plain } = things('amount real', { amount: real() })
  const insert = other.prepare(`insert into ${name} (amount) values (?)`)
  const millionths = fc.integer({ min: -(10 ** 15) - 10, max: 10 ** 15 + 10 })
  for (const one of fc.sample(millionths, 600)) insert.run([one / 1e6])
  for (const one of fc.sample(fc.integer({ min: -1e6, max: 1e6 }), 200)) insert.run([one / 100])
  for (const one of fc.sample(fc.double({ min: -2e9, max: 2e9, noNaN: true }), 200)) insert.run([one])
  for (let offset = 0; offset < 1000; offset += 200) {
    const rows = await plain({ offset, limit: 200 })
    // -0 is not told from 0.
    expect((await packed({ offset, limit: 200 })).map(([id, one]) => [id, Number(one) + 0])).toEqual(
      rows.map(([id, one]) => [id, Number(one) + 0]),
    )
    expect(wasPacked()).toBe(true)
  }
})

test('what is made of JSON in the statement is a text all the same', async () => {
  const { name, packed, plain } = things(
    "data text, n text generated always as (data -> '$.name') virtual, m as (json_quote(data)) virtual",
    {
      n: text(),
      m: text(),
    },
  )
  other.exec(`insert into ${name} (id, data) values (1, '{"name":"Ada"}'), (2, '{"name":null}'), (3, '{"name":{"a":1}}'), (4, null)`)
  const rows = await plain()
  expect(await packed()).toEqual(rows)
  expect(wasPacked()).toBe(true)
})

describe.each([
  ['a page that was read as one text', true],
  ['a page that was read row by row', false],
])('%s', (_page, known) => {
  test.each<[what: string, declared: string, columns: Record<string, SQLiteColumnBuilderBase>, value: string, first?: string]>([
    ['an integer beyond 2^53', 'n integer', { n: integer() }, '9007199254740993'],
    ['a fraction in a column of integers', 'n integer', { n: integer() }, '1000000000000000.5'],
    ['one that its 15 digits make whole', 'n integer', { n: integer() }, '0.9999999999999999'],
    ['a number in a column of text that has no type', 'n', { n: text() }, '0.30000000000000004', "'1'"],
    ['bytes in a column of text', 'n text', { n: text() }, "x'ff00'"],
    ['bytes in a column of integers', 'n integer', { n: integer() }, "x'ff00'"],
    ['bytes that are the JSON of a text', 'n text', { n: text() }, "x'09'"],
    ['bytes that are the JSON of a number', 'n integer', { n: integer() }, "x'1335'"],
    ['bytes that are JSON, in a column of numbers', 'n real', { n: real() }, "x'1335'"],
    ['a text with a NUL, at which libsql cuts it', 'n text', { n: text() }, "'a' || char(0) || 'b'"],
    ['a long text', 'n text', { n: text() }, `'${'long'.repeat(100)}'`],
    ['a text in a column of numbers', 'n real', { n: real() }, "'abc'"],
    ['infinity', 'n real', { n: real() }, '9e999'],
    ['an integer beyond 2^53 in a column of doubles that keeps it', 'n', { n: real() }, '9007199254740993'],
    ['a text with a line that begins as a row does', 'n integer, w', { n: integer(), w: text() }, `1e15 + 0.5, w = char(8232) || '[1,1,'`],
  ])('%s: the rows are read one by one, from then on at once', async (_what, declared, columns, value, first = '1.0') => {
    const { name, list, plain, packed } = things(declared, columns)
    other.exec(`insert into ${name} (id, n) values (1, ${first}), (2, ${first})`)
    for (const _ of [1, 2]) await list({})
    if (known) await packed()
    other.exec(`update ${name} set n = ${value} where id = 2`)
    const rows = await plain()
    seen.length = 0
    expect(await list({})).toEqual(rows)
    expect(seen.map(isPacked)).toEqual([true, false])
    other.exec(`update ${name} set n = 2 where id = 2`)
    seen.length = 0
    expect(await list({})).toEqual(await plain())
    expect(seen.some(isPacked)).toBe(false)
  })
})

const point = customType<{ data: string; driverData: string }>({ dataType: () => 'text' })

test.each<[what: string, column: SQLiteColumnBuilderBase]>([
  ['bytes', blob({ mode: 'buffer' })],
  ['JSON in bytes', blob({ mode: 'json' })],
  ['a type of the user’s own', point()],
])('a column of %s: the rows are read one by one', async (_what, column) => {
  const { name, packed } = things('n', { n: column })
  other.exec(`insert into ${name} values (1, null)`)
  expect(await packed()).toEqual([[1, null]])
  expect(seen.some(isPacked)).toBe(false)
})

/** A file that another process locks when a page is first read as a packed text. */
class Held extends Libsql {
  static times = 0
  // biome-ignore lint/suspicious/noExplicitAny: the type of the library's own depends on what is bound.
  override prepare(sql: string): any {
    const statement = super.prepare(sql)
    if (!sql.includes('daymark_packed') || Held.times++ > 0) return statement
    statement.get = () => {
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    }
    return statement
  }
}

test('where somebody else holds the file, it is asked again, and the rows are read as one text all the same', async () => {
  const asked: string[] = []
  const waiting = openSqlStore({ database: { $client: new Held(file) }, observe: (sql) => asked.push(sql) })
  other.exec('create table held (id integer primary key); insert into held values (1)')
  const model = modelOf(sqliteTable('held', { id: integer().primaryKey() }))
  const order = [{ column: 'id', direction: 'ASC' }] as const
  const list = () => waiting.list(model, { columns: ['id'], where: always, order, limit: 5, shared: true })
  for (const _ of [1, 2]) await list()
  other.exec('insert into held values (2), (3)')
  asked.length = 0
  expect(await list()).toEqual([[1], [2], [3]])
  expect(asked).toHaveLength(2)
  expect(asked.every(isPacked)).toBe(true)
  await waiting.close()
})
