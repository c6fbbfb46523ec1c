import { belongsTo, definePanel, defineResource, hasMany, id, memoryStore, number, type Panel, switcher, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const products = sqliteTable('products', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  customer: varchar().notNull(),
  pieces: integer().notNull().default(0),
})
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  orderId: integer('order_id')
    .notNull()
    .references(() => orders.id),
  productId: integer('product_id')
    .notNull()
    .references(() => products.id),
  amount: integer().notNull().default(1),
  gift: integer({ mode: 'boolean' }).notNull().default(false),
  cost: integer(),
  hidden: integer({ mode: 'boolean' }).notNull().default(false),
})
const parcels = sqliteTable('parcels', {
  code: varchar().primaryKey(),
  orderId: integer('order_id').references(() => orders.id),
  weight: integer(),
})
const tables = { products, orders, lines, parcels }

const pgProducts = pg.pgTable('products', { id: pg.integer().primaryKey().generatedByDefaultAsIdentity(), name: pg.text().notNull() })
const pgOrders = pg.pgTable('orders', {
  id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
  customer: pg.text().notNull(),
  pieces: pg.integer().notNull().default(0),
})
const pgLines = pg.pgTable('lines', {
  id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
  orderId: pg
    .integer('order_id')
    .notNull()
    .references(() => pgOrders.id),
  productId: pg
    .integer('product_id')
    .notNull()
    .references(() => pgProducts.id),
  amount: pg.integer().notNull().default(1),
  gift: pg.boolean().notNull().default(false),
  cost: pg.integer(),
  hidden: pg.boolean().notNull().default(false),
})
const pgParcels = pg.pgTable('parcels', {
  code: pg.text().primaryKey(),
  orderId: pg.integer('order_id').references(() => pgOrders.id),
  weight: pg.integer(),
})
const inPostgresql = { products: pgProducts, orders: pgOrders, lines: pgLines, parcels: pgParcels } as unknown as typeof tables

const schema = (key: string, yes: string) => [
  `create table products (id ${key}, name text not null)`,
  `create table orders (id ${key}, customer text not null, pieces integer not null default 0)`,
  `create table lines (id ${key}, order_id integer not null references orders (id), product_id integer not null references products (id), amount integer not null default 1, gift ${yes}, cost integer, hidden ${yes})`,
  'create table parcels (code text primary key not null, order_id integer references orders (id), weight integer)',
]

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any

let hooked: string[]

function panelOver(database: string | null, { products, orders, lines, parcels }: typeof tables): Panel {
  const shared = memoryStore()
  const over = <T>(table: T): T => (database === null ? ({ ...shared, table } as never) : table)
  const Products = defineResource({ model: over(products), fields: { id: id(), name: text('Name').searchable() } })
  const Parcels = defineResource({
    model: over(parcels),
    fields: { code: text('Code'), orderId: belongsTo('Order', orders), weight: number('Weight').min(1) },
    can: { create: ['admin'] },
  } as never)
  const Lines = defineResource({
    model: over(lines),
    title: 'Lines',
    fields: {
      id: id(),
      orderId: belongsTo('Order', orders),
      productId: belongsTo('Product', products),
      amount: number('Amount').min(1),
      gift: switcher('Gift'),
      cost: number('Cost').visible(['admin']).editable(['admin']),
      hidden: switcher('Hidden').visible(['admin']),
    },
    history: database !== null,
    can: {
      view: ['admin', 'editor', 'seller'],
      create: ['admin', 'editor'],
      update: ['admin', 'editor'],
      delete: ['admin'],
    },
    canRecord: { update: ({ record }: Given) => record.amount !== 13 || 'Thirteen stays' },
    scope: ({ user }: Given) => (user.roles.includes('admin') ? {} : { hidden: false }),
    validate: ({ values }: Given) =>
      values.amount === 5 && values.gift === true
        ? { gift: 'Not five at once' }
        : values.amount === 17
          ? { orderId: 'The order is closed' }
          : {},
    hooks: {
      async afterSave({ after, before, of }: Given) {
        hooked.push(`${before ? 'changed' : 'made'} ${after.amount}`)
        const order = await of(Orders).unrestricted.find(after.orderId)
        await of(Orders).unrestricted.update(after.orderId, { pieces: order.pieces + after.amount - (before?.amount ?? 0) })
      },
      beforeDelete({ record }: Given) {
        hooked.push(`deleted ${record.amount}`)
      },
    },
  } as never)
  const Orders: Given = defineResource({
    model: over(orders),
    title: 'Orders',
    fields: { id: id(), customer: text('Customer').required(), pieces: number('Pieces').readOnly() },
    related: [
      hasMany(Lines as never, { inForm: ['productId', 'amount', 'gift', 'cost'], by: 'orderId' } as never),
      hasMany(Parcels as never, { name: 'boxes', title: 'Boxes', inForm: true } as never),
    ],
    history: database !== null,
    can: { view: true, create: ['admin', 'editor', 'clerk'], update: ['admin', 'editor', 'clerk'] },
  } as never)
  return definePanel({
    auth: 'open',
    ...(database !== null && { database }),
    resources: [Orders, Lines, Products, Parcels],
    log: () => {},
  } as never)
}

const stores = {
  async memory() {
    const panel = panelOver(null, tables)
    return { panel, tables, end: () => panel.close() }
  },
  async SQLite() {
    const statements = schema('integer primary key', 'integer not null default 0')
    return { tables, ...(await panelIn(await openFile(), statements, (url) => panelOver(url, tables))) }
  },
  async PostgreSQL() {
    const key = 'integer primary key generated by default as identity (start with 1000)'
    const statements = schema(key, 'boolean not null default false')
    return { tables: inPostgresql, ...(await panelIn(await openDatabase(), statements, (url) => panelOver(url, inPostgresql))) }
  },
}

type Data = Record<string, unknown>
const path = '/admin/resource/orders/crud'

describe.each(Object.entries(stores))('related records in the form of a record, over %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  let admin: ReturnType<typeof testPanel>
  let editor: ReturnType<typeof testPanel>
  beforeEach(async () => {
    opened = await open()
    admin = testPanel(opened.panel)
    editor = admin.as({ roles: ['editor'] })
    const { products, orders, lines } = opened.tables
    for (const name of ['Pen', 'Paper']) await admin.create(products, { id: name.length, name } as never)
    for (const customer of ['Ada', 'Bob']) await admin.create(orders, { id: customer === 'Ada' ? 1 : 2, customer })
    await admin.create(lines, { id: 1, orderId: 1, productId: 3, amount: 2 })
    await admin.create(lines, { id: 2, orderId: 1, productId: 5, amount: 3, cost: 9 })
    await admin.create(lines, { id: 3, orderId: 1, productId: 5, amount: 4, hidden: true })
    await admin.create(lines, { id: 4, orderId: 2, productId: 5, amount: 6 })
    hooked = []
  })
  afterEach(() => opened?.end())

  const linesOf = async (order: unknown) =>
    ((await admin.get('/admin/resource/lines/crud?sort=id&perPage=50')).json() as { data: Data[] }).data
      .filter(({ orderId }) => orderId === order)
      .map(({ id, productId, amount, gift }) => ({ id, productId, amount, gift }))
  const order = async (key: unknown) => ((await admin.get(`${path}/${key}`)).json() as { data: Data }).data
  const text = async (key: number) => JSON.stringify([await order(key), await linesOf(key)])

  test('a record is created with its lines, whose hooks run in the same transaction', async () => {
    const answer = await editor.post(path, {
      customer: 'Eve',
      lines: [
        { productId: 3, amount: 2 },
        { productId: 5, gift: true },
      ],
    })
    expect(answer.status).toBe(201)
    const { data } = answer.json() as { data: Data }
    // What the hooks of the lines wrote is in the answer.
    expect(data).toEqual({ id: expect.any(Number), customer: 'Eve', pieces: 3 })
    expect(await linesOf(data.id)).toEqual([
      { id: expect.any(Number), productId: 3, amount: 2, gift: false },
      { id: expect.any(Number), productId: 5, amount: 1, gift: true },
    ])
    expect(hooked).toEqual(['made 2', 'made 1'])
  })

  test('lines are changed, created and deleted; those that are not named stay, and what is the same is not written', async () => {
    const answer = await admin.patch(`${path}/1`, {
      lines: [{ id: 1, amount: 7 }, { id: 2, amount: 3, productId: 5, orderId: 1 }, { productId: 5 }],
    })
    expect(answer.status).toBe(200)
    expect(hooked).toEqual(['changed 7', 'made 1'])
    expect(await linesOf(1)).toEqual([
      { id: 1, productId: 3, amount: 7, gift: false },
      { id: 2, productId: 5, amount: 3, gift: false },
      { id: 3, productId: 5, amount: 4, gift: false },
      { id: expect.any(Number), productId: 5, amount: 1, gift: false },
    ])
    hooked = []
    expect((await admin.patch(`${path}/1`, { customer: 'Ada L.', lines: [{ id: 2, _delete: true }] })).json()).toMatchObject({
      data: { customer: 'Ada L.' },
    })
    expect(hooked).toEqual(['deleted 3'])
    expect((await linesOf(1)).map(({ id }) => id)).toEqual([1, 3, expect.any(Number)])
  })

  test('what is wrong is named by row, all at once, and nothing is written', async () => {
    const before = [await text(1), await text(2)]
    const answer = await admin.patch(`${path}/1`, {
      customer: '',
      lines: [
        { id: 1, amount: 0 },
        { productId: 99 },
        { id: 4, amount: 1 },
        { id: 2, amount: 9 },
        { id: 2, amount: 8 },
        { amount: 1, nope: 1 },
        { id: 3, pieces: 1 },
        { productId: 3, orderId: 2 },
        { productId: 3, amount: 5, gift: true },
      ],
    })
    expect(answer.status).toBe(422)
    const { errors } = answer.json() as { errors: Data }
    expect(Object.keys(errors).sort()).toEqual(
      [
        'customer',
        'lines.0.amount',
        'lines.1.productId',
        'lines.2',
        'lines.4',
        'lines.5.nope',
        'lines.5.productId',
        'lines.6.pieces',
        'lines.7.orderId',
        'lines.8.gift',
      ].sort(),
    )
    expect(errors['lines.0.amount']).toEqual(['Amount must be at least 1'])
    expect(errors['lines.2']).toEqual(['There is no such record'])
    expect(errors['lines.4']).toEqual(['The record 2 is there twice'])
    expect([await text(1), await text(2)]).toEqual(before)
    expect(hooked).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['text', 'x', '"lines" must be a list of records'],
    ['texts', ['x'], '"lines" must be a list of records'],
    ['an object', {}, '"lines" must be a list of records'],
    ['too many', Array.from({ length: 51 }, () => ({ productId: 3 })), 'Lines: at most 50 at once'],
  ])('refuses %s in place of lines', async (_what, given, said) => {
    const answer = await admin.post(path, { customer: 'Eve', lines: given })
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ errors: { lines: [said] } })
    expect(await linesOf(1)).toHaveLength(3)
  })

  test('a line that is refused late takes everything back', async () => {
    const before = await text(1)
    const answer = await admin.patch(`${path}/1`, {
      customer: 'Eve',
      lines: [
        { id: 1, amount: 8 },
        { productId: 3, amount: 5, gift: true },
      ],
    })
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ errors: { 'lines.1.gift': ['Not five at once'] } })
    expect(await text(1)).toBe(before)
  })

  test('a version that is not the stored one by now is a conflict of its row', async () => {
    const { data } = (await admin.get('/admin/resource/orders/form-page/1')).json() as { data: { lines: Data[] } }
    expect(data.lines.map(({ id, amount, cost }) => ({ id, amount, cost }))).toEqual([
      { id: 1, amount: 2, cost: null },
      { id: 2, amount: 3, cost: 9 },
      { id: 3, amount: 4, cost: null },
    ])
    await admin.patch('/admin/resource/lines/crud/1', { gift: true })
    const [first, second] = data.lines as [Data, Data]
    const body = {
      customer: 'Eve',
      lines: [
        { ...second, amount: 4 },
        { ...first, amount: 9 },
      ],
    }
    const stale = await admin.patch(`${path}/1`, body)
    expect(stale.status).toBe(409)
    expect(stale.json()).toMatchObject({ errors: { 'lines.1': ['Somebody else has changed this meanwhile'] } })
    expect(await order(1)).toMatchObject({ customer: 'Ada' })
    expect((await linesOf(1)).map(({ amount }) => amount)).toEqual([2, 3, 4])
    expect((await admin.patch(`${path}/1`, { lines: [{ ...second, amount: 4 }] })).status).toBe(200)
  })

  test('only what the user may do, see and change', async () => {
    const patch = (as: typeof admin, rows: unknown) => as.patch(`${path}/1`, { lines: rows })
    expect((await patch(editor, [{ id: 1, _delete: true }])).status).toBe(403)
    // Out of scope.
    expect((await patch(editor, [{ id: 3, amount: 1 }])).json()).toMatchObject({ errors: { 'lines.0': ['There is no such record'] } })
    expect((await patch(editor, [{ id: 2, cost: 1 }])).json()).toMatchObject({
      errors: { 'lines.0.cost': [expect.stringContaining('Unknown field')] },
    })
    // Their scope rolls it back: nobody but an administrator may hide a line, and it is not edited here.
    expect((await patch(admin, [{ id: 2, hidden: true }])).json()).toMatchObject({
      errors: { 'lines.0.hidden': [expect.stringContaining('cannot be changed')] },
    })
    await admin.patch('/admin/resource/lines/crud/2', { amount: 13 })
    const denied = await patch(admin, [{ id: 2, amount: 1 }])
    expect([denied.status, (denied.json() as Data).message]).toEqual([403, 'Thirteen stays'])
    expect(denied.json()).toMatchObject({ errors: { 'lines.0': ['Thirteen stays'] } })
    // A form names the row, and keeps what was typed beside it.
    const typed = {
      _method: 'PUT',
      customer: 'Eve',
      'lines.0._key': '1',
      'lines.0.amount': '77',
      'lines.1._key': '2',
      'lines.1.amount': '1',
    }
    const form = await admin.html.post(`${path}/1`, new URLSearchParams(typed))
    expect(form.status).toBe(403)
    expect(form.text).toMatch(/value="Eve"[^>]*name="customer"|name="customer"[^>]*value="Eve"/)
    expect(form.text).toMatch(/value="77"[^>]*name="lines\.0\.amount"|name="lines\.0\.amount"[^>]*value="77"/)
    expect(form.text).toContain('Thirteen stays')
    expect(await order(1)).toMatchObject({ customer: 'Ada' })
    // Who may do nothing with lines is not told of them.
    const seller = admin.as({ roles: ['seller', 'clerk'] })
    expect((await patch(seller, [{ id: 1, amount: 1 }])).json()).toMatchObject({
      errors: { lines: [expect.stringContaining('Unknown field "lines"')] },
    })
    const clerk = admin.as({ roles: ['clerk'] })
    expect((await patch(clerk, [{ id: 1, amount: 1 }])).json()).toMatchObject({
      errors: { lines: [expect.stringContaining('Unknown field "lines"')] },
    })
    expect((await clerk.html.get('/admin/resource/orders/form-page/1')).text).not.toContain('lines.0')
    expect((await editor.html.get('/admin/resource/orders/form-page/1')).text).not.toMatch(
      /lines\.\d\._delete|lines\.\d\.cost|value="3"[^>]*_key/,
    )
    expect(await linesOf(1)).toEqual([
      { id: 1, productId: 3, amount: 2, gift: false },
      { id: 2, productId: 5, amount: 13, gift: false },
      { id: 3, productId: 5, amount: 4, gift: false },
    ])
  })

  test('rows whose key is the caller’s own are changed if they are there, and created if not', async () => {
    const send = (rows: unknown) => admin.patch(`${path}/1`, { boxes: rows })
    const boxes = async () => ((await admin.get('/admin/resource/parcels/crud?sort=code')).json() as { data: Data[] }).data
    expect((await send([{ code: 'a', weight: 1 }, { code: 'b' }])).status).toBe(200)
    expect((await send([{ code: 'b', weight: 2 }, { code: 'c' }, { code: 'a', _delete: true }])).status).toBe(200)
    expect(await boxes()).toEqual([
      { code: 'b', orderId: 1, weight: 2 },
      { code: 'c', orderId: 1, weight: null },
    ])
    // That of another record is none of this one.
    const other = await admin.patch(`${path}/2`, { boxes: [{ code: 'b', weight: 3 }] })
    expect(other.json()).toMatchObject({ errors: { 'boxes.0': ['There is no such record'] } })
  })

  test('a key of the caller’s own creates nothing for who may not create, nor what was read and is gone', async () => {
    const send = (as: typeof admin, rows: unknown) => as.patch(`${path}/1`, { boxes: rows })
    expect((await send(admin, [{ code: 'a', weight: 1 }])).status).toBe(200)
    const packer = admin.as({ roles: ['packer', 'clerk'] })
    expect((await send(packer, [{ code: 'a', weight: 2 }])).status).toBe(200)
    expect((await send(packer, [{ code: 'b', weight: 2 }])).status).toBe(403)
    const { data } = (await admin.get('/admin/resource/orders/form-page/1')).json() as { data: { boxes: Data[] } }
    await admin.delete('/admin/resource/parcels/crud/a')
    expect((await send(admin, [{ ...data.boxes[0], weight: 3 }])).json()).toMatchObject({
      errors: { 'boxes.0': ['There is no such record'] },
    })
    expect(((await admin.get('/admin/resource/parcels/crud')).json() as { data: Data[] }).data).toEqual([])
  })

  const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields)
  /** The hidden inputs of a form by their names. */
  const hiddenIn = (page: string) =>
    Object.fromEntries(
      [
        ...page
          .replace(/<template>.*?<\/template>/gs, '')
          .matchAll(/<input type="hidden" name="(lines\.\d+\.[^"]*|_version)" value="([^"]*)">/g),
      ].map(([, name, value]) => [name as string, (value as string).replaceAll('&quot;', '"')]),
    )
  const typed = { 'lines.0.productId': '3', 'lines.0.amount': '2', 'lines.1.productId': '5', 'lines.1.amount': '3', 'lines.1.cost': '9' }

  test('an untouched form writes nothing, blank rows included', async () => {
    const { text: page } = await admin.html.get('/admin/resource/orders/form-page/1')
    expect(page.match(/class="repeater-row"/g)).toHaveLength(3 + 2)
    const hidden = hiddenIn(page)
    expect(hidden).toMatchObject({ 'lines.0._key': '1', 'lines.0._was': '["3","2","0",""]', 'lines.3._blank': '1', 'lines.4._blank': '1' })
    const sent = {
      _method: 'PUT',
      customer: 'Ada',
      ...hidden,
      ...typed,
      'lines.2.productId': '5',
      'lines.2.amount': '4',
      'lines.3.productId': '',
      'lines.3.amount': '1',
    }
    expect((await admin.html.post(`${path}/1`, form(sent))).status).toBe(303)
    expect(hooked).toEqual([])
    // Filled in, a blank row is a new line.
    expect((await admin.html.post(`${path}/1`, form({ ...sent, 'lines.4.productId': '3', 'lines.4.amount': '2' }))).status).toBe(303)
    expect(hooked).toEqual(['made 2'])
  })

  test('a refused form comes back with all rows as they were sent, and says which is wrong', async () => {
    const hidden = hiddenIn((await admin.html.get('/admin/resource/orders/form-page/1')).text)
    const sent = {
      _method: 'PUT',
      customer: 'Ada',
      ...hidden,
      ...typed,
      'lines.0.amount': '0',
      'lines.1._delete': '1',
      'lines.9.productId': '',
      'lines.9.amount': '4',
    }
    const { status, text: page } = await admin.html.post(`${path}/1`, form(sent))
    expect(status).toBe(422)
    expect(page).toContain('<a href="#lines-0-amount">Lines, row 1: Amount must be at least 1</a>')
    expect(page).toContain('<a href="#lines-3-productId">Lines, row 4: Product is required</a>')
    expect(page).toMatch(/name="lines\.0\.amount"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="lines\.0\.amount"/)
    expect(page).toContain('name="lines.1._delete" value="1" checked')
    expect(page).toMatch(/value="4"[^>]*name="lines\.3\.amount"/)
    expect(hooked).toEqual([])
  })

  test('a refusal at a field that is not in the row stands at the row', async () => {
    const hidden = hiddenIn((await admin.html.get('/admin/resource/orders/form-page/1')).text)
    const sent = { _method: 'PUT', customer: 'Ada', ...hidden, ...typed, 'lines.1.amount': '17' }
    const { status, text: page } = await admin.html.post(`${path}/1`, form(sent))
    expect(status).toBe(422)
    expect(page).toContain('<a href="#lines-1">Lines, row 2: The order is closed</a>')
    expect(page).toMatch(/id="lines-1-error">(?:(?!<\/div>).)*<span>The order is closed<\/span>/s)
  })

  test('a row that somebody else has changed says how, and is overwritten only by who has seen that', async () => {
    const hidden = hiddenIn((await admin.html.get('/admin/resource/orders/form-page/1')).text)
    await admin.patch('/admin/resource/lines/crud/1', { amount: 8, gift: true })
    await admin.patch('/admin/resource/lines/crud/2', { amount: 6 })
    const { _version: _, ...rows } = hidden
    hooked = []
    const sent = { _method: 'PUT', customer: 'Ada', ...rows, ...typed, 'lines.0.amount': '7', 'lines.0.gift': '0' }
    const refused = await admin.html.post(`${path}/1`, form(sent))
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('It is now: Amount 8, Gift Yes. Save again to overwrite that')
    // That is all there is to it, and it is said once.
    expect(refused.text).toContain('<p>Check the marked fields (1)</p>')
    // What the user left alone is as it is stored by now, in this row and in the others.
    expect(refused.text).toMatch(/value="7"[^>]*name="lines\.0\.amount"/)
    expect(refused.text).toMatch(/name="lines\.0\.gift" value="0"><input type="checkbox" role="switch" value="1" checked/)
    expect(refused.text).toMatch(/value="6"[^>]*name="lines\.1\.amount"/)
    expect(hooked).toEqual([])
    const again = hiddenIn(refused.text)
    const seen = { ...sent, ...again, _version: '', 'lines.0.gift': '1', 'lines.1.amount': '6' }
    expect((await admin.html.post(`${path}/1`, form(seen))).status).toBe(303)
    expect(hooked).toEqual(['changed 7'])
    // A row that nobody touched is no conflict, whatever others do with it.
    expect((await admin.html.post(`${path}/1`, form({ ...sent, 'lines.0._was': '["3","7","0",""]' }))).status).toBe(303)
    expect(hooked).toEqual(['changed 7'])
  })

  test('where somebody else has changed the record, the rows are below what disagrees, in the same column', async () => {
    const rows = hiddenIn((await admin.html.get('/admin/resource/orders/form-page/1')).text)
    await admin.patch(`${path}/1`, { customer: 'Grace' })
    const refused = await admin.html.post(`${path}/1`, form({ ...rows, ...typed, _method: 'PUT', customer: 'Alan' }))
    expect(refused.status).toBe(412)
    expect(refused.text).toMatch(
      /<div class="body single"><div class="stack"><div class="card"><table class="compare">(?:(?!<\/div>).)*<\/div><section class="[^"]*nested/,
    )
  })

  test('a row that somebody else has deleted is said to be gone, and can be created anew', async () => {
    const { _version: _, ...rows } = hiddenIn((await admin.html.get('/admin/resource/orders/form-page/1')).text)
    await admin.delete('/admin/resource/lines/crud/1')
    const sent = { _method: 'PUT', customer: 'Ada', ...rows, ...typed, 'lines.0.amount': '5' }
    const refused = await admin.html.post(`${path}/1`, form(sent))
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Somebody else has deleted this meanwhile')
    expect(hiddenIn(refused.text)).not.toHaveProperty(['lines.0._key'])
    const again = { _method: 'PUT', customer: 'Ada', 'lines.0.productId': '3', 'lines.0.amount': '5' }
    expect((await admin.html.post(`${path}/1`, form(again))).status).toBe(303)
    expect((await linesOf(1)).map(({ amount }) => amount)).toEqual([3, 4, 5])
  })

  test('a row that nobody touched is not in the way when somebody else has deleted it or moved it away', async () => {
    const { _version: _, ...rows } = hiddenIn((await admin.html.get('/admin/resource/orders/form-page/1')).text)
    await admin.delete('/admin/resource/lines/crud/1')
    await admin.patch('/admin/resource/lines/crud/2', { orderId: 2 })
    hooked = []
    const sent = { _method: 'PUT', customer: 'Ada L.', ...rows, ...typed, 'lines.2.amount': '0' }
    const refused = await admin.html.post(`${path}/1`, form(sent))
    expect(refused.status).toBe(422)
    expect(refused.text).not.toContain('Somebody else has deleted this meanwhile')
    expect(hiddenIn(refused.text)).toMatchObject({ 'lines.0._key': '3' })
    expect((await admin.html.post(`${path}/1`, form({ ...sent, 'lines.2.amount': '5' }))).status).toBe(303)
    expect(hooked).toEqual(['changed 5'])
    expect(await order(1)).toMatchObject({ customer: 'Ada L.' })
    expect((await linesOf(2)).map(({ id }) => id)).toEqual([2, 4])
    // Whoever names one by its key asks for it.
    expect((await admin.patch(`${path}/1`, { lines: [{ id: 1 }] })).json()).toMatchObject({
      errors: { 'lines.0': ['There is no such record'] },
    })
  })

  test('a row that two people delete is gone, which is in nobody’s way; one that was moved away is not deleted', async () => {
    const { _version: _, ...rows } = hiddenIn((await admin.html.get('/admin/resource/orders/form-page/1')).text)
    await admin.delete('/admin/resource/lines/crud/1')
    const sent = { _method: 'PUT', customer: 'Ada L.', ...rows, ...typed, 'lines.0._delete': '1' }
    expect((await admin.html.post(`${path}/1`, form(sent))).status).toBe(303)
    expect(await order(1)).toMatchObject({ customer: 'Ada L.' })
    await admin.patch('/admin/resource/lines/crud/2', { orderId: 2 })
    expect((await admin.html.post(`${path}/1`, form({ ...sent, 'lines.1._delete': '1' }))).status).toBe(422)
    expect((await linesOf(2)).map(({ id }) => id)).toEqual([2, 4])
    // A program names what it means.
    expect((await admin.patch(`${path}/1`, { lines: [{ id: 1, _delete: true }] })).status).toBe(422)
  })

  test('what is wrong with a field that a row does not show is said by the row', async () => {
    const hidden = hiddenIn((await editor.html.get('/admin/resource/orders/form-page/1')).text)
    const sent = { _method: 'PUT', customer: '', ...hidden, ...typed, 'lines.0.amount': '7', 'lines.0.nope': '1', 'lines.1.amount': '0' }
    const { status, text: page } = await admin.html.post(`${path}/1`, form(sent))
    expect(status).toBe(422)
    expect(page).toMatch(
      /<a href="#lines-0">Lines, row 1: Unknown field &quot;nope&quot;|<a href="#lines-0">Lines, row 1: Unknown field "nope"/,
    )
    expect(page).toContain('<a href="#lines-1-amount">Lines, row 2: Amount must be at least 1</a>')
  })

  test('without script, rows that came with a copy can be left out', async () => {
    const { text: page } = await admin.html.get('/admin/resource/orders/form-page?duplicate=1')
    expect(page.match(/class="deletes unscripted"><input type="checkbox" name="lines\.\d\._delete"/g)).toHaveLength(3)
    const sent = { customer: 'Eve', ...typed, 'lines.1._delete': '1' }
    const made = await admin.html.post(path, form(sent))
    expect(made.status).toBe(303)
    expect((await linesOf(Number(made.headers.get('location')?.split('/').at(-1)))).map(({ amount }) => amount)).toEqual([2])
  })

  test('a search in a row returns the form with what it found, and saves nothing', async () => {
    const sent = {
      customer: 'Eve',
      'lines.0.productId': '',
      'lines.0.amount': '4',
      '_query[lines.0.productId]': 'Pap',
      _search: 'lines.0.productId',
    }
    const { status, text: page } = await admin.html.post(path, form(sent))
    expect(status).toBe(200)
    expect(page).toContain('<input type="radio" name="lines.0.productId" value="5"> <span>Paper</span>')
    expect(page).toMatch(/value="4"[^>]*name="lines\.0\.amount"/)
    expect(page.match(/<input type="radio"/g)).toHaveLength(1)
  })

  test('a copy of a record begins with copies of its lines', async () => {
    const { text: page } = await admin.html.get('/admin/resource/orders/form-page?duplicate=1')
    expect(hiddenIn(page)).not.toHaveProperty(['lines.0._key'])
    expect(page).toMatch(/value="2"[^>]*name="lines\.0\.amount"/)
    const { data } = (await admin.get('/admin/resource/orders/form-page?duplicate=1')).json() as { data: { lines: Data[] } }
    expect(data.lines).toEqual([
      { productId: 3, amount: 2, gift: false, cost: null },
      { productId: 5, amount: 3, gift: false, cost: 9 },
      { productId: 5, amount: 4, gift: false, cost: null },
    ])
  })

  test('the rules can be asked for, without writing', async () => {
    const answer = await admin.post('/admin/resource/orders/validate/1', {
      lines: [
        { id: 1, amount: 0 },
        { amount: 5, gift: true, productId: 3 },
      ],
    })
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({
      errors: { 'lines.0.amount': ['Amount must be at least 1'], 'lines.1.gift': ['Not five at once'] },
    })
    expect((await admin.post('/admin/resource/orders/validate', { customer: 'Eve', lines: [{ productId: 3 }] })).status).toBe(200)
    await admin.patch('/admin/resource/lines/crud/1', { amount: 13 })
    expect((await admin.post('/admin/resource/orders/validate/1', { lines: [{ id: 1, amount: 1 }] })).status).toBe(403)
    expect(await linesOf(1)).toHaveLength(3)
  })

  test('a form that holds as many rows as it can is sent without script', async () => {
    const { lines, parcels } = opened.tables
    for (let key = 10; key < 57; key++) await admin.create(lines, { id: key, orderId: 1, productId: 3, amount: 1 })
    for (let key = 0; key < 83; key++) await admin.create(parcels, { code: `p${key}`, orderId: 1 } as never)
    const { text: page } = await admin.html.get('/admin/resource/orders/form-page/1')
    expect(page).toContain('name="lines.49._key"')
    expect(page).toContain('name="boxes.82._key"')
    const sent = new URLSearchParams()
    for (const [tag] of page.replace(/<template.*?<\/template>/gs, '').matchAll(/<input[^>]*>/g)) {
      const [, name = ''] = /name="([^"]+)"/.exec(tag) ?? []
      const [, value = ''] = /value="([^"]*)"/.exec(tag) ?? []
      if (name !== '' && !/type="checkbox"/.test(tag)) sent.append(name, value.replaceAll('&quot;', '"'))
    }
    expect((await admin.html.post(`${path}/1`, sent)).status).toBe(303)
  })

  test('more lines than a form can hold are left to their list, and new ones can be added', async () => {
    for (let key = 10; key < 110; key++) await admin.create(opened.tables.lines, { id: key, orderId: 2, productId: 3, amount: 1 })
    const { text: page } = await admin.html.get('/admin/resource/orders/form-page/2')
    expect(page).toContain('There are more of these than a form can hold')
    expect(page).not.toContain('name="lines.0._key"')
    expect(
      (await admin.html.post(`${path}/2`, form({ _method: 'PUT', customer: 'Bob', 'lines.0.productId': '5', 'lines.0.amount': '2' })))
        .status,
    ).toBe(303)
    expect((await admin.get('/admin/resource/lines/crud?perPage=1')).json()).toMatchObject({ meta: { total: 105 } })
  })
})

describe('what cannot be edited in the form of another record stops the start', () => {
  const Lines = (more: object) =>
    defineResource({
      model: lines,
      fields: { id: id(), orderId: belongsTo('Order', orders), productId: belongsTo('Product', products), amount: number('Amount') },
      ...more,
    } as never)
  const start = (of: object, more: object = {}, panel: object = {}) =>
    definePanel({
      auth: 'open',
      database: 'sqlite::memory:',
      resources: [
        defineResource({ model: orders, fields: { id: id(), customer: text('Customer') }, related: [hasMany('lines', of as never)] }),
        Lines(more),
        defineResource({ model: products }),
      ],
      ...panel,
    } as never)

  test.each<[string, object, object, string]>([
    ['an unknown field', { inForm: ['nope'] }, {}, 'inForm: "nope" is not a field of lines. Valid: productId, amount'],
    ['the relation itself', { inForm: ['orderId', 'productId'] }, {}, 'inForm: "orderId" is the relation itself, which the form sets'],
    [
      'a required field that is left out',
      { inForm: ['amount'] },
      {},
      'inForm: "productId" is required, so nothing could be created without it',
    ],
    ['a name that is a field', { inForm: true, name: 'customer' }, {}, '"customer" is a field, too'],
    [
      'a field that is not on its form',
      { inForm: ['productId', 'amount'] },
      { pages: { form: ['productId'] } },
      'inForm: "amount" is not on the form of lines',
    ],
    ['records that nobody can edit', { inForm: true }, { activeActions: ['view'] }, 'by which anything could be edited'],
    ['another database', { inForm: true }, { database: 'sqlite:other.db' }, 'it has to be in the same database'],
  ])('%s', (_what, of, more, said) => {
    expect(() => start(of, more)).toThrow(said)
  })

  test('and what can does not', async () => {
    await start({ inForm: true }).close()
  })
})
