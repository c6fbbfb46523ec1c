import { definePanel, defineResource, id, memoryStore, number } from 'daymark'
import { integer, numeric, real, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

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
