import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, memoryStore, number } from 'daymark'
import { integer, numeric, real, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'
import { Sqlite } from '../support/sqlite.js'

const items = sqliteTable('items', { id: integer().primaryKey(), price: real(), exact: numeric(), packs: integer() })
const path = '/admin/resource/items'

const open = (locale = 'en') => {
  const Items = defineResource({
    model: memoryStore(items, [
      { id: 1, price: 33.5, exact: '7', packs: 2 },
      { id: 2, price: 55.275000000000006, exact: '-0.125', packs: 3 },
    ]),
    fields: {
      id: id(),
      price: number('Price').decimals(2).updateOnPreview(),
      exact: number('Exact').decimals(2),
      packs: number('Packs').decimals(2),
    },
  })
  return testPanel(definePanel({ auth: 'open', resources: [Items], locale }))
}

/** The texts of the controls of a form, by field. */
const controlsOf = (page: string) =>
  Object.fromEntries(
    ['price', 'exact', 'packs'].map((name) => [
      name,
      new RegExp(`value="([^"]*)"[^>]* name="${name}"|name="${name}"[^>]* value="([^"]*)"`).exec(page)?.slice(1).find(Boolean),
    ]),
  )

test('controls show the digits of decimals(), and all that a value has beyond them', async () => {
  const app = open()
  expect(controlsOf((await app.html.get(`${path}/form-page/1`)).text)).toEqual({ price: '33.50', exact: '7.00', packs: '2' })
  expect(controlsOf((await app.html.get(`${path}/form-page/2`)).text)).toEqual({ price: '55.275000000000006', exact: '-0.125', packs: '3' })
  expect((await app.html.get(`${path}/crud`)).text).toContain('value="33.50"')
  expect(controlsOf((await open('de').html.get(`${path}/form-page/1`)).text)).toEqual({ price: '33,50', exact: '7,00', packs: '2' })
})

test('to send what they show changes nothing, in JSON nothing is shown so', async () => {
  const app = open()
  const { data } = (await app.get(`${path}/crud/1`)).json() as { data: object }
  expect(data).toEqual({ id: 1, price: 33.5, exact: '7', packs: 2 })
  const sent = await app.post(`${path}/crud/1`, new URLSearchParams({ _method: 'PUT', price: '33.50', exact: '7.00', packs: '2' }))
  expect(sent.status).toBe(200)
  expect((await app.get(`${path}/crud/1`)).json()).toEqual({ data })
  expect((await app.get(`${path}/export`)).text).toContain('33.5,')
})

test('a computed number is shown in the language of the panel, with the digits that it asks for, and is exact in JSON and exports', async () => {
  const open = (locale: string) => {
    const Items = defineResource({
      model: memoryStore(items, [{ id: 1, price: 1234.5, exact: '7', packs: 3 }]),
      computed: {
        total: { label: 'Total', needs: ['price', 'packs'], decimals: 2, value: ({ price, packs }) => (price ?? 0) * (packs ?? 0) },
        third: { label: 'Third', needs: ['packs'], value: ({ packs }) => (packs ?? 0) / 1.5 },
        many: { label: 'Many', needs: ['packs'], value: ({ packs }) => (packs ?? 0) > 2 },
      },
      pages: { index: ['id', 'total', 'third', 'many'], detail: ['id', 'total', 'many'] },
    })
    return testPanel(definePanel({ auth: 'open', resources: [Items], locale }))
  }
  const app = open('de')
  const page = (await app.html.get(`${path}/crud`)).text
  expect(page).toContain('<span class="number">3.703,50</span>')
  expect(page).toContain('<span class="number">2</span>')
  expect(page).toMatch(/<td[^>]*>Ja</)
  // Aligned as its numbers are.
  expect(page).toMatch(/<th[^>]*class="end"[^>]*>Total/)
  expect((await app.html.get(`${path}/crud/1`)).text).toContain('3.703,50')
  expect((await app.get(`${path}/crud`)).json()).toMatchObject({ data: [{ id: 1, total: 3703.5, third: 2, many: true }] })
  expect((await app.get(`${path}/export`)).text).toContain('1,3703.5,2,true')
})

test('digits that cannot be stop the start', () => {
  const Items = defineResource({
    model: items,
    computed: { total: { label: 'Total', needs: ['price'], decimals: 21, value: ({ price }) => price } },
  })
  expect(() => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Items] })).toThrow(
    'computed.total.decimals: 21 is not a number of digits from 0 to 20',
  )
})

test('a small or large number of a numeric column is written as it is sent, though SQLite keeps it as a double', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-decimals-'))
  const client = new Sqlite(join(folder, 'rates.db'))
  client.exec("create table rates (id integer primary key, rate numeric); insert into rates values (1, 0.00000015), (2, -3), (3, 'none')")
  const Rates = defineResource({
    model: sqliteTable('rates', { id: integer().primaryKey(), rate: numeric() }),
    fields: { id: id(), rate: number('Rate').sortable() },
    filters: ['rate'],
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'rates.db')}`, resources: [Rates] })
  const app = testPanel(panel)
  const rates = async (query: string) =>
    ((await app.get(`/admin/resource/rates/crud?${query}`)).json() as { data: { rate: string }[] }).data
  for (const rate of ['0.000000000025', '5000000000000000000000'])
    expect((await app.post('/admin/resource/rates/crud', { rate })).json()).toMatchObject({ data: { rate } })
  expect((await app.post('/admin/resource/rates/crud', { rate: '0.00000012345678901234567' })).status).toBe(422)
  const sorted = ['-3', '0.000000000025', '0.00000015', '5000000000000000000000', 'none']
  expect((await rates('sort=rate')).map(({ rate }) => rate)).toEqual(sorted)
  for (const [i, rate] of sorted.entries()) {
    expect(await rates(`sort=rate&perPage=1&page=${i + 1}`)).toMatchObject([{ rate }])
    if (rate !== 'none') expect(await rates(`filter[rate]=${rate}`)).toMatchObject([{ rate }])
  }
  expect((await app.html.get('/admin/resource/rates/form-page/1')).text).toContain('value="0.00000015"')
  expect((await app.get('/admin/resource/rates/export')).text).toContain('\r\n1,0.00000015\r\n')
  await panel.close()
  client.close()
  rmSync(folder, { recursive: true, force: true })
})
