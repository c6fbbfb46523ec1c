import { belongsTo, definePanel, defineResource, hasMany, html, id, memoryStore, number, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, numeric, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  team: varchar().notNull(),
  customerId: integer('customer_id').references(() => customers.id),
  count: integer(),
  weight: real(),
  price: numeric(),
  margin: integer(),
})
const tables = { customers, orders }
const customersInPg = pg.pgTable('customers', { id: pg.integer().primaryKey(), name: pg.text().notNull() })
const inPostgresql = {
  customers: customersInPg,
  orders: pg.pgTable('orders', {
    id: pg.integer().primaryKey(),
    name: pg.text().notNull(),
    team: pg.text().notNull(),
    customerId: pg.integer('customer_id').references(() => customersInPg.id),
    count: pg.integer(),
    weight: pg.doublePrecision(),
    price: pg.numeric(),
    margin: pg.integer(),
  }),
} as unknown as typeof tables
const schema = (double: string) => [
  'create table customers (id integer primary key, name text not null)',
  `create table orders (id integer primary key, name text not null, team text not null, customer_id integer references customers (id),
    count integer, weight ${double}, price numeric, margin integer)`,
]

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any

function panelOver(database: string | null, { customers, orders }: typeof tables): Panel {
  const over = <T>(table: T): T => (database === null ? (memoryStore(table as never) as never) : table)
  const model = over(orders)
  const shared = {
    model,
    fields: {
      id: id(),
      name: text('Name').sortable().searchable(),
      team: text('Team'),
      customerId: belongsTo('Customer', customers),
      count: number('Count').sortable(),
      weight: number('Weight'),
      price: number('Price').decimals(2),
      margin: number('Margin').visible(['boss']),
    },
    pages: { index: ['name', 'count', 'price', 'margin'] },
    filters: ['team', 'customerId'],
    sortColumn: 'id',
    sortDirection: 'ASC',
    itemsPerPage: 2,
    summary: { price: ['largest', 'sum'], count: ['average', 'sum'], weight: 'smallest', margin: 'sum' },
    scope: ({ user }: Given) => (user.roles.includes('north') ? { team: 'north' } : {}),
  }
  return definePanel({
    auth: 'open',
    ...(database !== null && { database }),
    resources: [
      defineResource(shared as never),
      defineResource({ ...shared, uriKey: 'flowing', simplePaginate: true } as never),
      defineResource({ ...shared, uriKey: 'whole', usePagination: false } as never),
      defineResource({ ...shared, uriKey: 'capped', count: 'capped' } as never),
      defineResource({ ...shared, uriKey: 'plain', summary: undefined } as never),
      defineResource({
        ...shared,
        uriKey: 'own',
        table: { tfoot: (_: unknown, { own, cells }: Given) => html`<tr><td colspan="${cells}">before</td></tr>${own()}` },
      } as never),
      defineResource({
        model: over(customers),
        fields: { id: id(), name: text('Name') },
        related: [
          hasMany('orders', { name: 'all' }),
          hasMany('orders', { name: 'few', limit: 1 }),
          hasMany('whole', { name: 'paged', perPage: 1 }),
        ],
      }),
    ],
  } as never)
}

const stores = {
  async memory() {
    const panel = panelOver(null, tables)
    return { panel, tables, end: () => panel.close() }
  },
  async SQLite() {
    return { tables, ...(await panelIn(await openFile(), schema('real'), (url) => panelOver(url, tables))) }
  },
  async PostgreSQL() {
    const statements = schema('double precision')
    return { tables: inPostgresql, ...(await panelIn(await openDatabase(), statements, (url) => panelOver(url, inPostgresql))) }
  },
}

describe.each(Object.entries(stores))('numbers below the columns, over %s', (_, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  beforeEach(async () => {
    opened = await open()
    const app = testPanel(opened.panel)
    const { customers, orders } = opened.tables
    for (const [i, name] of ['Ada', 'Bo'].entries()) await app.create(customers, { id: i + 1, name })
    for (const [i, [team, count, weight, price]] of [
      ['north', 1, 0.5, '10.10'],
      ['north', 2, null, '20.20'],
      ['south', 6, -1.5, '0.70'],
      ['south', null, 2.25, null],
      ['south', 3, 8, '100'],
    ].entries())
      await app.create(orders, {
        id: i + 1,
        name: `order ${i + 1}`,
        team,
        count,
        weight,
        price,
        margin: i,
        customerId: 1 + (i % 2),
      } as never)
  })
  afterEach(() => opened?.end())

  const as = (...roles: string[]) => testPanel(opened.panel).as({ id: '7', name: 'Grace', roles })
  const crud = (query = '', uri = 'orders') => `/admin/resource/${uri}/crud${query}`
  const summary = async (query: string, app = as('clerk'), uri = 'orders') => {
    const answer = await app.get(crud(query, uri))
    expect(answer.status, answer.text).toBe(200)
    return (answer.json() as { summary?: unknown }).summary
  }
  const all = { price: { sum: 131, largest: 100 }, count: { sum: 12, average: 3 }, weight: { smallest: -1.5 } }
  /** The rows of the foot, each as the texts of its cells that have one. */
  const foot = (text: string) =>
    [...text.matchAll(/<tr class="summary">(.*?)<\/tr>/g)].map(([, row = '']) =>
      [...row.matchAll(/<t[dh][^>]*>([^<]+)<\/t[dh]>/g)].map(([, cell]) => cell),
    )

  test('are over all that match, as far as the user may see', async () => {
    expect(await summary('')).toBeUndefined()
    expect(await summary('?summary=0')).toBeUndefined()
    for (const query of ['?summary=1', '?summary=true&page=3', '?summary=1&sort=-name&perPage=1&fields=name'])
      expect(await summary(query)).toEqual(all)
    expect(await summary('?summary=1', as('boss'))).toEqual({ ...all, margin: { sum: 10 } })
    const north = { price: { sum: expect.closeTo(30.3, 9), largest: 20.2 }, count: { sum: 3, average: 1.5 }, weight: { smallest: 0.5 } }
    expect(await summary('?summary=1&filter[team]=north')).toEqual(north)
    expect(await summary('?summary=1', as('north'))).toEqual(north)
    expect(await summary('?summary=1&search=4')).toEqual({
      price: { sum: 0, largest: null },
      count: { sum: 0, average: null },
      weight: { smallest: 2.25 },
    })
    for (const uri of ['flowing', 'whole', 'capped', 'own']) expect(await summary('?summary=1', as('clerk'), uri), uri).toEqual(all)
  })

  test('are not asked for wrongly', async () => {
    const refused = async (query: string, uri = 'orders') => (await as('clerk').get(crud(query, uri))).is('invalid').error.errors
    expect(Object.fromEntries(await refused('?summary=yes'))).toEqual({ summary: ['summary must be one of: 1, true, 0, false'] })
    expect(Object.keys(Object.fromEntries(await refused('?summary=1', 'plain')))).toEqual(['summary'])
    expect(foot((await as('clerk').html.get(crud('', 'plain'))).text)).toEqual([])
  })

  test('stand in the foot of the table, of the columns that it shows', async () => {
    const page = async (query = '', app = as('clerk'), uri = 'orders') => foot((await app.html.get(crud(query, uri))).text)
    expect(await page()).toEqual([
      ['Sum of all 5', '12', '131.00'],
      ['Average of all 5', '3'],
      ['Largest of all 5', '100.00'],
    ])
    expect(await page('', as('boss'))).toContainEqual(['Sum of all 5', '12', '131.00', '10'])
    expect(await page('?perPage=10&filter[team]=north')).toEqual([
      ['Sum', '3', '30.30'],
      ['Average', '1.5'],
      ['Largest', '20.20'],
    ])
    expect(await page('?perPage=10&search=4')).toEqual([
      ['Sum', '0', '0.00'],
      ['Average', '&#8212;'],
      ['Largest', '&#8212;'],
    ])
    expect(await page('?search=nothing')).toEqual([])
    expect((await page('', as('clerk'), 'flowing'))[0]).toEqual(['Sum of all', '12', '131.00'])
    expect((await page('', as('clerk'), 'whole'))[0]).toEqual(['Sum', '12', '131.00'])
    const own = await as('clerk').html.get(crud('', 'own'))
    expect(own.text).toMatch(/<tfoot><tr><td colspan="\d">before<\/td><\/tr><tr class="summary">/)
    // Below the orders of a customer, and not below a few of them.
    const { text } = await as('clerk').html.get('/admin/resource/customers/crud/1')
    const [first = '', second = '', third = ''] = text.split(/id="(?:few|paged)"/)
    expect(foot(first)[0]).toEqual(['Sum of all 3', '10', '110.80'])
    expect(foot(second)).toEqual([])
    expect(foot(third)[0]).toEqual(['Sum of all 3', '10', '110.80'])
  })

  test('are those of now, also if no row of the page has changed', async () => {
    expect(await summary('?summary=1')).toEqual(all)
    expect(await summary('?summary=1')).toEqual(all)
    // What is around the rows of a page is kept from its second answer on.
    const below = async () => foot((await as('clerk').html.get(crud())).text)[0]
    for (let i = 0; i < 4; i++) expect(await below()).toEqual(['Sum of all 5', '12', '131.00'])
    expect((await as('clerk').put('/admin/resource/orders/crud/5', { count: 30 })).status).toBe(200)
    expect(await summary('?summary=1')).toEqual({ ...all, count: { sum: 39, average: 9.75 } })
    expect(await below()).toEqual(['Sum of all 5', '39', '131.00'])
    expect((await as('clerk').put('/admin/resource/orders/crud/5', { count: 3 })).status).toBe(200)
    expect(await below()).toEqual(['Sum of all 5', '12', '131.00'])
  })
})

test('what has no numbers is told at start-up', () => {
  const problems = (summary: object) => {
    try {
      const fields = { id: id(), name: text('Name'), customerId: belongsTo('Customer', customers), count: number() }
      const Customers = defineResource({ model: memoryStore(customers) })
      definePanel({
        auth: 'open',
        resources: [Customers, defineResource({ model: memoryStore(orders), fields, summary } as never)],
      } as never)
      return []
    } catch (thrown) {
      return (thrown as { problems: { id: string; where: string; text: string }[] }).problems.map(
        ({ id, where, text }) => `${id} ${where}: ${text}`,
      )
    }
  }
  expect(problems({ count: ['sum', 'average'] })).toEqual([])
  expect(problems({ count: 'median' })).toEqual(['summary orders.summary.count: "median" is none of sum, average, smallest, largest'])
  expect(problems({ name: 'sum' })).toEqual(['summary orders.summary.name: the field holds no numbers. Valid: count'])
  expect(problems({ id: 'sum' })).toEqual(['summary orders.summary.id: the field holds no numbers. Valid: count'])
  expect(problems({ customerId: 'sum' })).toEqual([
    'summary orders.summary.customerId: the field refers to records, and holds no numbers. Valid: count',
  ])
  expect(problems({ price: 'sum' })).toEqual(['summary orders.summary.price: "price" is not declared as a field. Valid: count'])
})

test('a sum beyond the largest double takes nobody the list, on PostgreSQL, which refuses to compute it', async () => {
  const database = await openDatabase()
  await database.query('create table weights (id integer primary key, weight double precision)')
  await database.query('insert into weights values (1, 1e308), (2, 1e308)')
  const model = pg.pgTable('weights', { id: pg.integer().primaryKey(), weight: pg.doublePrecision() })
  const Weights = defineResource({ model, summary: { weight: ['sum', 'largest'] } })
  const panel = definePanel({ auth: 'open', database: database.url, resources: [Weights], log: () => {} })
  try {
    const answer = await testPanel(panel).get('/admin/resource/weights/crud?summary=1')
    expect([answer.status, (answer.json() as { summary: object }).summary]).toEqual([200, { weight: { sum: null, largest: 1e308 } }])
    expect((await testPanel(panel).html.get('/admin/resource/weights/crud')).status).toBe(200)
  } finally {
    await panel.close()
    await database.drop()
  }
})
