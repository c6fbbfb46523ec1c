import { integer, real, type SQLiteColumnBuilderBase, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import Libsql from 'libsql'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { always } from '../../src/resource/condition/condition.js'
import { modelOf } from '../../src/resource/model/model.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import type { ListQuery } from '../../src/store/store.js'
import { type WrittenField, writerOf } from '../../src/store/written.js'
import { declarations, kinds, literal, ordinary, outcome } from './sqlite-values.js'

const client = new Libsql(':memory:')
const seen: string[] = []
const store = openSqlStore({ database: { $client: client }, observe: (sql) => seen.push(sql) })
afterAll(async () => {
  await store.close()
  client.close()
})
beforeEach(() => {
  seen.length = 0
})

let tables = 0
function things(declared: string, columns: Record<string, SQLiteColumnBuilderBase>) {
  const name = `things_${tables++}`
  client.exec(`create table ${name} (id integer primary key, ${declared})`)
  const model = modelOf(sqliteTable(name, { id: integer().primaryKey(), ...columns }))
  const asked = (more: Partial<ListQuery>): ListQuery => ({
    columns: ['id', ...Object.keys(columns)],
    where: always,
    order: [{ column: 'id', direction: 'ASC' }],
    limit: 1000,
    ...more,
  })
  return {
    name,
    /** The page as SQLite writes it; null: it cannot be written. */
    async written(more: Partial<ListQuery> = {}, fields = fieldsOf(asked(more).columns)) {
      const page = await writerOf(store)?.page(model, asked(more), fields, asked(more).limit)
      return page ? { text: Buffer.from(page.records).toString(), count: page.count } : null
    },
    /** The same page as JavaScript writes it. */
    async stringified(more: Partial<ListQuery> = {}, fields = fieldsOf(asked(more).columns)) {
      const rows = await store.list(model, asked(more))
      const records = rows.map((row) => Object.fromEntries(fields.map(({ name, at }) => [name, row[at]])))
      return { text: JSON.stringify(records).slice(1, -1), count: rows.length }
    },
  }
}

// One list of fields for each list of columns, as a lens has: a statement belongs to it.
const lists = new Map<string, readonly WrittenField[]>()
function fieldsOf(columns: readonly string[]): readonly WrittenField[] {
  const key = columns.join()
  const known = lists.get(key) ?? columns.map((name, at) => ({ name, at }))
  lists.set(key, known)
  return known
}

const { json: _, exact: __, ...plain } = kinds

describe.each(declarations)('a table that is declared %s', (_what, declared) => {
  test('is written as `JSON.stringify` writes it, or not at all', async () => {
    const { name, written, stringified } = things(declared, kinds)
    const row = fc.record(
      Object.fromEntries(Object.keys(kinds).map((column) => [column, fc.oneof(ordinary, fc.constant('null'), literal)])),
    )
    const shape = fc.shuffledSubarray(['id', ...Object.keys(plain)], { minLength: 1, maxLength: 3 })
    const ways = { written: 0, not: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 3 }), shape, fc.boolean(), async (rows, columns, fromEnd) => {
        client.exec(`delete from ${name}`)
        for (const one of rows) client.exec(`insert into ${name} (${Object.keys(kinds)}) values (${Object.values(one)})`)
        // A list of fields of its own: one that could not be written once is not tried again.
        const fields = columns.map((name, at) => ({ name, at }))
        const page = await outcome(() => written({ columns, fromEnd }, fields))
        ways[page && (page as { rows: unknown }).rows ? 'written' : 'not']++
        if ((page as { rows: unknown }).rows !== null) expect(page).toEqual(await outcome(() => stringified({ columns, fromEnd }, fields)))
      }),
      { numRuns: 600 },
    )
    expect(ways.written).toBeGreaterThan(100)
    expect(ways.not).toBeGreaterThan(30)
  })
})

test('what its columns are for is written', async () => {
  const { name, written, stringified } = things('words text, whole integer, flag integer, at integer, amount real', plain)
  client.exec(
    `insert into ${name} values (1, 'a"b\\c''d/' || char(10, 13, 9, 8, 12, 1, 31, 127, 8232, 8233) || 'ä😀', 9007199254740991, 1, 1700000000123, 758.13), (2, '', -1, 0, 0, 5.0), (3, null, null, null, null, null)`,
  )
  const page = await written()
  expect(page).toEqual(await stringified())
  expect(page?.text).toContain('"amount":758.13}')
  expect(seen.filter((sql) => sql.startsWith('with daymark_written'))).toHaveLength(1)
  expect(await written({ fromEnd: true, limit: 2 })).toEqual(await stringified({ fromEnd: true, limit: 2 }))
  expect(await written({ offset: 1, limit: 1 })).toEqual(await stringified({ offset: 1, limit: 1 }))
  client.exec(`delete from ${name}`)
  expect(await written()).toEqual({ text: '', count: 0 })
})

test('names are written as they are', async () => {
  const { name, written, stringified } = things('n text', { n: text() })
  client.exec(`insert into ${name} values (1, 'a')`)
  const fields = [`it's "quoted"`, 'ä\n', '?', '{x}'].map((name) => ({ name, at: 1 }))
  expect(await written({}, fields)).toEqual(await stringified({}, fields))
})

test('times of every year that has four digits, to the millisecond and to the second', async () => {
  const { name, written, stringified } = things('at integer, second integer', {
    at: integer({ mode: 'timestamp_ms' }),
    second: integer({ mode: 'timestamp' }),
  })
  const [first, last] = [-62_167_219_200_000, 253_402_300_799_999]
  const times = [first, last, first + 1, -1, 0, 1, 999, -999, ...fc.sample(fc.integer({ min: first, max: last }), 2000)]
  const insert = client.prepare(`insert into ${name} (at, second) values (?, ?)`)
  for (const time of times) insert.run([time, Math.trunc(time / 1000)])
  expect(await written({ limit: 5000 })).toEqual(await stringified({ limit: 5000 }))
  for (const beyond of [first - 1, last + 1]) {
    client.exec(`delete from ${name}; insert into ${name} values (1, ${beyond}, 0)`)
    expect(await written({}, [{ name: 'at', at: 1 }])).toBeNull()
  }
})

test('numbers of up to six decimals are written as JavaScript writes them, others not at all', async () => {
  const { name, written, stringified } = things('amount real', { amount: real() })
  const decimal = fc
    .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
    .map(([digits, decimals]) => digits / 10 ** decimals)
  const insert = client.prepare(`insert into ${name} (amount) values (?)`)
  const numbers = fc.sample(decimal, 3000).filter((number) => number === 0 || Math.abs(number) > 1e-4)
  for (const number of numbers) insert.run([number])
  const page = await written({ limit: 5000 })
  expect(page?.count).toBe(numbers.length)
  expect(page).toEqual(await stringified({ limit: 5000 }))
  for (const other of ['1e-5', '0.1234567', '1e9 + 1', '1e21', '9e999', '0.30000000000000004']) {
    client.exec(`delete from ${name}; insert into ${name} values (1, ${other})`)
    expect(await written({}, [{ name: 'amount', at: 1 }]), other).toBeNull()
  }
})

test('a list with a value that cannot be written is not tried again', async () => {
  const { name, written } = things('n integer', { n: integer() })
  client.exec(`insert into ${name} values (1, 1.5)`)
  expect(await written()).toBeNull()
  seen.length = 0
  expect(await written()).toBeNull()
  expect(seen).toEqual([])
})

test.each([
  ['JSON', kinds.json],
  ['numbers as text', kinds.exact],
])('a column of %s is never written', async (_what, column) => {
  const { name, written } = things('n text', { n: column })
  client.exec(`insert into ${name} values (1, '1')`)
  expect(await written()).toBeNull()
  expect(seen).toEqual([])
})

test('a store with a list of the user’s own has no writer: its rows are what that list gives', () => {
  expect(writerOf({ ...store })).toBeDefined()
  expect(writerOf({ ...store, list: async (...asked) => store.list(...asked) })).toBeUndefined()
})

test('a list that could not be written is tried again after a minute', async () => {
  const { name, written, stringified } = things('n integer', { n: integer() })
  client.exec(`insert into ${name} values (1, 1.5)`)
  expect(await written()).toBeNull()
  client.exec(`update ${name} set n = 1`)
  expect(await written()).toBeNull()
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001)
  expect(await written()).toEqual(await stringified())
  later.mockRestore()
})

test.each(['UTF-16le', 'UTF-16be'])('a database in %s, whose bytes are no UTF-8, is read as rows', async (encoding) => {
  const wide = new Libsql(':memory:')
  wide.exec(`pragma encoding = '${encoding}'; create table things (id integer primary key, n text); insert into things values (1, 'ä')`)
  const own = openSqlStore({ database: { $client: wide } })
  const model = modelOf(sqliteTable('things', { id: integer().primaryKey(), n: text() }))
  const query: ListQuery = { columns: ['id', 'n'], where: always, order: [{ column: 'id', direction: 'ASC' }], limit: 5 }
  expect(await writerOf(own)?.page(model, query, fieldsOf(query.columns), 5)).toBeNull()
  expect(await own.list(model, query)).toEqual([[1, 'ä']])
  await own.close()
  wide.close()
})
