import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import Libsql from 'libsql'
import { afterAll, describe, expect, test } from 'vitest'
import { always, type Condition } from '../../src/resource/condition/condition.js'
import { modelOf } from '../../src/resource/model/model.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import type { ListQuery, Order, Row } from '../../src/store/store.js'
import { type WrittenField, writerOf } from '../../src/store/written.js'
import { declarations, kinds, literal, ordinary } from './sqlite-values.js'

const folder = mkdtempSync(join(tmpdir(), 'daymark-landmarks-'))
const file = join(folder, 'things.db')
const others = new Libsql(file)
others.exec('pragma journal_mode = wal')
const seen: string[] = []
/** Called before a statement runs. */
let meanwhile = () => {}
const store = openSqlStore({
  database: `sqlite:${file}`,
  observe: (sql) => {
    seen.push(sql)
    meanwhile()
  },
})
afterAll(async () => {
  await store.close()
  others.close()
  rmSync(folder, { recursive: true })
})

const { json: _, exact: __, ...plain } = kinds
const names = Object.keys(plain)
const columns = ['id', ...names]
const fields: readonly WrittenField[] = columns.map((name, at) => ({ name, at }))
/** Rows enough for pages that are far into the list, from either end. */
const many = 1100

function things(name: string, declared: string) {
  others.exec(`create table ${name} (id integer primary key, ${declared})`)
  const model = modelOf(sqliteTable(name, { id: integer().primaryKey(), ...plain }))
  return {
    model,
    fill(rows: readonly Record<string, string>[]) {
      others.exec(`delete from ${name}`)
      const values = Array.from({ length: many }, (_, i) => Object.values(rows[(i * 7) % rows.length] as object).join())
      others.exec(`insert into ${name} (${names}) values ${values.map((one) => `(${one})`).join()}`)
    },
    /** A page as rows or, where SQLite writes it, as JSON. */
    async page(query: ListQuery, written: boolean, most = query.limit) {
      const page = written ? await writerOf(store)?.page(model, query, fields, most) : null
      if (page) return { text: Buffer.from(page.records).toString(), more: page.more }
      return textOf(await store.list(model, query), query, most)
    },
    whole: (order: readonly Order[]) => store.list(model, { columns, where: always, order, limit: 2 * many }),
  }
}

/** A page out of the whole list. */
function pageOf(all: readonly Row[], query: ListQuery, most: number) {
  const { offset = 0, limit, fromEnd } = query
  const end = Math.max(0, all.length - offset)
  return textOf(fromEnd ? all.slice(Math.max(0, end - limit), end) : all.slice(offset, offset + limit), query, most)
}

/** Of one more record than are asked for, the last is left out. */
function textOf(rows: readonly Row[], { fromEnd }: ListQuery, most: number) {
  const some = fromEnd ? rows.slice(-most) : rows.slice(0, most)
  const text = some.map((row) => JSON.stringify(Object.fromEntries(fields.map(({ name, at }) => [name, plainly(row[at])])))).join()
  return { text, more: rows.length > most }
}

const plainly = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** Mostly that of the key, by which a page is found beside a known row. */
const order = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom(...names)),
    fc.constantFrom('ASC' as const, 'DESC' as const),
    fc.constantFrom('ASC' as const, 'DESC' as const),
  )
  .map(([column, direction, last]): Order[] => [...(column ? [{ column, direction }] : []), { column: 'id', direction: last }])

/** What is asked for, one after another: pages beside the one before, pages anywhere, and what is changed meanwhile. */
const step = fc.record({
  goes: fc.constantFrom('on', 'on', 'back', 'anywhere', 'again'),
  offset: fc.integer({ min: 990, max: many + 10 }),
  changes: fc.constantFrom(...Array(8).fill('nothing'), 'by others', 'by itself'),
  written: fc.boolean(),
  shared: fc.boolean(),
  more: fc.boolean(),
})

describe.each(declarations)('a table that is declared %s', (what, declared) => {
  test('pages far into a list are those that walking there leads to, whatever it holds', async () => {
    const name = `things_${what.replace(/\W/g, '_')}`
    const { model, fill, page, whole } = things(name, declared)
    const row = fc.record(Object.fromEntries(names.map((column) => [column, fc.oneof(ordinary, fc.constant('null'), literal)])))
    const size = fc.oneof(fc.constantFrom(1, 2), fc.integer({ min: 1, max: 30 }))
    const walk = fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 9 }),
      order,
      size,
      fromEnd: fc.boolean(),
      steps: fc.array(step, { minLength: 3, maxLength: 20 }),
    })
    let beside = 0
    await fc.assert(
      fc.asyncProperty(walk, async ({ rows, order, size, fromEnd, steps }) => {
        fill(rows)
        let offset = 1001
        let all = await whole(order)
        for (const { goes, offset: other, changes, written, shared, more } of steps) {
          if (changes === 'by others') others.exec(`delete from ${name} where id = (select max(id) - 20 from ${name})`)
          if (changes === 'by itself')
            await store.transaction((tx) =>
              tx.deleteMany(
                model,
                [...Array(3).keys()].map((i) => 40 + i),
                { op: 'lt', column: 'id', value: other },
              ),
            )
          if (changes !== 'nothing') all = await whole(order)
          offset = goes === 'anywhere' ? other : Math.max(0, offset + (goes === 'on' ? size : goes === 'back' ? -size : 0))
          const query: ListQuery = {
            columns,
            where: always,
            order,
            limit: size + (more && !fromEnd ? 1 : 0),
            offset,
            shared,
            ...(fromEnd && { fromEnd }),
          }
          seen.length = 0
          const found = await page(query, written, size)
          if (seen.length > 0 && seen.every((sql) => !/offset/i.test(sql)) && offset > 1000) beside++
          expect(found).toEqual(pageOf(all, query, size))
        }
      }),
      { numRuns: 90 },
    )
    expect(beside).toBeGreaterThan(100)
  })
})

test('a page is right if somebody deletes the row that it begins beside, just before it is read', async () => {
  const { fill, page, whole } = things('raced', declarations[0]?.[1] as string)
  fill([Object.fromEntries(names.map((name) => [name, '1']))])
  const order: Order[] = [{ column: 'id', direction: 'ASC' }]
  const query: ListQuery = { columns, where: always, order, limit: 10, offset: 1010 }
  await page(query, false)
  meanwhile = () => {
    meanwhile = () => {}
    others.exec('delete from raced where id = 1020')
  }
  seen.length = 0
  const found = await page({ ...query, offset: 1020 }, false)
  expect(seen.map((sql) => /offset/i.test(sql))).toEqual([false, true])
  expect(found).toEqual(pageOf(await whole(order), { ...query, offset: 1020 }, 10))
})

test.each([
  ['in another order than that of the key', { order: ['at', 'id'], keys: 3 }],
  ['in the order of the key and more', { order: ['id', 'at'], keys: 4 }],
  ['whose filters are long, so that they would fill the memory', { order: ['id'], keys: 400 }],
])('a list %s is walked', async (what, { order: columnsOf, keys }) => {
  const name = `walked_${keys}`
  const { model, fill } = things(name, declarations[0]?.[1] as string)
  fill([Object.fromEntries(names.map((column) => [column, '1']))])
  const order = columnsOf.map((column): Order => ({ column, direction: 'ASC' }))
  const where: Condition = { op: 'not', of: { op: 'in', column: 'id', values: Array.from({ length: keys }, (_, i) => 10_000 + i) } }
  for (const offset of [1010, 1020, 1010]) {
    seen.length = 0
    const rows = await store.list(model, { columns, where, order, limit: 10, offset })
    expect(
      rows.map(([id]) => id),
      what,
    ).toEqual(Array.from({ length: 10 }, (_, i) => offset + 1 + i))
    expect(seen.map((sql) => /offset/i.test(sql))).toEqual([true])
  }
})
