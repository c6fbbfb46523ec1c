import { definePanel, defineResource, id, memoryStore, number } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, numeric, real, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const items = sqliteTable('items', {
  id: integer().primaryKey(),
  packs: integer(),
  seats: integer(),
  weight: real(),
  price: numeric(),
})
const Items = defineResource({
  model: memoryStore(items),
  fields: {
    id: id(),
    packs: number('Packs').step(6),
    seats: number('Seats').min(2).max(9).step(5),
    weight: number('Weight').step(0.05),
    price: number('Price').min(0).step(0.05),
  },
  filters: ['packs', 'price'],
})
const panel = definePanel({ auth: 'open', resources: [Items], plugins: [oag()] })
const app = testPanel(panel)
const path = '/admin/resource/items/crud'

test('what is on a step is taken, on both faces', async () => {
  const values = { packs: 12, seats: 7, weight: 0.15, price: '1234567890123456789.95' }
  const typed = new URLSearchParams({ packs: '-6', seats: '2', weight: '0.3', price: '0' })
  expect([(await app.post(path, values)).status, (await app.post(path, typed)).status]).toEqual([201, 201])
})

test.each<[values: Record<string, unknown>, says: Record<string, string>]>([
  [{ packs: 7 }, { packs: 'Packs must be a multiple of the step 6. Nearest: 6, 12' }],
  [{ seats: 8 }, { seats: 'Seats must be a multiple of the step 5. Nearest: 7' }],
  [{ weight: 0.16 }, { weight: 'Weight must be a multiple of the step 0.05. Nearest: 0.15, 0.2' }],
  [{ price: '0.01' }, { price: 'Price must be a multiple of the step 0.05. Nearest: 0, 0.05' }],
])('what is on none is refused, on both faces: %j', async (values, says) => {
  const errors = Object.fromEntries(Object.entries(says).map(([field, text]) => [field, [text]]))
  for (const body of [values, new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]))])
    expect((await app.post(path, body)).json()).toMatchObject({ status: 422, errors })
})

test('a filter may ask for what is on none', async () => {
  for (const filter of ['filter[packs][gte]=7', 'filter[price]=0.01']) expect((await app.get(`${path}?${filter}`)).status).toBe(200)
})

test('the document says as much of it as programs would count alike', async () => {
  const { components } = (await app.get('/oag.json')).json() as { components: { schemas: Record<string, { properties?: object }> } }
  const inputs = Object.values(components.schemas).flatMap(({ properties }) =>
    properties && 'packs' in properties && 'multipleOf' in (properties.packs as object) ? [properties] : [],
  )
  expect(inputs.length).toBeGreaterThan(0)
  for (const properties of inputs) {
    expect(properties).toMatchObject({ packs: { multipleOf: 6 }, weight: { 'x-more-rules': true }, seats: { 'x-more-rules': true } })
    expect((properties as Record<string, object>).weight).not.toHaveProperty('multipleOf')
  }
})

test.each([number().step(0), number().step(-5), number().step(0.5), number().min(0).step(Number.POSITIVE_INFINITY)])(
  'steps that lead nowhere stop the start (%#)',
  (packs) =>
    expect(() =>
      definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(items), fields: { id: id(), packs } })] }),
    ).toThrow('field-methods'),
)
