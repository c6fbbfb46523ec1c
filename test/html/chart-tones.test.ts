import { chart, definePage, definePanel, defineResource, groups, id, memoryStore, select } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const orders = sqliteTable('orders', { id: integer().primaryKey(), state: varchar(), size: varchar() })
// Each state has one record fewer than the one before.
const states = ['paid', 'late', 'lost', 'draft', null]
const Orders = defineResource({
  model: memoryStore(
    orders,
    states.flatMap((state, at) =>
      Array.from({ length: 9 - at }, (_, n) => ({ id: at * 10 + n + 1, state, size: n % 2 ? 'small' : 'large' })),
    ),
  ),
  fields: {
    id: id(),
    state: select('State').options(['paid', 'late', 'lost', 'draft']).tones({ paid: 'good', late: 'bad', lost: 'bad' }),
    size: select('Size').options(['small', 'large']),
  },
})

/** The colours of a chart, in the order in which they are drawn. */
async function tonesOf(data: Parameters<typeof chart>[0]['data'], type: 'bar' | 'column' | 'doughnut'): Promise<readonly string[]> {
  const page = definePage({ uri: 'tones', title: 'Tones', components: [chart({ name: 'one', label: 'One', type, data })] })
  const { html } = testPanel(definePanel({ auth: 'open', resources: [Orders], pages: [page] }))
  const { text } = await html.get('/admin/page/tones')
  return [...text.matchAll(/<(?:rect|circle) class="tone-([a-z0-9-]+)"/g)].map(([, tone = '']) => tone)
}

test.each(['bar', 'column', 'doughnut'] as const)('in a %s, groups have the colours of their tones', async (type) => {
  expect(await tonesOf(groups.count(Orders, { by: 'state' }), type)).toEqual(['good', 'bad', 'bad-2', 'plain', 'plain-2'])
})

test('a value has the same colour in every chart, however large it is there', async () => {
  expect(await tonesOf(groups.count(Orders, { by: 'state', where: { id: { gte: 15 } } }), 'doughnut')).toEqual([
    'bad-2',
    'plain',
    'plain-2',
    'bad',
  ])
})

test('what is in none of the groups has the colour of the rest', async () => {
  expect(await tonesOf(groups.count(Orders, { by: 'state', limit: 2 }), 'bar')).toEqual(['good', 'bad', 'others'])
})

test('series have the colours of their tones, whatever groups they stand in', async () => {
  const split = await tonesOf(groups.count(Orders, { by: 'size', split: 'state' }), 'bar')
  expect(split.slice(0, 5)).toEqual(['good', 'bad', 'bad-2', 'plain', 'plain-2'])
})

test('values without tones have the colours of charts', async () => {
  expect(await tonesOf(groups.count(Orders, { by: 'size' }), 'bar')).toEqual(['1', '1'])
  expect(await tonesOf(groups.count(Orders, { by: 'size' }), 'doughnut')).toEqual(['1', '2'])
  expect((await tonesOf(groups.count(Orders, { by: 'state', split: 'size' }), 'bar')).slice(0, 2)).toEqual(['1', '2'])
})
