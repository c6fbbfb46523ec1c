import { belongsTo, definePanel, defineResource, hasMany, id, memoryStore, number, type Panel, text, trashResource } from 'daymark'
import { type TestPanel, testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const orders = sqliteTable('orders', { id: integer().primaryKey(), customer: varchar().notNull(), total: integer().notNull().default(0) })
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  orderId: integer('order_id').references(() => orders.id),
  price: integer().notNull(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const notes = sqliteTable('notes', { id: integer().primaryKey(), orderId: integer('order_id').notNull() })
const tables = { orders, lines, notes }

const pgOrders = pg.pgTable('orders', {
  id: pg.serial().primaryKey(),
  customer: pg.text().notNull(),
  total: pg.integer().notNull().default(0),
})
const inPostgresql = {
  orders: pgOrders,
  lines: pg.pgTable('lines', {
    id: pg.serial().primaryKey(),
    orderId: pg.integer('order_id').references(() => pgOrders.id),
    price: pg.integer().notNull(),
    deletedAt: pg.timestamp('deleted_at', { withTimezone: true, precision: 3 }),
  }),
  notes: pg.pgTable('notes', { id: pg.serial().primaryKey(), orderId: pg.integer('order_id').notNull() }),
} as unknown as typeof tables

const schemaIn = (sqlite: boolean) => {
  const key = sqlite ? 'integer primary key' : 'serial primary key'
  return `create table orders (id ${key}, customer text not null, total integer not null default 0);
    create table lines (id ${key}, order_id integer references orders, price integer not null, deleted_at ${sqlite ? 'integer' : 'timestamptz(3)'});
    create table notes (id ${key}, order_id integer not null)`
}

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any

/** The orders that were settled, in order. */
const settled: number[] = []

function panelOver(database: string | null, { orders, lines, notes }: typeof tables): Panel {
  const shared = memoryStore()
  const over = <T>(table: T): T => (database === null ? ({ ...shared, table } as never) : table)
  const Lines = defineResource({
    model: over(lines),
    sortDirection: 'ASC',
    fields: { id: id(), orderId: belongsTo('Order', orders), price: number('Price') },
    softDelete: 'deletedAt',
    import: true,
    handlers: {
      raise: {
        async run({ ids, update }: Given) {
          for (const one of ids) await update(one, { price: 10 })
        },
      },
      slowly: {
        long: true,
        async run({ ids, update }: Given) {
          for (const one of ids) await update(one, { price: 20 })
        },
      },
    },
    methods: {
      twice: {
        async run({ create }: Given) {
          for (const price of [1, 2]) await create({ orderId: 1, price })
        },
      },
    },
  } as never)
  const Orders = defineResource({
    model: over(orders),
    sortDirection: 'ASC',
    fields: { id: id(), customer: text('Customer').required(), total: number('Total').readOnly() },
    related: [hasMany(Lines, { name: 'lines', inForm: ['price'] } as never)],
    history: database !== null,
    hooks: {
      async settled({ record, of, unrestricted }: Given) {
        settled.push(record.id)
        const all = await of(Lines).unrestricted.list({ where: { orderId: record.id }, limit: 10_000 })
        const total = all.reduce((sum: number, { price }: Given) => sum + price, 0)
        if (total > 1000) throw Object.assign(new Error('Too much'), { refused: true })
        await unrestricted.update(record.id, { total })
      },
    },
  } as never)
  // Its hook writes lines, before its own write, which would end the transaction.
  const Notes = defineResource({
    model: over(notes),
    fields: { id: id(), orderId: number('Order') },
    hooks: {
      async beforeSave({ values, of }: Given) {
        await of(Lines).create({ orderId: values.orderId, price: 7 })
      },
    },
  } as never)
  const resources = [Orders, Lines, Notes, trashResource(Lines, { can: ['admin'] } as never)]
  return definePanel({ auth: 'open', ...(database !== null && { database }), resources, log: () => {} } as never)
}

interface World {
  readonly test: TestPanel
  end(): Promise<unknown>
}

async function world(kind: string): Promise<World> {
  if (kind === 'memory') {
    const panel = panelOver(null, tables)
    return { test: testPanel(panel), end: () => panel.close() }
  }
  const isSqlite = kind === 'SQLite'
  const database = isSqlite ? await openFile() : await openDatabase()
  const { panel, end } = await panelIn(database, [schemaIn(isSqlite)], (url) => panelOver(url, isSqlite ? tables : inPostgresql))
  return { test: testPanel(panel), end }
}

describe.each(['memory', 'SQLite', 'PostgreSQL'])('records that are settled at the end of a transaction, over %s', (kind) => {
  let at: World
  let order: number
  let ids: number[]
  beforeAll(async () => {
    at = await world(kind)
  })
  afterAll(() => at?.end())
  const crud = (resource: string, key?: unknown) => `/admin/resource/${resource}/crud${key === undefined ? '' : `/${key}`}`
  const dataOf = (answer: { json(): unknown }) => (answer.json() as { data: Given }).data
  const totals = async () => dataOf(await at.test.get(crud('orders'))).map(({ id, total }: Given) => [id, total])
  const clear = async () => {
    for (const one of ['lines', 'lines-trash', 'notes', 'orders'])
      for (const { id } of dataOf(await at.test.get(`${crud(one)}?perPage=100`))) await at.test.delete(crud(one, id))
  }
  beforeEach(async () => {
    await clear()
    order = dataOf(await at.test.post(crud('orders'), { customer: 'A', lines: [{ price: 3 }, { price: 4 }] })).id
    ids = dataOf(await at.test.get(crud('lines'))).map(({ id }: Given) => id)
    settled.length = 0
  })

  test('a new record with its rows is settled once, and answered as it is then', async () => {
    const made = await at.test.post(crud('orders'), { customer: 'B', lines: [{ price: 5 }, { price: 6 }] })
    expect(made.status).toBe(201)
    expect(dataOf(made)).toMatchObject({ customer: 'B', total: 11 })
    expect(settled).toEqual([dataOf(made).id])
    expect(dataOf(await at.test.get(crud('orders', order)))).toMatchObject({ total: 7 })
  })

  test('so is one of which only rows change, with its own version and history', async () => {
    const { headers } = await at.test.get(crud('orders', order))
    const changed = await at.test.patch(crud('orders', order), { lines: [{ id: ids[0], price: 30 }] })
    expect(dataOf(changed)).toMatchObject({ total: 34 })
    expect(settled).toEqual([order])
    const now = await at.test.get(crud('orders', order))
    expect(now.headers.get('etag')).not.toBe(headers.get('etag'))
    expect(changed.headers.get('etag')).toBe(now.headers.get('etag'))
    if (kind === 'memory') return
    const [last] = dataOf(await at.test.get(`${crud('orders', order)}/history`))
    expect(last).toMatchObject({ action: 'update', changes: { total: { before: 7, after: 34 } } })
  })

  test('what changes nothing settles nothing', async () => {
    await at.test.patch(crud('orders', order), { customer: 'A', lines: [{ id: ids[0], price: 3 }] })
    expect(settled).toEqual([])
  })

  test('rows by themselves settle their record: created, moved to another one, deleted', async () => {
    const other = dataOf(await at.test.post(crud('orders'), { customer: 'B' })).id
    const made = dataOf(await at.test.post(crud('lines'), { orderId: order, price: 1 })).id
    expect(await totals()).toEqual([
      [order, 8],
      [other, 0],
    ])
    settled.length = 0
    await at.test.patch(crud('lines', made), { orderId: other })
    expect(settled.toSorted()).toEqual([order, other].toSorted())
    expect(await totals()).toEqual([
      [order, 7],
      [other, 1],
    ])
    await at.test.delete(crud('lines', made))
    expect(await totals()).toEqual([
      [order, 7],
      [other, 0],
    ])
    await at.test.patch(crud('lines', ids[0]), { orderId: null })
    expect(await totals()).toEqual([
      [order, 4],
      [other, 0],
    ])
  })

  test('many at once settle a record once: deleted together, imported, by a handler and a method', async () => {
    const other = dataOf(await at.test.post(crud('orders'), { customer: 'B' })).id
    settled.length = 0
    const file = Array.from({ length: 20 }, (_, i) => ({ orderId: i % 2 ? order : other, price: 1 }))
    expect((await at.test.post('/admin/resource/lines/import', { records: file })).status).toBe(200)
    expect(settled.toSorted()).toEqual([order, other].toSorted())
    expect(await totals()).toEqual([
      [order, 17],
      [other, 10],
    ])
    settled.length = 0
    await at.test.post('/admin/resource/lines/handler/raise', { ids })
    expect(settled).toEqual([order])
    expect((await totals())[0]).toEqual([order, 30])
    settled.length = 0
    const answer = await at.test.delete(crud('lines'), { ids })
    expect(answer.status).toBe(200)
    expect(settled).toEqual([order])
    expect((await totals())[0]).toEqual([order, 10])
  })

  test('a job settles what it has written', async () => {
    const begun = dataOf(await at.test.post('/admin/resource/lines/handler/slowly', { ids })) as { url: string }
    await expect.poll(async () => dataOf(await at.test.get(begun.url)).state, { timeout: 50_000 }).toBe('done')
    expect(await totals()).toEqual([[order, 40]])
  })

  test('what hooks of others write, too, although their own write would end the transaction', async () => {
    expect((await at.test.post(crud('notes'), { orderId: order })).status).toBe(201)
    expect(await totals()).toEqual([[order, 14]])
  })

  test('what it throws rolls back all of it', async () => {
    expect((await at.test.post(crud('lines'), { orderId: order, price: 5000 })).status).toBe(500)
    expect((await at.test.patch(crud('orders', order), { customer: 'C', lines: [{ price: 5000 }] })).status).toBe(500)
    expect(await totals()).toEqual([[order, 7]])
    expect(dataOf(await at.test.get(crud('lines')))).toHaveLength(2)
  })

  test('two at once add up what both have written', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => at.test.post(crud('lines'), { orderId: order, price: 1 })))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect(await totals()).toEqual([[order, 13]])
  })
})

test.each([
  ['creates another one', ({ create }: Given) => create({ orderId: 1 })],
  ['lets another one change it', ({ of, record }: Given) => of(Others).create({ customer: 'x', total: record.id })],
])('a hook that %s each time is stopped, and nothing of it stays', async (_, hook) => {
  const shared = memoryStore()
  const over = <T>(table: T): T => ({ ...shared, table }) as never
  const Ones = defineResource({
    model: over(notes),
    uriKey: 'ones',
    fields: { id: id(), orderId: number('Order') },
    hooks: { settled: ({ unrestricted, of, record }: Given) => hook({ create: unrestricted.create, of, record }) },
  } as never)
  Others = defineResource({
    model: over(orders),
    uriKey: 'others',
    fields: { id: id(), customer: text('Customer'), total: number('Total') },
    hooks: { settled: ({ of, record }: Given) => of(Ones).unrestricted.update(record.total, { orderId: record.id }) },
  } as never)
  const logged: { readonly message: string }[] = []
  const panel = definePanel({
    auth: 'open',
    resources: [Ones, Others],
    log: (entry: (typeof logged)[number]) => logged.push(entry),
  } as never)
  const { post, get } = testPanel(panel)
  expect((await post('/admin/resource/ones/crud', { orderId: 1 })).status).toBe(500)
  expect(logged[0]?.message).toContain('settled again and again')
  for (const uri of ['ones', 'others']) expect((await get(`/admin/resource/${uri}/crud`)).json()).toMatchObject({ data: [] })
  await panel.close()
})
let Others: Given
