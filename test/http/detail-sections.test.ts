import { definePanel, defineResource, id, memoryStore, number, text, trashResource } from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  latitude: real(),
  code: varchar(),
  secret: varchar(),
  deletedAt: integer('deleted_at', { mode: 'timestamp' }),
})
const Cities = defineResource({
  model: memoryStore(cities),
  fields: {
    id: id(),
    name: text('Name'),
    latitude: number('Latitude'),
    code: text('Code').readOnly(),
    secret: text('Secret').visible(['admin']),
  },
  computed: {
    hemisphere: { label: 'Hemisphere', needs: ['latitude'], value: ({ latitude }) => ((latitude ?? 0) < 0 ? 'south' : 'north') },
  },
  pages: {
    detail: [
      'id',
      'name',
      { section: 'Place & <time>', fields: ['latitude', 'hemisphere'] },
      { section: 'Hidden', fields: ['secret'] },
      'code',
    ],
    form: ['name', 'latitude', { section: 'Only in the form', fields: ['secret'] }],
    more: [
      { uri: 'sheet', title: 'Sheet', type: 'detail', fields: ['name', { section: 'Where', fields: ['hemisphere', 'latitude'] }] },
      { uri: 'plain', title: 'Plain', type: 'detail', fields: ['name', 'latitude'] },
    ],
  },
  can: { view: true, viewAny: true, create: true, update: true, delete: true },
  softDelete: 'deletedAt',
})
const app = testPanel(definePanel({ auth: 'open', title: 'World', resources: [Cities, trashResource(Cities)], plugins: [oag()] }))
const guest = app.as({ roles: ['guest'] })
await app.create(cities, { id: 1, name: 'Lima', latitude: -12, code: 'LIM', secret: 'x' })
const path = '/admin/resource/cities/crud/1'

/** The cards of the main column and those beside it: each with its heading and its labels. */
function cardsOf(page: string) {
  const [main = '', side = ''] = page.split('<aside')
  const cards = (part: string) =>
    part
      .split(/<(?:section|div) class="card/)
      .slice(1)
      .map((card) => [/<h2>(.*?)<\/h2>/.exec(card)?.[1] ?? null, ...[...card.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, label]) => label)])
  return { main: cards(main), side: cards(side) }
}

test('the page of a record has its sections as cards of their own, in order', async () => {
  const page = (await app.html.get(path)).text
  expect(cardsOf(page)).toEqual({
    main: [
      [null, 'Name'],
      ['Place &amp; &lt;time&gt;', 'Latitude', 'Hemisphere'],
      ['Hidden', 'Secret'],
    ],
    side: [[null, 'ID', 'Code']],
  })
  expect(page).toContain('<section class="card titled" aria-label="Place &amp; &lt;time&gt;">')
})

test('a section of which the user may see nothing is not there', async () => {
  expect(cardsOf((await guest.html.get(path)).text).main.map(([heading]) => heading)).toEqual([null, 'Place &amp; &lt;time&gt;'])
})

test('JSON and its document have the flat fields', async () => {
  const data = { id: 1, name: 'Lima', latitude: -12, hemisphere: 'south', secret: 'x', code: 'LIM' }
  expect((await app.get(path)).json()).toEqual({ data })
  const { components } = (await app.get('/oag.json')).json() as { components: { schemas: Record<string, { properties: object }> } }
  expect(Object.keys(components.schemas['cities.Record']?.properties ?? {})).toEqual(Object.keys(data))
})

test('further pages of a record have sections of their own, or none', async () => {
  const cards = async (uri: string) => cardsOf((await app.html.get(`/admin/resource/cities/${uri}/1`)).text).main
  expect(await cards('sheet')).toEqual([
    [null, 'Name'],
    ['Where', 'Hemisphere', 'Latitude'],
  ])
  expect(await cards('plain')).toEqual([[null, 'Name', 'Latitude']])
  expect((await app.get('/admin/resource/cities/sheet/1')).json()).toMatchObject({
    data: { id: 1, name: 'Lima', hemisphere: 'south', latitude: -12 },
  })
})

test('what lies in the trash keeps them, and says when it was deleted', async () => {
  await app.create(cities, { id: 2, name: 'Rome', latitude: 41.9, code: 'ROM', deletedAt: new Date() })
  const { main, side } = cardsOf((await app.html.get('/admin/resource/cities-trash/crud/2')).text)
  expect(main[1]).toEqual(['Place &amp; &lt;time&gt;', 'Latitude', 'Hemisphere'])
  expect(side).toEqual([[null, 'ID', 'Code', 'Deleted']])
})

test('a name in a section that is not declared, or twice, stops the start', () => {
  const start = (detail: unknown, more: unknown = []) =>
    definePanel({
      auth: 'open',
      title: 'World',
      resources: [defineResource({ model: memoryStore(cities), fields: { id: id(), name: text() }, pages: { detail, more } } as never)],
    })
  expect(() => start([{ section: 'A', fields: ['lost'] }])).toThrow('cities.pages.detail: "lost" is not declared')
  expect(() => start(['name', { section: 'A', fields: ['name'] }])).toThrow('cities.pages.detail: "name" is listed twice')
  const page = { uri: 'x', title: 'X', fields: [{ section: 'A', fields: ['lost'] }] }
  expect(() => start(['name'], [{ ...page, type: 'detail' }])).toThrow('"lost" is not declared')
  expect(() => start(['name'], [{ ...page, type: 'index' }])).toThrow('sections are for the fields of detail pages')
})
