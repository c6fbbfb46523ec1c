import { badge, definePage, definePanel, defineResource, figure, id, memoryStore, metric, number, progress } from 'daymark'
import { integer, numeric, real, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const orders = sqliteTable('orders', { id: integer().primaryKey(), price: real(), exact: numeric(), weight: real() })
const Orders = defineResource({
  model: memoryStore(orders, [
    { id: 1, price: 1000.25, exact: '2.5', weight: 0.5 },
    { id: 2, price: 12.25, exact: '10', weight: 12 },
  ]),
  fields: { id: id(), price: number('Price').decimals(2), exact: number('Exact').decimals(2), weight: number('Weight') },
})
const page = definePage({
  uri: 'figures',
  title: 'Figures',
  components: [
    metric({ name: 'sum', label: 'Sum', value: figure.sum(Orders, 'price') }),
    metric({ name: 'mean', label: 'Mean', value: figure.average(Orders, 'price', { id: 2 }) }),
    metric({ name: 'none', label: 'None', value: figure.average(Orders, 'price', { id: 3 }) }),
    badge({ name: 'exact', label: 'Exact', value: figure.sum(Orders, 'exact') }),
    metric({ name: 'weight', label: 'Weight', value: figure.sum(Orders, 'weight') }),
    progress({ name: 'part', label: 'Part', value: figure.sum(Orders, 'price'), max: 2000 }),
  ],
})
const panel = definePanel({ auth: 'open', locale: 'de', resources: [Orders], pages: [page] })

test('a sum and an average have the decimals that their field states; in JSON they are numbers', async () => {
  const asked = testPanel(panel)
  const { text } = await asked.get('/admin/page/figures', { headers: { accept: 'text/html' } })
  for (const shown of ['1.012,50<', '12,25<', '12,50<', '12,5<', '1.012,50 von 2.000']) expect(text).toContain(shown)
  expect((await asked.get('/admin/page/figures')).json()).toMatchObject({
    data: {
      sum: { value: 1012.5 },
      mean: { value: 12.25 },
      none: { value: null },
      exact: { value: 12.5 },
      part: { value: 1012.5 },
    },
  })
})
