import { chart, dateTime, definePage, definePanel, defineResource, groups, id, memoryStore, number, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const sales = sqliteTable('sales', {
  id: integer().primaryKey(),
  who: varchar(),
  bytes: integer(),
  price: real(),
  at: integer({ mode: 'timestamp' }),
})
const rows = (
  [
    ['a', 20_000_000_000_000, 100.1],
    ['b', 15, 0.2],
    ['c', 3, 0.1],
    ['d', 1, -0.3],
  ] as const
).map(([who, bytes, price], index) => ({ id: index + 1, who, bytes, price, at: new Date() }))
const Sales = defineResource({
  model: memoryStore(sales, rows),
  fields: { id: id(), who: text('Who'), bytes: number('Bytes'), price: number('Price').decimals(2), at: dateTime('At') },
})
const monthly = { by: 'at', every: 'month', last: 1 } as const
const page = definePage({
  uri: 'all',
  title: 'All',
  components: [
    chart({ name: 'bytes', label: 'Bytes', data: groups.sum(Sales, 'bytes', { by: 'who', limit: 1 }) }),
    chart({ name: 'price', label: 'Price', data: groups.sum(Sales, 'price', { by: 'who', limit: 1 }) }),
    chart({ name: 'parts', label: 'Parts', data: groups.sum(Sales, 'bytes', { by: 'at', every: 'month', last: 1, split: 'who' }) }),
    chart({
      name: 'both',
      label: 'Both',
      type: 'bar',
      data: [
        { label: 'Price', data: groups.sum(Sales, 'price', monthly) },
        { label: 'Orders', data: groups.count(Sales, monthly) },
      ],
    }),
    chart({
      name: 'turned',
      label: 'Turned',
      type: 'column',
      data: [
        { label: 'Orders', data: groups.count(Sales, monthly) },
        { label: 'Price', data: groups.sum(Sales, 'price', monthly) },
      ],
    }),
  ],
})
const app = testPanel(definePanel({ auth: 'open', resources: [Sales], pages: [page] }))

test('the rest of a total is exact where whole numbers are, however small beside it; what doubles have rounded is none', async () => {
  const { data } = (await app.get('/admin/page/all')).json() as { data: Record<string, { series: { values: number[] }[] }> }
  expect(data.bytes?.series[0]?.values).toEqual([20_000_000_000_000, 19])
  expect(data.price?.series[0]?.values).toEqual([100.1, 0])
})

test('each series is shown with the decimals of its own field', async () => {
  const { text: shown } = await app.html.get('/admin/page/all')
  const numbers = (name: string) => {
    const [, figure = ''] = new RegExp(`<figure[^>]* id="${name}"(.*?)</figure>`).exec(shown) ?? []
    return [...(/<tbody>(.*?)<\/tbody>/.exec(figure.replace(/.*<details/, ''))?.[1] ?? '').matchAll(/class="number">([^<]*)/g)].map(
      ([, words]) => words,
    )
  }
  expect(numbers('both')).toEqual(['100.10', '4'])
  expect(numbers('turned')).toEqual(['4', '100.10'])
})
