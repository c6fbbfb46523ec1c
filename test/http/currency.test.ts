import { chart, definePage, definePanel, defineResource, figure, groups, id, memoryStore, metric, number, text } from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { bigint, numeric, integer as pgInteger, pgTable, text as pgText, real } from 'drizzle-orm/pg-core'
import { integer, numeric as sqliteNumeric, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { numberShown } from '../../src/field/number-text.js'

const orders = pgTable('orders', {
  id: pgInteger().primaryKey(),
  name: pgText(),
  total: numeric({ precision: 30, scale: 2 }),
  unit: numeric(),
  fee: real(),
  yen: bigint({ mode: 'bigint' }),
  rounded: numeric(),
})
const records = [
  { id: 1, name: 'a', total: '1234.50', unit: '0.0045', fee: 0.1 + 0.2, yen: 9007199254740993n, rounded: '2.345' },
  { id: 2, name: 'b', total: '-12345678901234567890.05', unit: '7', fee: 59.699999999999996, yen: 5n, rounded: '1' },
  { id: 3, name: 'c', total: null, unit: '1', fee: null, yen: null, rounded: null },
]
const open = (locale: string) => {
  const Orders = defineResource({
    model: memoryStore(orders, records),
    fields: {
      id: id(),
      name: text('Name'),
      total: number('Total').currency('EUR'),
      unit: number('Unit price').currency('EUR'),
      fee: number('Fee').currency('USD'),
      yen: number('Yen').currency('JPY').hint('Before tax'),
      rounded: number('Rounded').currency('EUR').decimals(1),
    },
    filters: ['unit'],
    summary: { unit: ['sum', 'average', 'smallest'], fee: 'sum' },
  })
  const home = definePage({
    uri: 'home',
    title: 'Home',
    components: [
      metric({ name: 'fees', label: 'Fees', value: figure.sum(Orders, 'fee') }),
      metric({ name: 'average', label: 'Average', value: figure.average(Orders, 'unit') }),
      metric({ name: 'most', label: 'Most', value: figure.largest(Orders, 'unit') }),
      chart({ name: 'chart', label: 'Chart', data: groups.sum(Orders, 'fee', { by: 'name' }) }),
      chart({ name: 'columns', label: 'Columns', type: 'column', data: groups.sum(Orders, 'fee', { by: 'name' }) }),
      chart({ name: 'large', label: 'Large', type: 'line', data: groups.sum(Orders, 'total', { by: 'name' }) }),
      chart({ name: 'counts', label: 'Counts', type: 'column', data: groups.count(Orders, { by: 'name' }) }),
    ],
  })
  return testPanel(definePanel({ auth: 'open', locale, resources: [Orders], home, plugins: [oag()] }))
}
const path = '/admin/resource/orders/crud'
const plainly = (page: string) => page.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('\u00a0', ' ')
const numbersIn = (page: string) => [...plainly(page).matchAll(/<span class="number">(.*?)<\/span>/g)].map(([, one]) => one)
const numbers = async (key: number, locale = 'en') => numbersIn((await open(locale).html.get(`${path}/${key}`)).text)

test('the currency stands beside the control, which it describes, as the locale writes it', async () => {
  const form = plainly((await open('de').html.get('/admin/resource/orders/form-page/1')).text)
  for (const [field, sign] of [
    ['total', '€'],
    ['fee', '$'],
    ['yen', '¥'],
  ])
    expect(form).toMatch(
      new RegExp(`name="${field}"[^>]* aria-describedby="([^ "]* )?(\\S*-unit)[^>]*><span class="affix" id="\\2">\\${sign}<`),
    )
  const list = plainly((await open('en').html.get(path)).text)
  expect(list).toMatch(/id="filter-unit-from"[^>]*aria-describedby="filter-unit-from-unit"[^>]*><span class="affix"[^>]*>€</)
})

test('amounts are shown in the format of the locale, exactly, with the digits of the currency and those beyond', async () => {
  expect(await numbers(1)).toEqual(['€1,234.50', '€0.0045', '$0.30', '¥9,007,199,254,740,993', '€2.3'])
  expect(await numbers(2)).toEqual(['-€12,345,678,901,234,567,890.05', '€7.00', '$59.70', '¥5', '€1.0'])
  expect((await numbers(1, 'de')).slice(0, 2)).toEqual(['1.234,50 €', '0,0045 €'])
  const list = numbersIn((await open('de').html.get(path)).text)
  expect(list).toContain('-12.345.678.901.234.567.890,05 €')
})

test('numbers over several records have the digits of the currency; the smallest is one of them', async () => {
  const list = plainly((await open('en').html.get(path)).text)
  const sums = [...list.matchAll(/<td class="end" data-label="(.*?)">(.*?)<\/td>/g)].map(([, label, value]) => `${label} ${value}`)
  expect(sums).toEqual(['Unit price €8.00', 'Fee $60.00', 'Unit price €2.67', 'Unit price €0.0045'])
  const home = plainly((await open('en').html.get('/admin')).text)
  for (const value of ['$60.00', '€2.67', '<span class="number">€7.00</span>', '$59.70']) expect(home).toContain(value)
})

test('the scale of a chart has the currency, if all of its numbers are of one', async () => {
  const scales = async (locale: string) =>
    [...plainly((await open(locale).html.get('/admin')).text).matchAll(/<ol class="scale">(.*?)<\/ol>/gs)].map(([, scale = '']) =>
      [...scale.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text),
    )
  const [columns, large, counts] = await scales('en')
  expect(columns).toEqual(['$60', '$40', '$20', '$0'])
  expect(large?.[0]).toMatch(/^€|^-€/)
  expect(counts).toEqual(['1', '0'])
  expect((await scales('de'))[0]).toEqual(['60 $', '40 $', '20 $', '0 $'])
})

test('controls, JSON, exports and filters have the plain number', async () => {
  const app = open('en')
  expect((await app.get(`${path}/1`)).json()).toEqual({
    data: { id: 1, name: 'a', total: '1234.50', unit: '0.0045', fee: 0.30000000000000004, yen: '9007199254740993', rounded: '2.345' },
  })
  const form = (await app.html.get('/admin/resource/orders/form-page/1')).text
  expect(form).toContain('value="1234.50"')
  // As many digits as the currency has, and those that are stored beyond.
  expect((await app.html.get('/admin/resource/orders/form-page/2')).text).toMatch(/value="7\.00"[^>]*name="unit"/)
  expect(form).toMatch(/value="0\.0045"[^>]*name="unit"/)
  expect(form).not.toContain('€')
  expect((await app.get('/admin/resource/orders/export')).text).not.toContain('€')
  const found = (await app.html.get(`${path}?filter[unit]=7`)).text
  expect(found).toContain('value="7"')
  const sent = await app.html.post(`${path}/1`, new URLSearchParams({ _method: 'PUT', total: '99.5', unit: '0.0045' }))
  expect([sent.status, ((await app.get(`${path}/1`)).json() as { data: { total: string } }).data.total]).toEqual([303, '99.5'])
})

test('the document says the currency', async () => {
  const { components } = (await open('en').get('/oag.json')).json() as {
    components: { schemas: Record<string, { properties: Record<string, object> }> }
  }
  for (const name of ['orders.Record', 'orders.Update']) {
    expect(components.schemas[name]?.properties.total).toMatchObject({ description: 'In EUR.' })
    expect(components.schemas[name]?.properties.yen).toMatchObject({ description: 'Before tax\nIn JPY.' })
  }
})

const things = sqliteTable('things', { id: integer().primaryKey(), price: sqliteNumeric() })
test.each(['EURO', 'eur', '€', 'XYZ', ''])('a currency that is none, "%s", stops the start', (code) => {
  const Things = defineResource({ model: memoryStore(things), fields: { id: id(), price: number().currency(code) } })
  expect(() => definePanel({ auth: 'open', title: 'Things', resources: [Things] })).toThrow('is no code of a currency')
})

const parts = sqliteTable('parts', { id: integer().primaryKey(), year: integer(), cents: integer() })
const partsIn = (fields: object, computed: object) =>
  defineResource({
    model: memoryStore(parts, [{ id: 1, year: 2026, cents: 123_450 }]),
    fields: { id: id(), year: number('Year'), cents: number('Cents'), ...fields },
    computed: { price: { label: 'Price', needs: ['cents'], value: ({ cents }: { cents: number }) => cents / 100, ...computed } },
    pages: { index: ['year', 'cents', 'price'] },
    summary: { year: ['largest', 'sum'] },
  } as never)

test('a double shows the digits that it tells, and no others', () => {
  const shown = (value: number) => numberShown(value, { currency: 'EUR' }, 'en')
  expect([shown(0.1 + 0.2), shown(9_999_999_999_999.99), shown(12_345_678_901_234.56)]).toEqual([
    '€0.30',
    '€9,999,999,999,999.99',
    '€12,345,678,901,234.56',
  ])
})

test('years are not grouped where that is said, and computed values are amounts', async () => {
  const Parts = partsIn({ year: number('Year').grouping(false) }, { currency: 'EUR' })
  const page = (await testPanel(definePanel({ auth: 'open', resources: [Parts] })).html.get('/admin/resource/parts/crud')).text
  expect(numbersIn(page)).toEqual(['2026', '123,450', '€1,234.50'])
  expect(page).toContain('Largest <b>2026</b>')
  expect(page).toMatch(/<td class="end[^"]*"[^>]*><span class="number">(?:€|&#8364;)1,234\.50/)
  expect(() => definePanel({ auth: 'open', resources: [partsIn({}, { currency: 'EURO' })] })).toThrow('is no code of a currency')
})
