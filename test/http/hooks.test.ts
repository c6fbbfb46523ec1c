import { belongsTo, DaymarkError, definePanel, defineResource, id, number, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  total: integer().notNull().default(0),
  what: varchar(),
})
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  orderId: integer('order_id')
    .notNull()
    .references(() => orders.id),
  price: integer().notNull(),
})
const log = sqliteTable('log', {
  id: integer().primaryKey(),
  what: varchar().notNull().unique(),
  name: varchar(),
  data: varchar({ mode: 'json' }),
})
const tables = { orders, lines, log }

const key = { id: pg.serial().primaryKey() }
const ordersInPg = pg.pgTable('orders', { ...key, name: pg.text().notNull(), total: pg.integer().notNull().default(0), what: pg.text() })
const inPostgresql = {
  orders: ordersInPg,
  lines: pg.pgTable('lines', {
    ...key,
    orderId: pg
      .integer('order_id')
      .notNull()
      .references(() => ordersInPg.id),
    price: pg.integer().notNull(),
  }),
  log: pg.pgTable('log', { ...key, what: pg.text().notNull().unique(), name: pg.text(), data: pg.jsonb() }),
} as unknown as typeof tables

const schema = (made: string, json: string) => [
  `create table orders (id ${made}, name text not null, total integer not null default 0, what text)`,
  `create table lines (id ${made}, order_id integer not null references orders (id), price integer not null)`,
  `create table log (id ${made}, what text not null unique, name text, data ${json})`,
]

const seen: string[] = []

function panelOver(database: string, { orders, lines, log }: typeof tables): Panel {
  const Log = defineResource({
    model: log,
    activeActions: ['view'],
    can: { viewAny: ['keeper'], view: ['keeper'], create: false },
    scope: () => ({ id: -1 }),
    hooks: {
      async beforeSave({ user, values, of }) {
        seen.push(`${user.id}: ${values.what}`)
        // What was reached past every policy does not pass that on.
        if (values.name === 'again') await of(Log_()).create({ what: 'more' })
      },
    },
  })
  // A declaration cannot name itself without its type being asked for before it is known.
  const Log_ = (): { uriKey: string } & typeof Log => Log
  // Nothing is left to be refused once its record is written, so that PostgreSQL commits it along with the write.
  const Notes = defineResource({
    model: log,
    uriKey: 'notes',
    hooks: {
      async beforeSave({ values, of }) {
        const at = new Date('2026-11-23T12:00:00Z')
        await of(Log).unrestricted.create({
          what: `${values.what}, noted`,
          data: { before: null, after: { at, gone: undefined, all: [at] } },
        })
        return { data: { at } }
      },
    },
  })
  const Orders = defineResource({
    model: orders,
    // What is hidden here has the name of what is taken in the log.
    fields: { id: id(), name: text('Name'), total: number('Total').readOnly(), what: text('What').visible(['keeper']) },
    hooks: {
      async beforeSave({ values, count }) {
        if (values.name === 'counted') return { name: `counted ${await count()}` }
        return undefined
      },
      async afterSave({ before, after, update, of, list, delete: remove }) {
        if (after.name === 'endless') await update(after.id, { total: after.total + 1 })
        if (after.name === 'shout') await update(after.id, { name: 'SHOUT' })
        if (after.name === 'log as myself') await of(Log).create({ what: 'mine' })
        if (after.name === 'log twice') await of(Log).unrestricted.create({ what: 'taken' })
        if (after.name === 'again') await of(Log).unrestricted.create({ what: 'again', name: 'again' })
        if (after.name === 'swallow') await remove(after.id + 1000).catch(() => {})
        if (after.name === 'logged') {
          await of(Log).unrestricted.create({ what: `${before ? 'changed' : 'made'} beside ${(await list()).length - 1}` })
        }
      },
      async beforeDelete({ record, of }) {
        if (record.name === 'used') return
        if (record.name === 'invoiced') throw new DaymarkError('conflict', 'Has open invoices')
        for (const line of await of(Lines).list({ where: { orderId: record.id } })) await of(Lines).delete(line.id)
      },
    },
    handlers: { drop: { ability: 'delete', run: ({ ids, delete: remove }) => remove(ids[0] as string) } },
  })
  const Lines = defineResource({
    model: lines,
    fields: { id: id(), orderId: belongsTo('Order', orders), price: number('Price') },
    scope: () => ({ price: { gte: 0 } }),
    handlers: {
      hide: { run: ({ ids, update }) => update(ids[0] as string, { price: -1 }).then(() => {}) },
      hideAnyway: { run: ({ ids, unrestricted }) => unrestricted.update(ids[0] as string, { price: -1 }).then(() => {}) },
    },
    hooks: {
      async afterSave({ before, after, of }) {
        const order = await of(Orders).find(after.orderId)
        if (order) await of(Orders).update(order.id, { total: order.total + after.price - (before?.price ?? 0) })
      },
    },
  })
  return definePanel({
    auth: 'open',
    database,
    resources: [Orders, Lines, Notes, Log],
    log: ({ message }: { message: string }) => seen.push(message),
  } as never)
}

interface Opened {
  readonly panel: Panel
  readonly end: () => unknown
}

const stores: Readonly<Record<string, () => Promise<Opened>>> = {
  async SQLite() {
    const statements = schema('integer primary key', 'text')
    return panelIn(await openFile(), statements, (url) => panelOver(url, tables))
  },
  async PostgreSQL() {
    const statements = schema('serial primary key', 'jsonb')
    return panelIn(await openDatabase(), statements, (url) => panelOver(url, inPostgresql))
  },
}

describe.each(Object.entries(stores))('what hooks write, over %s', (_, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.end())

  const crud = (resource: string, more = '') => `/admin/resource/${resource}/crud${more}`
  const clerk = () => testPanel(opened.panel).as({ roles: ['clerk'] })
  const data = (answer: { json(): unknown }) => (answer.json() as { data: Record<string, unknown> }).data
  const make = async (resource: string, body: object) => {
    const answer = await clerk().post(crud(resource), body)
    return { status: answer.status, body: answer.json() as { errors?: object; detail?: string }, ...data(answer) } as Record<
      string,
      unknown
    > & {
      status: number
      body: { errors?: object }
    }
  }
  const all = async (resource: string, query = '') =>
    ((await clerk().get(crud(resource, query))).json() as { data: Record<string, unknown>[] }).data

  test('a total is kept by what belongs to it, as often as that changes', async () => {
    const order = await make('orders', { name: 'one' })
    const line = await make('lines', { orderId: order.id, price: 30 })
    await make('lines', { orderId: order.id, price: 12 })
    expect(data(await clerk().get(crud('orders', `/${order.id}`)))).toMatchObject({ total: 42 })
    await clerk().put(crud('lines', `/${line.id}`), { price: 10 })
    expect(data(await clerk().get(crud('orders', `/${order.id}`)))).toMatchObject({ total: 22 })
    expect((await clerk().delete(crud('orders', `/${order.id}`))).status).toBe(200)
    expect(await all('lines')).toEqual([])
  })

  test('what is written before stands with the write that is the last', async () => {
    expect((await make('notes', { what: 'a' })).status).toBe(201)
    expect((await make('notes', { what: 'a' })).status).toBe(409)
    const at = '2026-11-23T12:00:00.000Z'
    expect((await all('notes', '?sort=id&fields=what,data')).map(({ what, data }) => [what, data])).toEqual([
      ['a, noted', { before: null, after: { at, all: [at] } }],
      ['a', { at }],
    ])
  })

  test('the records are those before the write, or behind it', async () => {
    const before = (await all('orders')).length
    expect(await make('orders', { name: 'counted' })).toMatchObject({ status: 201, name: `counted ${before}` })
  })

  test('what a hook does to the very record is told', async () => {
    expect(await make('orders', { name: 'shout' })).toMatchObject({ status: 201, name: 'SHOUT' })
  })

  test('as the user may, unless it says otherwise', async () => {
    const before = await all('orders')
    seen.length = 0
    expect(await make('orders', { name: 'log as myself' })).toMatchObject({ status: 403 })
    expect((await make('log', { what: 'mine' })).status).toBe(403)
    expect(await make('orders', { name: 'again' })).toMatchObject({ status: 403 })
    expect(await all('orders')).toEqual(before)
    expect(seen).toEqual([expect.stringMatching(/^\S+: again$/)])
    expect(await make('orders', { name: 'logged' })).toMatchObject({ status: 201 })
    expect(seen.at(-1)).toBe(`${seen[0]?.split(':')[0]}: made beside ${before.length}`)
  })

  test('a handler takes a record out of sight where it says so', async () => {
    const order = await make('orders', { name: 'hidden' })
    const line = await make('lines', { orderId: order.id, price: 7 })
    const there = async () => (await all('lines')).filter(({ id }) => id === line.id).length
    expect((await clerk().post('/admin/resource/lines/handler/hide', { ids: [line.id] })).status).toBe(403)
    expect(await there()).toBe(1)
    expect((await clerk().post('/admin/resource/lines/handler/hideAnyway', { ids: [line.id] })).status).toBe(200)
    expect(await there()).toBe(0)
  })

  test('what is refused inside is said by its own name, and nothing is written', async () => {
    expect(await make('orders', { name: 'log twice' })).toMatchObject({ status: 201 })
    const before = await all('orders')
    expect(await make('orders', { name: 'log twice' })).toMatchObject({
      status: 409,
      body: { errors: { what: ['What is already taken'] } },
    })
    expect((await make('orders', { name: 'swallow' })).status).toBe(409)
    expect(await all('orders')).toEqual(before)
  })

  test('hooks that never end are stopped', async () => {
    const before = await all('orders')
    seen.length = 0
    expect((await make('orders', { name: 'endless' })).status).toBe(500)
    expect(seen).toEqual([expect.stringContaining('Hooks write to "orders" within each other')])
    expect(await all('orders')).toEqual(before)
  })

  test('why a hook keeps a record is said in its own words, however the record was to go', async () => {
    const order = await make('orders', { name: 'invoiced' })
    const ways = [
      clerk().delete(crud('orders', `/${order.id}`)),
      clerk().delete(crud('orders', `?ids[]=${order.id}`)),
      clerk().post('/admin/resource/orders/handler/drop', { ids: [order.id] }),
    ]
    for (const way of ways) {
      const answer = await way
      expect([answer.status, (answer.json() as { detail: string }).detail]).toEqual([409, 'Has open invoices'])
    }
  })

  test('a handler that deletes what is still used is told who uses it', async () => {
    const order = await make('orders', { name: 'used' })
    await make('lines', { orderId: order.id, price: 1 })
    const answer = await clerk().post('/admin/resource/orders/handler/drop', { ids: [order.id] })
    expect([answer.status, (answer.json() as { detail: string }).detail]).toEqual([409, expect.stringContaining('Lines')])
  })
})
