import { belongsTo, definePanel, defineResource, hasMany, id, memoryStore, number, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', { id: integer().primaryKey(), customerId: integer('customer_id').notNull(), total: integer() })
const Orders = defineResource({
  model: memoryStore(orders, [
    { id: 1, customerId: 1, total: 5 },
    { id: 2, customerId: 2, total: 6 },
    { id: 3, customerId: 2, total: 7 },
  ]),
  fields: { id: id(), customerId: belongsTo('Customer', customers), total: number('Total') },
  filters: ['total'],
  summary: { total: 'sum' },
})
const Customers = defineResource({
  model: memoryStore(customers, [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ]),
  fields: { id: id(), name: text('Name') },
  related: [hasMany(Orders)],
})
const { html } = testPanel(definePanel({ auth: 'open', resources: [Customers, Orders] }))
const sums = async (path: string) => (await html.get(`/admin/resource/${path}`)).text.split('<tr class="summary">').length - 1

test('a list of one related record has no sum below it, which would say that record again', async () => {
  expect(await sums('customers/crud/1')).toBe(0)
  expect(await sums('customers/crud/2')).toBe(1)
})

test('the list of the resource keeps its foot, however few match', async () => {
  expect(await sums('orders/crud?filter[total]=5')).toBe(1)
})
