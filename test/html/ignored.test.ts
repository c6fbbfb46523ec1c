import { belongsTo, definePage, definePanel, defineResource, hasMany, id, memoryStore, number, tableBuilder, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar() })
const things = sqliteTable('things', { id: integer().primaryKey(), size: real(), ownerId: integer().references(() => owners.id) })
const rows = [
  { id: 1, size: 1234.5, ownerId: 1 },
  { id: 2, size: 2, ownerId: 1 },
]
const Things = defineResource({
  model: memoryStore(things, rows),
  fields: { id: id(), size: number('Size').sortable(), ownerId: belongsTo('Owner', owners) },
  filters: ['size'],
})
const Owners = defineResource({
  model: memoryStore(owners, [{ id: 1, name: 'Ada' }]),
  fields: { id: id(), name: text('Name') },
  related: [hasMany(Things)],
})
const page = definePage({ uri: 'all', title: 'All', components: [tableBuilder(Things, { name: 'own' })] })
const panelIn = (locale: string) => definePanel({ auth: 'open', locale, resources: [Things, Owners], pages: [page] })
const [english, german] = [panelIn('en'), panelIn('de')]

async function ask(panel: typeof english, path: string, accept: string) {
  const answer = await panel.fetch(new Request(`http://localhost/admin/${path}`, { headers: { accept } }))
  return { status: answer.status, text: await answer.text() }
}

const html = async (panel: typeof english, path: string) => {
  const { status, text } = await ask(panel, path, 'text/html')
  return { status, text, keys: [...text.matchAll(/<tr[^>]*data-key="([^"]+)"/g)].map(([, key]) => key) }
}
const noticesIn = (text: string) =>
  [...text.matchAll(/<div class="notice warn".*?<\/div><\/div>/g)].map(([notice]) => ({
    texts: [...notice.matchAll(/<a[^>]*>([^<]*)/g)].map(([, words = '']) => words.replaceAll('&quot;', '"').replaceAll('&#34;', '"')),
    hrefs: [...notice.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => decodeURIComponent(href.replaceAll('&amp;', '&'))),
  }))

// Where a list is on a page, and what its parameters begin with there.
const places = [
  ['a page', 'page/all', 'own'],
  ['the page of a record', 'resource/owners/crud/1', 'things'],
] as const

test.each(places)('a list on %s says what of the address it has ignored, with links without it', async (_, path, name) => {
  const { status, text, keys } = await html(english, `${path}?${name}[filter][zz]=1&${name}[filter][size]=1234.5&${name}[sort]=nope`)
  expect([status, keys]).toEqual([200, ['1']])
  expect(noticesIn(text)).toEqual([
    {
      texts: [expect.stringContaining('Cannot sort by "nope"'), 'Cannot filter by "zz". Filters: size'],
      hrefs: [
        `/admin/${path}?${name}[filter][zz]=1&${name}[filter][size]=1234.5`,
        `/admin/${path}?${name}[filter][size]=1234.5&${name}[sort]=nope`,
      ],
    },
  ])
  expect(noticesIn((await html(english, `${path}?${name}[filter][size]=1234.5`)).text)).toEqual([])
})

test.each(places)('a list on %s reads numbers as its user types them', async (_, path, name) => {
  const { text, keys } = await html(german, `${path}?${name}[filter][size][gte]=1.234,5`)
  expect(noticesIn(text)).toEqual([])
  expect(keys).toEqual(['1'])
  expect(text).toContain('Size &#8805; 1.234,5')
})

test('but not those of a program', async () => {
  expect((await ask(german, 'page/all?own[filter][size][gte]=1.234,5', 'application/json')).status).toBe(422)
})
