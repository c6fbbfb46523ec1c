import type { testPanel } from 'daymark/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dear, filledWorld, type Happened, hidden, paper, pen, worlds } from './orders-world.js'

type App = ReturnType<typeof testPanel>
type Data = Record<string, unknown>
const orders = '/admin/resource/orders'

describe.each(Object.entries(worlds))('computed values in forms, over %s', (store, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  let admin: App
  let editor: App
  let happened: Happened
  beforeEach(async () => {
    happened = { hooks: [], logged: [] }
    opened = await open(happened)
    admin = await filledWorld(opened)
    editor = admin.as({ roles: ['editor'] })
  })
  afterEach(() => opened?.end())

  const check = async (key: string, body: object, app = editor) => {
    const answer = await app.post(`${orders}/validate${key}`, body)
    const { computed, filled, errors } = answer.json() as { computed: Data; filled: Data; errors?: Data }
    return { status: answer.status, computed, filled, errors }
  }
  const euros = (value: number) => ({ value, text: `€${value.toFixed(2)}` })
  const none = { value: null, text: null }
  /** The outputs of a page by their names. */
  const outputsIn = (page: string) =>
    Object.fromEntries(
      [
        ...page.matchAll(
          /<label for="([^"]+)">([^<]*)<\/label><div class="control"><output id="([^"]+)" name="([^"]+)"[^>]*>(.*?)<\/output>/g,
        ),
      ].map(([, of, label, own, name, shown = '']) => {
        expect(of).toBe(own)
        return [name, `${label}: ${shown.replace(/<[^>]+>/g, '').replace('&#8364;', '€')}`]
      }),
    )
  const page = async (path: string, app = editor) => outputsIn((await app.html.get(`${orders}/form-page${path}`)).text)

  test('a form shows them in their place, of what is stored; that of a new record shows none yet', async () => {
    expect(await page('/1', admin)).toEqual({
      greeting: 'Greeting: Dear Ada',
      rate: 'Rate: 4.5',
      'lines.0.total': 'Total: €6.00',
      'lines.0.upper': 'Upper: &mdash;',
      'lines.0.margin': 'Margin: &mdash;',
      'lines.0.far': 'Far: No',
      ...Object.fromEntries(
        ['1', '2', '{row}'].flatMap((row) =>
          ['Total', 'Upper', 'Margin', 'Far'].map((one) => [`lines.${row}.${one.toLowerCase()}`, `${one}: &mdash;`]),
        ),
      ),
    })
    expect(await page('')).toMatchObject({ greeting: 'Greeting: &mdash;', rate: 'Rate: &mdash;', 'lines.0.total': 'Total: &mdash;' })
    const { text } = await admin.html.get(`${orders}/form-page/1`)
    expect(text).toMatch(/<output id="field-rate" name="rate" class="number" for="field-discount field-shipping" aria-live="polite">/)
    expect(text).toMatch(
      /<output id="lines-0-total" name="lines\.0\.total" class="number" for="lines-0-amount lines-0-price" aria-live="off">/,
    )
    expect(text.indexOf('name="customer"')).toBeLessThan(text.indexOf('name="greeting"'))
    expect(text.indexOf('name="greeting"')).toBeLessThan(text.indexOf('name="discount"'))
    // What tells of related records is shown beside, as it is stored.
    if (store !== 'memory') expect(text).toMatch(/<dt>Pieces<\/dt><dd><span class="number">2<\/span>/)
  })

  test('what is hidden from a user makes what it is made of hidden, too', async () => {
    expect(await page('/1', admin)).toHaveProperty(['lines.0.margin'])
    expect(await page('/1')).not.toHaveProperty(['lines.0.margin'])
    const lines = [{ productId: pen, price: 2 }]
    expect((await check('', { customer: 'Eve', lines: [{ productId: pen, price: 2 }] })).computed).not.toHaveProperty(['lines.0.margin'])
    expect((await check('', { customer: 'Eve', lines }, admin)).computed).toMatchObject({ 'lines.0.margin': { value: 0.75, text: '0.75' } })
    // Who may change a record, but not view it, is told nothing that is made of it.
    const writer = admin.as({ roles: ['writer'] })
    expect(await check('/1', { discount: 1 }, writer)).toEqual({ status: 200, computed: {}, filled: {} })
    expect(await page('/1', writer)).not.toHaveProperty('rate')
  })

  test('the check says what they would be, and only those that the form shows', async () => {
    expect(await check('/1', { discount: 20 })).toEqual({
      status: 200,
      computed: { greeting: { value: 'Dear Ada', text: 'Dear Ada' }, rate: { value: 4, text: '4.0' } },
      filled: {},
    })
    expect(await check('', { customer: 'Eve', shipping: 10 })).toMatchObject({
      status: 200,
      computed: { greeting: { value: 'Dear Eve' }, rate: { value: 10, text: '10.0' } },
    })
    expect((await admin.get(`${orders}/crud/1`)).json()).toMatchObject({ data: { discount: 10 } })
    expect(happened).toEqual({ hooks: [], logged: [] })
  })

  test('also of what is refused; of what cannot be read, none', async () => {
    expect(await check('', { shipping: 10, discount: 60 })).toMatchObject({
      status: 422,
      // What breaks a rule is a number all the same.
      computed: { greeting: none, rate: { value: 4 } },
      errors: { customer: ['Customer is required'], discount: ['Discount must be at most 50'] },
    })
    expect((await check('/1', { shipping: 'much' })).computed).toMatchObject({ rate: none })
    expect((await check('/1', { customer: '' })).computed).toMatchObject({ greeting: none })
    // What nobody may write counts as it is.
    expect((await check('/1', { shipping: null, id: 7 })).computed).toMatchObject({ rate: { value: 0 } })
  })

  test('each row has its own', async () => {
    const body = {
      lines: [
        { id: 1, amount: 4 },
        { productId: pen, amount: 3, note: 'red' },
        { productId: paper, amount: 'many', price: 1 },
        { amount: 2, price: 2 },
        { id: 1, _delete: true },
        { productId: dear, amount: 101 },
        { productId: hidden },
      ],
    }
    const { status, computed, filled } = await check('/1', body)
    expect(status).toBe(422)
    expect(computed).toEqual({
      greeting: expect.anything(),
      rate: expect.anything(),
      'lines.0.total': euros(12),
      'lines.0.upper': none,
      'lines.0.far': { value: false, text: 'No' },
      'lines.1.total': euros(6),
      'lines.1.upper': { value: 'RED', text: 'RED' },
      'lines.1.far': { value: false, text: 'No' },
      'lines.2.total': none,
      'lines.2.upper': none,
      'lines.2.far': none,
      'lines.3.total': euros(4),
      'lines.3.upper': none,
      'lines.3.far': { value: false, text: 'No' },
      'lines.5.total': { value: 505_000, text: '€505,000.00' },
      'lines.5.upper': none,
      'lines.5.far': { value: true, text: 'Yes' },
      'lines.6.total': none,
      'lines.6.upper': none,
      'lines.6.far': { value: false, text: 'No' },
    })
    // What is chosen fills the rest; what cannot be chosen tells nothing.
    expect(filled).toEqual({ 'lines.1.price': { value: 2, text: '2.00' }, 'lines.5.price': { value: 5000, text: '5000.00' } })
  })

  test('a form is answered by the names of its controls, and rows that nobody has filled in have none', async () => {
    const sent = new URLSearchParams({
      customer: 'Ada',
      'lines.0._key': '1',
      'lines.0.productId': String(pen),
      'lines.0.amount': '5',
      'lines.0.price': '1.5',
      'lines.3._blank': '1',
      'lines.3.amount': '1',
      'lines.7.productId': String(pen),
      'lines.7.amount': '2',
      'lines.7.price': '',
    })
    const { computed, filled } = await check('/1', sent)
    expect(computed).toMatchObject({ 'lines.0.total': euros(7.5), 'lines.7.total': euros(4) })
    expect(Object.keys(computed).some((name) => name.startsWith('lines.3'))).toBe(false)
    expect(filled).toEqual({ 'lines.7.price': { value: 2, text: '2.00' }, 'lines.7.note': { value: 'blue', text: 'blue' } })
    // To whoever may only read the price it is said as they read it.
    const { filled: read } = await check(
      '',
      new URLSearchParams({ customer: 'Eve', 'lines.0.productId': String(pen), 'lines.0.amount': '1' }),
      admin.as({ roles: ['clerk'] }),
    )
    expect(read).toMatchObject({ 'lines.0.price': { value: 2, text: '€2.00' } })
  })

  test('a refused form shows what it would be with what was typed', async () => {
    const sent = new URLSearchParams({
      customer: '',
      shipping: '8',
      discount: '50',
      'lines.0.productId': '',
      'lines.0.amount': '3',
      'lines.0.price': '2',
    })
    const { status, text } = await editor.html.post(`${orders}/crud`, sent)
    expect(status).toBe(422)
    expect(outputsIn(text)).toMatchObject({ greeting: 'Greeting: &mdash;', rate: 'Rate: 4.0', 'lines.0.total': 'Total: €6.00' })
  })

  test('a calculation that fails is a dash, and is logged', async () => {
    const body = {
      customer: 'Eve',
      lines: [
        { productId: pen, note: 'boom' },
        { productId: pen, note: 'boom' },
      ],
    }
    const { status, computed } = await check('', body)
    expect([status, computed['lines.0.upper'], computed['lines.1.total']]).toEqual([200, none, euros(2)])
    expect(happened.logged).toEqual(['no such note'])
    await admin.create(opened.tables.lines, { orderId: 1, productId: pen, price: 1, note: 'boom' } as never)
    expect(await page('/1')).toMatchObject({ 'lines.1.upper': 'Upper: &mdash;', 'lines.1.total': 'Total: €1.00' })
    expect(happened.logged).toEqual(['no such note', 'no such note'])
  })

  test('a computed value is no field: a row that sends one back unchanged is taken, and another one refused', async () => {
    expect((await editor.patch(`${orders}/crud/1`, { lines: [{ id: 1, total: 6 }] })).status).toBe(200)
    const answer = await editor.patch(`${orders}/crud/1`, { lines: [{ id: 1, total: 7 }] })
    expect([answer.status, (answer.json() as { errors: Data }).errors]).toEqual([422, { 'lines.0.total': ['Total cannot be changed'] }])
    const { data } = (await editor.get(`${orders}/form-page/1`)).json() as { data: { lines: Data[] } }
    expect((await editor.patch(`${orders}/crud/1`, { lines: data.lines })).status).toBe(200)
  })

  test('a form that takes a change back, and that of a copy, show what they begin with', async () => {
    const path = '/admin/resource/lines'
    await admin.patch(`${path}/crud/1`, { amount: 7 })
    const formOf = async (query: string) => outputsIn((await admin.html.get(`${path}/form-page${query}`)).text)
    expect(await formOf('/1')).toEqual({ total: 'Total: €21.00' })
    expect(await formOf('?duplicate=1')).toEqual({ total: 'Total: €21.00' })
    expect(await formOf('?value[amount]=2&value[price]=4')).toEqual({ total: 'Total: €8.00' })
    expect(await formOf('')).toEqual({ total: 'Total: &mdash;' })
    // Only a database of the panel keeps what was.
    if (store === 'memory') return
    const { data } = (await admin.get(`${path}/crud/1/history`)).json() as { data: Data[] }
    expect(await formOf(`/1?restore=${data[0]?.id}`)).toEqual({ total: 'Total: €6.00' })
  })

  test('of no record, and to whoever may not change it, nothing is said', async () => {
    expect((await check('/9', {})).status).toBe(404)
    expect(await check('/1', {}, admin.as({ roles: ['reader'] }))).toMatchObject({ status: 403, computed: undefined })
  })
})
