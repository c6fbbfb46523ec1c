// Columns whose names mean something to SQL, JavaScript or the panel.
import { belongsTo, definePanel, defineResource, id, not, number, text } from 'daymark'
import { sql } from 'drizzle-orm'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const db = new Libsql(':memory:')
const tables = ['votes', 'cars', 'stages', 'teams', 'products', 'orders', 'pairs']
db.exec(`create table votes (id integer primary key, state text, "true" integer, "false" integer, "null" integer);
  create table cars (constructor text primary key, name text);
  create table stages (id integer primary key, name text, value_of real not null);
  create table teams (id integer primary key, name text, constructor text);
  create table products (id integer primary key, name text, label integer);
  create table orders (id integer primary key, product_id integer references products);
  create table pairs (id integer primary key, c1 text, "c, 2" text, unique ("c, 2"))`)
beforeEach(() => {
  for (const table of tables.toReversed()) db.exec(`delete from ${table}`)
  db.exec(`insert into votes values (1, 'public', 1, 0, 5), (2, 'secret', 7, 1, 0), (3, null, 0, 0, null);
    insert into cars values ('vw', 'Golf'); insert into products values (1, 'Pen', 7); insert into orders values (1, 1);
    insert into pairs values (1, 'a', 'b')`)
})
afterAll(() => db.close())

const votes = sqliteTable('votes', {
  id: integer().primaryKey(),
  state: varchar(),
  yes: integer('true'),
  no: integer('false'),
  none: integer('null'),
})
const cars = sqliteTable('cars', { constructor: varchar().primaryKey(), name: varchar() })
const stages = sqliteTable('stages', { id: integer().primaryKey(), name: varchar(), valueOf: real('value_of').notNull() })
const teams = sqliteTable('teams', { id: integer().primaryKey(), name: varchar(), constructor: varchar() })
const products = sqliteTable('products', { id: integer().primaryKey(), name: varchar(), label: integer() })
const orders = sqliteTable('orders', { id: integer().primaryKey(), productId: integer('product_id').references(() => products.id) })
const pairs = sqliteTable('pairs', { id: integer().primaryKey(), c1: varchar(), c2: varchar('c, 2').unique() })

const app = testPanel(
  definePanel({
    auth: 'open',
    database: { $client: db },
    resources: [
      defineResource({
        model: votes,
        fields: { id: id(), state: text('State') },
        scope: () => not({ state: 'secret' }),
        queryTags: { some: { label: 'Some', where: not({ yes: 1 }) } },
      }),
      defineResource({ model: cars, fields: { constructor: id(), name: text() } }),
      defineResource({ model: stages, fields: { id: id(), name: text(), valueOf: number().readOnly() }, reorderable: 'valueOf' }),
      defineResource({ model: teams, fields: { id: id(), name: text(), constructor: text().default('Lotus') } }),
      defineResource({ model: products, fields: { id: id(), name: text('Name'), label: number('Label') }, column: 'name' }),
      defineResource({ model: orders, fields: { id: id(), productId: belongsTo() } }),
      defineResource({ model: pairs, fields: { id: id(), c1: text('One'), c2: text('Two') } }),
    ],
  }),
)
const base = (uri: string) => `/admin/resource/${uri}/crud`

describe('columns named true, false and null', () => {
  const ids = async (query = '') => {
    const { data } = (await app.get(`${base('votes')}${query}`)).json<{ data: { id: number }[] }>()
    return data.map((one) => one.id).sort()
  }
  test('leave a scope with `not` as narrow as it is', async () => {
    expect(await ids()).toEqual([1, 3])
    expect(await ids('?query-tag=some')).toEqual([3])
    expect((await app.get(`${base('votes')}/2`)).status).toBe(404)
    expect((await app.delete(`${base('votes')}/2`)).status).toBe(404)
    expect(db.prepare('select count(*) from votes').raw().get()).toEqual([3])
  })
})

test('a key named constructor can be kept by an update', async () => {
  expect((await app.patch(`${base('cars')}/vw`, { name: 'Polo' })).json()).toMatchObject({ data: { constructor: 'vw', name: 'Polo' } })
})

test('a place named valueOf is given to new records', async () => {
  expect((await app.post(base('stages'), { name: 'one' })).json()).toMatchObject({ data: { valueOf: 1 } })
  expect((await app.post(base('stages'), { name: 'two' })).json()).toMatchObject({ data: { valueOf: 2 } })
})

test('a field named constructor has its default', async () => {
  expect((await app.post(base('teams'), { name: 'A' })).json()).toMatchObject({ data: { constructor: 'Lotus' } })
})

test('a related record has its label, though a field is called so', async () => {
  expect((await app.get(`${base('orders')}/1?include=product`)).json()).toMatchObject({ data: { product: { id: 1, label: 'Pen' } } })
})

test('a column with a comma in its name is named where its value is taken', async () => {
  const answer = await app.post(base('pairs'), { c1: 'x', c2: 'b' })
  expect([answer.status, answer.json()]).toEqual([409, expect.objectContaining({ errors: { c2: ['Two is already taken'] } })])
})

test('full text over a column that FTS5 reserves does not start', () => {
  const officers = sqliteTable('officers', { id: integer().primaryKey(), grade: varchar('rank') })
  const Officers = defineResource({ model: officers, fields: { id: id(), grade: text().searchable() }, fullText: true })
  expect(() => definePanel({ auth: 'open', database: { $client: db }, resources: [Officers] })).toThrow(
    /full-text-fields {2}officers\.fullText: FTS5 has no column named "rank"/,
  )
})

test('a change of what a generated key is made of is refused by the key that would move', async () => {
  const stock = sqliteTable('stock', {
    key: varchar().generatedAlwaysAs(sql`branch || ':' || sku`).notNull().unique(),
    branch: varchar().notNull(),
    sku: varchar().notNull(),
    amount: integer(),
  })
  db.exec(`create table stock (branch text not null, sku text not null, amount integer, key text not null generated always as (branch || ':' || sku) virtual);
    create unique index stock_key on stock (key); insert into stock (branch, sku, amount) values ('2', 'OIL', 5)`)
  const Stock = defineResource({ model: stock, key: 'key', fields: { key: id('Key'), branch: text(), sku: text(), amount: number() } })
  const shop = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Stock] }))
  const answer = await shop.patch(`${base('stock')}/2:OIL`, { sku: 'OIL2' })
  expect([answer.status, answer.json()]).toEqual([422, expect.objectContaining({ message: expect.stringContaining('another key (Key)') })])
  expect((await shop.patch(`${base('stock')}/2:OIL`, { amount: 6 })).json()).toMatchObject({ data: { sku: 'OIL', amount: 6 } })
})

test('an export with a column that leads on to a relation can be imported', async () => {
  const lines = sqliteTable('lines', { id: integer().primaryKey(), name: varchar(), orderId: integer().references(() => orders.id) })
  db.exec(
    `create table lines (id integer primary key, name text, orderId integer references orders); insert into lines values (1, 'first', 1)`,
  )
  const Lines = defineResource({
    model: lines,
    fields: { id: id(), name: text(), orderId: belongsTo() },
    pages: { index: ['name', 'orderId', 'orderId.productId'] },
    import: true,
  })
  const resources = [
    Lines,
    defineResource({ model: orders, fields: { id: id(), productId: belongsTo() } }),
    defineResource({ model: products }),
  ]
  const shop = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources }))
  const csv = (await shop.get('/admin/resource/lines/export')).text
  expect(csv).toContain('(key)')
  const answer = await shop.post('/admin/resource/lines/import?mode=update', new Blob([csv], { type: 'text/csv' }))
  expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ data: expect.objectContaining({ unchanged: 1 }) })])
  db.exec('drop table lines')
})
