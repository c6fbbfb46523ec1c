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

const trends = definePage({
  uri: 'trends',
  title: 'Trends',
  components: [
    metric({ name: 'more', label: 'More', value: 112, before: { value: () => 100, label: 'last month' }, rise: 'good' }),
    metric({ name: 'less', label: 'Less', value: 99, before: { value: 100, label: 'last month' }, rise: 'good' }),
    metric({ name: 'worse', label: 'Worse', value: figure.count(Orders), before: { value: 1, label: 'yesterday' }, rise: 'bad' }),
    metric({
      name: 'plain',
      label: 'Plain',
      value: figure.sum(Orders, 'price'),
      before: { value: figure.sum(Orders, 'price', { id: 2 }), label: 'one' },
    }),
    metric({ name: 'same', label: 'Same', value: 5, before: { value: 5, label: 'then' }, rise: 'good' }),
    metric({ name: 'from-nothing', label: 'From nothing', value: 5, before: { value: 0, label: 'then' }, rise: 'good' }),
    metric({ name: 'from-none', label: 'From none', value: 5, before: { value: null, label: 'then' } }),
    metric({ name: 'words', label: 'Words', value: 'high', before: { value: 'low', label: 'then' } }),
    metric({ name: 'unlabelled', label: 'Unlabelled', value: 5, before: { value: () => 4 } }),
    metric({ name: 'unlabelled-figure', label: 'Unlabelled', value: 5, before: { value: figure.count(Orders) } }),
    metric({ name: 'below', label: 'Below', value: -50, before: { value: -100, label: 'then' }, rise: 'good' }),
  ],
})

test('a number says by how much it is more or less than before, and whether that is good', async () => {
  const asked = testPanel(definePanel({ auth: 'open', resources: [Orders], pages: [trends] }))
  const { text } = await asked.html.get('/admin/page/trends')
  const trend = (name: string) => new RegExp(`id="${name}".*?<div class="trend">(.*?)</div>`).exec(text)?.[1]
  const up = '<span aria-hidden="true">&#9650;</span>'
  const down = '<span aria-hidden="true">&#9660;</span>'
  expect(trend('more')).toBe(`<span class="part good">${up}+12%</span><span class="muted">last month: 100</span>`)
  expect(trend('less')).toBe(`<span class="part bad">${down}-1%</span><span class="muted">last month: 100</span>`)
  expect(trend('worse')).toBe(`<span class="part bad">${up}+100%</span><span class="muted">yesterday: 1</span>`)
  expect(trend('plain')).toBe(`<span class="part">${up}+8,165%</span><span class="muted">one: <span class="number">12.25</span></span>`)
  expect(trend('same')).toBe('<span class="part">0%</span><span class="muted">then: 5</span>')
  expect(trend('from-nothing')).toBe('<span class="muted">then: 0</span>')
  expect(trend('from-none')).toContain('<span class="muted">then: <span class="none">')
  expect(trend('words')).toBe('<span class="muted">then: low</span>')
  expect(trend('unlabelled')).toContain('<span class="muted">4</span>')
  expect(trend('unlabelled-figure')).toContain('<span class="muted">2</span>')
  expect(trend('below')).toBe(`<span class="part good">${up}+50%</span><span class="muted">then: -100</span>`)
  expect((await asked.get('/admin/page/trends')).json()).toMatchObject({
    data: { more: { value: 112, before: 100 }, 'from-none': { value: 5, before: null }, words: { value: 'high', before: 'low' } },
  })
})

test('who may not see what it is compared with does not see it', async () => {
  const Hidden = defineResource({
    model: memoryStore(orders, []),
    fields: { id: id(), weight: number('Weight').visible(['admin']) },
  })
  const page = definePage({
    uri: 'page',
    title: 'Page',
    components: [metric({ name: 'one', label: 'One', value: 1, before: { value: figure.sum(Hidden, 'weight'), label: 'weight' } })],
  })
  const asked = testPanel(definePanel({ auth: 'open', resources: [Hidden], pages: [page] }))
  expect((await asked.get('/admin/page/page')).json()).toEqual({ data: { one: { label: 'One', value: 1, before: 0 } } })
  const other = asked.as({ roles: ['clerk'] })
  expect((await other.get('/admin/page/page')).json()).toEqual({ data: {} })
  expect((await other.html.get('/admin/page/page')).text.includes('weight')).toBe(false)
})
