import { dateTime, definePanel, defineResource, id, memoryStore } from 'daymark'
import { createClient } from 'daymark/client'
import { pgTable, timestamp, integer as whole } from 'drizzle-orm/pg-core'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

const orders = sqliteTable('orders', { id: integer().primaryKey(), at: integer({ mode: 'timestamp' }) })
const pgOrders = pgTable('orders', {
  id: whole().primaryKey(),
  at: timestamp({ withTimezone: true, precision: 0 }),
  local: timestamp({ precision: 0 }),
})
const fields = { id: id(), at: dateTime('At') }
const [first, second] = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z'] as const

const file = new Libsql(':memory:')
file.exec(
  `create table orders (id integer primary key, at integer); insert into orders values (1, unixepoch('${first}')), (2, unixepoch('${second}'))`,
)
const inMemory = definePanel({
  auth: 'open',
  resources: [
    defineResource({
      model: memoryStore(orders, [
        { id: 1, at: new Date(first) },
        { id: 2, at: new Date(second) },
      ]),
      fields,
      filters: ['at'],
    }),
  ],
})
const inSqlite = definePanel({
  auth: 'open',
  database: { $client: file },
  resources: [defineResource({ model: orders, fields, filters: ['at'] })],
})
let db: TestDatabase
let inPostgresql: typeof inMemory
beforeAll(async () => {
  db = await openDatabase()
  await db.query('create table orders (id int primary key, at timestamptz(0), local timestamp(0))')
  await db.query(`insert into orders values (1, '${first}', '${first}'), (2, '${second}', '${second}')`)
  inPostgresql = definePanel({
    auth: 'open',
    database: db.url,
    resources: [defineResource({ model: pgOrders, fields: { ...fields, local: dateTime('Local') }, filters: ['at', 'local'] })],
  }) as unknown as typeof inMemory
})
afterAll(async () => {
  await inPostgresql.close()
  await db.drop()
})

const between = '2026-01-01T00:00:01.001Z'
const ask = async (panel: typeof inMemory, query: string, accept = 'application/json') => {
  const answer = await panel.fetch(new Request(`http://localhost/admin/resource/orders/crud?sort=id&${query}`, { headers: { accept } }))
  return { status: answer.status, text: await answer.text() }
}
const found = async (panel: typeof inMemory, query: string) => {
  const { status, text } = await ask(panel, query)
  return [status, (JSON.parse(text) as { data?: { id: number }[] }).data?.map((one) => one.id)]
}

describe.each([
  ['memory', () => inMemory, ['at']],
  ['SQLite', () => inSqlite as unknown as typeof inMemory, ['at']],
  ['PostgreSQL', () => inPostgresql, ['at', 'local']],
] as const)('whole seconds in %s', (_, panel, columns) => {
  test.each([
    ['gt', [2]],
    ['gte', [2]],
    ['from', [2]],
    ['lt', [1]],
    ['lte', [1]],
    ['to', [1]],
  ] as const)('are compared with a time between them: %s', async (operator, keys) => {
    for (const column of columns) expect(await found(panel(), `filter[${column}][${operator}]=${between}`)).toEqual([200, keys])
  })

  test('equal none, which is refused, as what no range could keep is', async () => {
    for (const asked of [`[at]=${between}`, `[at][ne]=${between}`, '[at][gte]=2026-01-01T00:00:01.0001Z'])
      expect((await ask(panel(), `filter${asked}`)).status).toBe(422)
  })

  test('are asked for by a Date', async () => {
    const client = createClient<typeof inMemory>({ baseUrl: 'http://localhost/admin', fetch: (request) => panel().fetch(request) })
    const { data } = await client.orders.list({ filter: { at: { gte: new Date(between) } } })
    expect(data.map((one) => one.id)).toEqual([2])
  })

  test('are shown with the time that a filter asks for', async () => {
    const { text } = await ask(panel(), `filter[at][from]=${between}`, 'text/html')
    expect(text).not.toContain('notice warn')
    expect(text).toContain('value="2026-01-01T00:00:01.001"')
    expect(text).toContain('At &#8805; Jan 1, 2026, 12:00')
  })
})
