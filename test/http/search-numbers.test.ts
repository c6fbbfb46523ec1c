import { belongsTo, definePanel, defineResource, id, memoryStore, number, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { blob, integer, numeric, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  number: integer().notNull(),
  customer: varchar().notNull(),
  serial: blob({ mode: 'bigint' }),
  price: numeric(),
  weight: real(),
  secret: integer(),
})
const payments = sqliteTable('payments', { id: varchar().primaryKey(), orderId: integer('order_id'), note: varchar() })
const tables = { orders, payments }
const inPostgresql = {
  orders: pg.pgTable('orders', {
    id: pg.integer().primaryKey(),
    number: pg.integer().notNull(),
    customer: pg.text().notNull(),
    serial: pg.bigint({ mode: 'bigint' }),
    price: pg.numeric({ precision: 12, scale: 2 }),
    weight: pg.real(),
    secret: pg.integer(),
  }),
  payments: pg.pgTable('payments', { id: pg.text().primaryKey(), orderId: pg.integer('order_id'), note: pg.text() }),
} as unknown as typeof tables

function panelOver(database: string | null, { orders, payments }: typeof tables, isSqlite: boolean): Panel {
  const shared = memoryStore()
  const over = <T>(table: T): T => (database === null ? ({ ...shared, table } as never) : table)
  const fields = {
    id: id().searchable(),
    number: number('Number').searchable().grouping(false),
    customer: text('Customer').searchable(),
    // SQLite has no such column that a kind takes.
    ...(!isSqlite && { serial: number('Serial').searchable() }),
    price: number('Price').searchable().min(1),
    weight: number('Weight').searchable(),
    secret: number('Secret').searchable().visible(['keeper']),
  }
  const Orders = defineResource({ model: over(orders), column: 'customer', fields } as never)
  const Payments = defineResource({
    model: over(payments),
    fields: { id: id().searchable(), orderId: belongsTo('Order', orders), note: text('Note') },
  })
  return definePanel({ auth: 'open', ...(database !== null && { database }), locale: 'de', resources: [Orders, Payments] } as never)
}

const schema = (serial: string, price: string) => [
  `create table orders (id integer primary key, number integer not null, customer text not null, serial ${serial}, price ${price}, weight real, secret integer)`,
  'create table payments (id text primary key, order_id integer, note text)',
]

const stores = {
  async memory() {
    const panel = panelOver(null, tables, true)
    return { panel, tables, isSqlite: true, end: () => panel.close() }
  },
  async SQLite() {
    const statements = schema('blob', 'numeric')
    return { tables, isSqlite: true, ...(await panelIn(await openFile(), statements, (url) => panelOver(url, tables, true))) }
  },
  async PostgreSQL() {
    const statements = schema('bigint', 'numeric(12, 2)')
    return {
      tables: inPostgresql,
      isSqlite: false,
      ...(await panelIn(await openDatabase(), statements, (url) => panelOver(url, inPostgresql, false))),
    }
  },
}

describe.each(Object.entries(stores))('a search for numbers, over %s', (name, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  let app: ReturnType<typeof testPanel>
  beforeAll(async () => {
    opened = await open()
    app = testPanel(opened.panel)
    const { orders, payments } = opened.tables
    const serial = (text: string) => (opened.isSqlite ? null : BigInt(text))
    await app.create(orders, { id: 1, number: 1042, customer: 'Ada 7', serial: serial('9007199254740993'), price: '12.5', weight: 0.1 })
    await app.create(orders, { id: 2, number: 10420, customer: 'Grace', serial: serial('9007199254740992'), price: '0.5', weight: 1e21 })
    await app.create(orders, { id: 3, number: 7, customer: 'Grace 1042', price: '1042', weight: null, secret: 99 })
    await app.create(orders, { id: 1042, number: -5, customer: 'Linus', price: null, weight: 7 })
    await app.create(payments, { id: 'P-1', orderId: 1, note: 'P-2' })
    await app.create(payments, { id: 'P-10', orderId: 2, note: null })
  })
  afterAll(() => opened?.end())

  const found = async (search: string, who = app) => {
    const answer = await who.get(`/admin/resource/orders/crud?${new URLSearchParams({ search, sort: 'id' })}`)
    expect(answer.status, `${search}: ${answer.text}`).toBe(200)
    return (answer.json() as { data: { id: number }[] }).data.map((one) => one.id)
  }

  test.each<[string, number[]]>([
    // The number of one, the customer and the price of another, the key of a third.
    ['1042', [1, 3, 1042]],
    ['104', [3]],
    ['10420', [2]],
    ['7', [1, 3, 1042]],
    ['-5', [1042]],
    ['12.5', [1]],
    ['12.50', [1]],
    ['0.1', [1]],
    // Below the declared minimum, but stored.
    ['0.5', [2]],
    // As the locale writes it, here with a comma and points.
    ['12,5', [1]],
    // The price and the weight may have fractions, so that it is unclear there.
    ['1.042', [1]],
    // Each word is somewhere.
    ['grace 1042', [3]],
    ['1042 grace', [3]],
    ['grace 10420', [2]],
    ['1042 7', [1, 3, 1042]],
    ['grace 12345', []],
    ['nobody', []],
    ['1e400', []],
    ['99999999999', []],
    ['-99999999999999999999999999', []],
    ['9'.repeat(200), []],
    ['0x412', []],
    ['NaN', []],
    ['Infinity', []],
    ["1042' or '1'='1", []],
  ])('%s', async (search, ids) => {
    expect(await found(search)).toEqual(ids)
    // It is a page like any other.
    expect((await app.html.get(`/admin/resource/orders/crud?${new URLSearchParams({ search })}`)).status).toBe(200)
  })

  test('large integers are found exactly', async () => {
    if (opened.isSqlite) {
      expect(await found('9007199254740993')).toEqual([])
      return
    }
    expect(await found('9007199254740993')).toEqual([1])
    expect(await found('9007199254740992')).toEqual([2])
    expect(await found('9223372036854775808')).toEqual([])
  })

  test('a number that the caller may not see is not searched', async () => {
    expect(await found('99')).toEqual([])
    expect(await found('99', app.as({ roles: ['keeper'] }))).toEqual([3])
  })

  test('keys of text are found by the whole of them', async () => {
    const of = async (search: string) =>
      ((await app.get(`/admin/resource/payments/crud?search=${search}`)).json() as { data: { id: string }[] }).data.map(({ id }) => id)
    expect(await of('P-1')).toEqual(['P-1'])
    expect(await of('P-')).toEqual([])
    expect(await of('P-2')).toEqual([])
  })

  test('the box of the list says what it searches', async () => {
    const page = (await app.html.get('/admin/resource/payments/crud')).text
    expect(/type="search"[^>]*placeholder="([^"]*)"/.exec(page)?.[1]).toBe('Suchen in ID')
  })

  test('a relation is searched by numbers, those whose number it is first; its label stays searched', async () => {
    const choices = async (query: string, path = '/admin/async-search/payments/orderId') =>
      ((await app.get(`${path}?${new URLSearchParams({ query })}`)).json() as { data: { key: string; label: string }[] }).data
    expect((await choices('1042')).map(({ key }) => key).toSorted()).toEqual(['1', '1042', '3'])
    expect((await choices('10420')).map(({ label }) => label)).toEqual(['Grace'])
    expect((await choices('12,5')).map(({ label }) => label)).toEqual(['Ada 7'])
    expect((await choices('lin')).map(({ label }) => label)).toEqual(['Linus'])
    expect(await choices('99999999999')).toEqual([])
    // No text of it is searched, so that its label is, as without the key.
    expect((await choices('P-1', '/admin/async-search/payments/id')).map(({ key }) => key)).toContain('P-1')
  })

  test('the command palette finds them, and says why', async () => {
    const palette = async (query: string) =>
      (
        (await app.get(`/admin/palette?${new URLSearchParams({ query })}`)).json() as {
          data: { label: string; url: string; hint?: string }[]
        }
      ).data
    expect(await palette('10420')).toEqual([expect.objectContaining({ label: 'Grace', url: expect.stringMatching(/crud\/2$/) })])
    expect((await palette('10420'))[0]?.hint).toBe('Number: 10420')
    expect((await palette('P-10')).map(({ url }) => url)).toEqual([expect.stringMatching(/payments\/crud\/P-10$/)])
    expect(await palette('99999999999')).toEqual([])
  })

  if (name !== 'memory')
    test('an export has what the search finds', async () => {
      const { text } = await app.get('/admin/resource/orders/export?search=10420')
      expect(text.trim().split('\n')).toHaveLength(2)
    })
})
