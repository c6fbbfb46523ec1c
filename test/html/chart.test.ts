import { chart, definePage, definePanel, defineResource, groups, id, memoryStore, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'

/** The labels of a scale, from the top. */
async function scaleOf(values: readonly (number | null)[], locale = 'en'): Promise<readonly string[]> {
  const data = () => ({ groups: values.map(String), series: [{ label: 'One', values }] })
  const home = definePage({
    uri: 'home',
    title: 'Home',
    can: true,
    components: [chart({ name: 'one', label: 'One', type: 'column', data })],
  })
  const { get } = testPanel(definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [], home, locale }))
  const { text } = await get('/admin', { headers: { accept: 'text/html' } })
  expect(text).not.toMatch(/NaN|Infinity|undefined/)
  const [, scale = ''] = /<ol class="scale">(.*?)<\/ol>/.exec(text) ?? []
  return [...scale.matchAll(/<li>([^<]*)/g)].map(([, label = '']) => label)
}

test.each<[values: (number | null)[], scale: string[]]>([
  [
    [3, null],
    ['3', '2', '1', '0'],
  ],
  [[0.0004], ['0.0004', '0.0003', '0.0002', '0.0001', '0']],
  [[25_000], ['30K', '20K', '10K', '0']],
  [[3e300], ['3E300', '2E300', '1E300', '0']],
  [[4e-9], ['4E-9', '3E-9', '2E-9', '1E-9', '0']],
  [
    [-1, 1e-20],
    ['0', '-0.25', '-0.5', '-0.75', '-1'],
  ],
])('the scale of %j', async (values, scale) => {
  expect(await scaleOf(values)).toEqual(scale)
})

test('numbers are those of the language', async () => {
  expect(await scaleOf([1250], 'de')).toEqual(['1.500', '1.000', '500', '0'])
})

test('what has no number is said to have none, and is not drawn', async () => {
  expect(await scaleOf([null, 0])).toEqual([])
})

test.each(['bar', 'column', 'line', 'doughnut'] as const)('the largest doubles are drawn within a %s, and written short', async (type) => {
  const series = [
    { label: 'One', values: [1.7e308, -1.7e308, 1e21] },
    { label: 'Two', values: [1.7e308, 5e-324, 1e20] },
  ]
  const data = () => ({
    groups: ['a', 'b', 'c'],
    series: type === 'doughnut' ? [{ label: 'One', values: [1.7e308, 1.7e308, 1e21] }] : series,
  })
  const page = definePage({ uri: 'all', title: 'All', components: [chart({ name: 'one', label: 'One', type, data })] })
  const { text } = await testPanel(definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [], pages: [page] })).html.get(
    '/admin/page/all',
  )
  expect(text).not.toMatch(/NaN|Infinity|∞|&#8734;/)
  expect(text).toContain('>1.7E308<')
  expect(text).toContain('>1E21<')
  if (type !== 'doughnut') expect(text).toContain('>100,000,000,000,000,000,000<')
})

test('the shares of a ring have one decimal each', async () => {
  const data = () => ({ groups: ['a', 'b', 'c'], series: [{ label: 'One', values: [236, 200, 564] }] })
  const page = definePage({ uri: 'all', title: 'All', components: [chart({ name: 'one', label: 'One', type: 'doughnut', data })] })
  const { text } = await testPanel(definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [], pages: [page] })).html.get(
    '/admin/page/all',
  )
  expect([...text.matchAll(/class="number share">([^<]+)/g)].map(([, share]) => share)).toEqual(['23.6%', '20.0%', '56.4%'])
})

describe('a ring', () => {
  const things = sqliteTable('things', { id: integer().primaryKey(), kind: varchar() })
  const rows = Array.from({ length: 16 }, (_, index) => ({ id: index + 1, kind: 'abcdefgh'[index % 8] ?? '' }))
  const Things = defineResource({ model: memoryStore(things, rows), fields: { id: id(), kind: text('Kind') } })
  const partsOf = async (limit?: number) => {
    const data = groups.count(Things, { by: 'kind', ...(limit !== undefined && { limit }) })
    const page = definePage({ uri: 'all', title: 'All', components: [chart({ name: 'one', label: 'One', type: 'doughnut', data })] })
    const shown = await testPanel(definePanel({ auth: 'open', resources: [Things], pages: [page] })).html.get('/admin/page/all')
    return {
      tones: [...shown.text.matchAll(/<circle class="tone-(\w+)"/g)].map(([, tone]) => tone),
      gaps: [...shown.text.matchAll(/<line class="gap"[^>]*rotate\(([\d.]+) /g)].map(([, degrees]) => Number(degrees)),
    }
  }

  test('has a colour for each part and one for the rest, unless it was asked for more', async () => {
    expect(await partsOf()).toEqual({ tones: ['1', '2', '3', '4', '5', 'others'], gaps: [] })
  })

  test('has gaps between parts of one colour', async () => {
    expect(await partsOf(7)).toEqual({ tones: ['1', '2', '3', '4', '5', 'others', 'others', 'others'], gaps: [270, 315] })
  })
})
