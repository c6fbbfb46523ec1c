import { belongsTo, type DeclarationError, definePanel, defineResource, id, memoryStore, number, text } from 'daymark'
import type { testPanel } from 'daymark/testing'
import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dear, filledWorld, free, gone, type Happened, hidden, paper, pen, worlds } from './orders-world.js'

type App = ReturnType<typeof testPanel>
type Data = Record<string, unknown>
const path = '/admin/resource/lines/crud'

describe.each(Object.entries(worlds))('fields that a relation fills, over %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  let admin: App
  let editor: App
  let clerk: App
  let happened: Happened
  beforeEach(async () => {
    happened = { hooks: [], logged: [] }
    opened = await open(happened)
    admin = await filledWorld(opened)
    editor = admin.as({ roles: ['editor'] })
    clerk = admin.as({ roles: ['clerk'] })
  })
  afterEach(() => opened?.end())

  const create = (body: object, app = editor) => app.post(path, { orderId: 1, ...body })
  const change = (body: object, app = editor) => app.patch(`${path}/1`, body)
  const errorsOf = (answer: Awaited<ReturnType<App['post']>>) => (answer.json() as { errors?: Data }).errors
  const dataOf = (answer: Awaited<ReturnType<App['post']>>) => (answer.json() as { data: Data }).data
  const stored = async (key: unknown = 1) => dataOf(await admin.get(`${path}/${key}`))
  const form = (given: Data, app = editor, at = path) =>
    app.html.post(at, new URLSearchParams({ orderId: '1', ...(given as Record<string, string>) }))
  const last = async () => (await admin.get(`${path}?sort=-id`)).json() as { data: Data[] }

  test('a new record takes what is not sent, by the rules of each field', async () => {
    const made = await create({ productId: pen })
    expect(made.status).toBe(201)
    expect(dataOf(made)).toMatchObject({ productId: pen, amount: 1, price: 2, note: 'blue' })
    // What the caller may not see is filled, too.
    expect(await stored(dataOf(made).id)).toMatchObject({ cost: '1.25', price: 2 })
    expect(happened.hooks).toEqual(['line 2'])
    const own = await create({ productId: pen, price: 9, note: null })
    expect(dataOf(own)).toMatchObject({ price: 9, note: null })
  })

  test('a form leaves blank what is to be filled', async () => {
    expect((await form({ productId: String(paper), amount: '3', price: '', note: '' })).status).toBe(303)
    expect((await last()).data[0]).toMatchObject({ productId: paper, amount: 3, price: 4.5, note: null })
    expect((await form({ productId: String(pen), amount: '3', price: '8', note: 'red' })).status).toBe(303)
    expect((await last()).data[0]).toMatchObject({ price: 8, note: 'red' })
  })

  test('what a record is filled with is judged as if it had been sent', async () => {
    expect(errorsOf(await create({ productId: dear }))).toEqual({ price: ['Price must be at most 1000'] })
    await admin.patch(`/admin/resource/products/crud/${paper}`, { price: 13 })
    expect(errorsOf(await create({ productId: paper }))).toEqual({ price: ['Not thirteen'] })
    expect(errorsOf(await create({ productId: free }))).toEqual({ price: ['Price is required'] })
    const page = await form({ productId: String(free), amount: '1', price: '' })
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Price is required')])
    expect(errorsOf(await create({}))).toEqual({ productId: ['Product is required'], price: ['Price is required'] })
    expect(happened.hooks).toEqual([])
  })

  test('only by what the caller may choose', async () => {
    for (const productId of [gone, hidden, 99]) {
      expect(errorsOf(await create({ productId }))).toEqual({ productId: ['Product: no such record'] })
      expect(errorsOf(await change({ productId, note: 'x' }))).toEqual({ productId: ['Product: no such record'] })
    }
    expect(errorsOf(await create({ productId: 'pen' }))).toMatchObject({ productId: [expect.any(String)] })
    expect((await create({ productId: hidden }, admin)).status).toBe(201)
  })

  test('whoever may not change a field has it filled: the declaration is nobody’s but the developer’s', async () => {
    expect(dataOf(await create({ productId: paper }, clerk))).toMatchObject({ price: 4.5 })
    expect(errorsOf(await create({ productId: paper, price: 1 }, clerk))).toEqual({ price: ['Price cannot be changed'] })
    expect(dataOf(await change({ productId: paper }, clerk))).toMatchObject({ productId: paper, price: 3 })
  })

  test('a change fills what is blank, and overwrites nothing that is stored', async () => {
    expect(dataOf(await change({ productId: pen }))).toMatchObject({ price: 3, note: null })
    expect(dataOf(await change({ amount: 4 }))).toMatchObject({ note: null })
    await admin.patch(`/admin/resource/products/crud/${paper}`, { note: 'white' })
    expect(dataOf(await change({ productId: paper }))).toMatchObject({ productId: paper, price: 3, note: 'white' })
    expect(dataOf(await change({ productId: pen }))).toMatchObject({ productId: pen, price: 3, note: 'white' })
    // Said to be empty is not left out.
    expect(dataOf(await change({ productId: paper, note: null }))).toMatchObject({ note: null })
    expect(errorsOf(await change({ productId: pen, price: null }))).toEqual({ price: ['Price is required'] })
  })

  test('a form that empties a control has it filled by another product', async () => {
    const send = (given: Data) => form({ _method: 'PUT', amount: '2', ...given }, editor, `${path}/1`)
    expect((await send({ productId: String(pen), price: '', note: '' })).text).toContain('Price is required')
    expect((await send({ productId: String(paper), price: '', note: '' })).status).toBe(303)
    expect(await stored()).toMatchObject({ productId: paper, price: 4.5, note: null })
    expect((await send({ productId: String(free), price: '', note: '' })).text).toContain('Price is required')
    expect((await send({ productId: String(pen), price: '4.5', note: '' })).status).toBe(303)
    expect(await stored()).toMatchObject({ productId: pen, price: 4.5, note: 'blue' })
  })

  test('in rows of the form of another record, and in their check', async () => {
    const rows = [{ productId: pen }, { productId: paper, price: 1 }, { productId: dear }, { productId: gone }]
    const wrong = { 'lines.2.price': ['Price must be at most 1000'], 'lines.3.productId': ['Product: no such record'] }
    expect(errorsOf(await editor.post('/admin/resource/orders/validate', { customer: 'Eve', lines: rows }))).toEqual(wrong)
    // A write stops at the first row that it cannot do.
    expect((await editor.post('/admin/resource/orders/crud', { customer: 'Eve', lines: rows })).status).toBe(422)
    const made = await editor.post('/admin/resource/orders/crud', { customer: 'Eve', lines: rows.slice(0, 2) })
    expect(made.status).toBe(201)
    expect((await last()).data.slice(0, 2).map(({ price, note }) => [price, note])).toEqual([
      [1, null],
      [2, 'blue'],
    ])
    expect((await editor.patch('/admin/resource/orders/crud/1', { lines: [{ id: 1, productId: paper }] })).status).toBe(200)
    expect(await stored()).toMatchObject({ productId: paper, price: 3 })
    const sent = {
      _method: 'PUT',
      customer: 'Ada',
      'lines.0._key': '1',
      'lines.0.productId': String(pen),
      'lines.0.amount': '1',
      'lines.0.price': '',
    }
    const page = await editor.html.post('/admin/resource/orders/crud/1', new URLSearchParams({ ...sent, 'lines.0.note': '' }))
    expect(page.status).toBe(303)
    expect(await stored()).toMatchObject({ productId: pen, price: 2, note: 'blue' })
  })

  test('an import, a single field in place and a change of several records', async () => {
    const imported = (body: object) => editor.post('/admin/resource/lines/import', body)
    expect(
      errorsOf(
        await imported({
          records: [
            { orderId: 1, productId: pen },
            { orderId: 1, productId: dear },
          ],
          check: true,
        }),
      ),
    ).toEqual({ 'records[1].price': [expect.stringContaining('Price must be at most 1000')] })
    expect(
      (
        await imported({
          records: [
            { orderId: 1, productId: pen },
            { orderId: 1, productId: paper, price: 1 },
          ],
        })
      ).status,
    ).toBe(200)
    expect((await last()).data.slice(0, 2).map(({ price }) => price)).toEqual([1, 2])
    const file = new FormData()
    file.set('file', new Blob(['Order,Product,Amount,Price,Note\n1,1,2,,\n1,Paper,2,7,mine\n']), 'lines.csv')
    expect((await editor.post('/admin/resource/lines/import?mode=create', file as never)).status).toBe(200)
    expect((await last()).data.slice(0, 2).map(({ price, note }) => [price, note])).toEqual([
      [7, 'mine'],
      [2, 'blue'],
    ])
    const inPlace = await editor.put('/admin/update-field/column/lines/1', { field: 'productId', value: paper, was: pen })
    expect([inPlace.status, (await stored()).price]).toEqual([200, 3])
    const several = await editor.post('/admin/resource/lines/handler/massUpdate', { ids: [1], productId: pen })
    expect([several.status, (await stored()).price, (await stored()).note]).toEqual([200, 3, null])
  })
})

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  price: integer(),
  name: varchar(),
  made: integer({ mode: 'timestamp' }),
})
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  productId: integer(),
  otherId: integer(),
  price: integer().notNull(),
  name: varchar(),
  twice: integer().generatedAlwaysAs(sql`price * 2`),
})

function start(fills: Data, more: object = {}, settings: object = {}): readonly string[] {
  try {
    const panel = definePanel({
      auth: 'open',
      resources: [
        defineResource({
          model: memoryStore(lines),
          fields: {
            id: id(),
            productId: belongsTo('Product', products).fills(fills as never),
            otherId: belongsTo('Other', products),
            price: number('Price'),
            name: text('Name'),
            twice: number('Twice'),
            ...more,
          },
          ...settings,
        } as never),
        defineResource({ model: memoryStore(products) }),
      ],
    })
    return panel.warnings.map(({ id, where }) => `${id} ${where}`)
  } catch (thrown) {
    return (thrown as DeclarationError).problems.map(({ id, where, text }) => `${id} ${where}: ${text}`)
  }
}

test.each<[string, string, Parameters<typeof start>]>([
  ['a field that is none', '"nope" is not a field that can be filled. Valid: id, otherId, price, name', [{ nope: 'price' }]],
  ['the relation itself', '"productId" is not a field that can be filled. Valid: id, otherId, price, name', [{ productId: 'id' }]],
  ['what the database computes', '"twice" is not a field that can be filled', [{ twice: 'price' }]],
  ['a column that is none', '"nope" is not a column of "products". Valid: id, price', [{ price: 'nope' }]],
  ['another type', '"name" of "products" is of type text, but the field "price" of type integer. Valid: id, price', [{ price: 'name' }]],
  [
    'another type of times',
    '"made" of "products" is of type dateTime (Date), but the field "name" of type text. Valid: name',
    [{ name: 'made' }],
  ],
  ['nothing', "it takes fields of this record, each with a column of the related table: { price: 'price' }", [{}]],
  [
    'what another relation fills',
    '"price" is filled by "otherId", too',
    [{ price: 'price' }, { otherId: belongsTo('Other', products).fills({ price: 'price' }) }],
  ],
])('the start says that a relation cannot fill %s', (_, text, given) => {
  expect(start(...given)[0]).toContain(`relation-fills lines.fields.productId.fills: ${text}`)
})

test('the start says that a relation cannot fill what is no text', () => {
  expect(start({ price: 1 })[0]).toContain('field-methods lines.fields.productId: fills().price: 1 is not a text')
})

test('what a relation fills need not be in a form, and an action has nothing to be filled', () => {
  expect(start({ price: 'price' }, {}, { pages: { form: ['productId'] } })).toEqual([])
  expect(start({ name: 'name' }, {}, { pages: { form: ['productId'] } })).toEqual(['create-needs lines.price'])
  const fields = { product: belongsTo('Product', products).fills({ price: 'price' }), price: number('Price') }
  expect(start({ price: 'price' }, {}, { handlers: { sell: { fields, run: () => {} } } })).toEqual([
    'relation-fills lines.handlers.sell.fields.product.fills: an action has no record whose fields could be filled',
  ])
})
