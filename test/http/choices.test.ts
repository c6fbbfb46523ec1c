import { definePanel, defineResource, id, select } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const things = sqliteTable('things', { id: integer().primaryKey(), kind: text(), tags: text({ mode: 'json' }).$type<string[]>() })
const Things = defineResource({
  model: things,
  fields: { id: id(), kind: select('Kind').options(['a', 'b']), tags: select('Tags').options(['x', 'y']).multiple() },
  filters: ['kind', 'tags'],
})
const db = new Libsql(':memory:')
db.exec("create table things (id integer primary key, kind text, tags text); insert into things values (1, 'old', '[]')")
const app = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Things] }))
const path = '/admin/resource/things/crud'

/** What a browser sends of the boxes of a page: line ends as forms have them. */
const boxes = (page: string) =>
  [...page.matchAll(/<input type="checkbox" name="tags" value="([^"]*)" checked>/g)].map(([, value = '']) =>
    value.replaceAll('&quot;', '"').replaceAll(/\r\n?|\n/g, '\r\n'),
  )

test.each<[tags: string, inJson: unknown]>([
  ['["x"]', ['x']],
  ['["x","gone"]', ['x', 'gone']],
  ['["a\\nb"]', ['a\nb']],
  ['["a\\rb","a\\nb","x"]', ['a\rb', 'a\nb', 'x']],
  ['["x","",5]', null],
  ['{"a":1}', null],
  ['5', null],
  ['"x"', null],
  ['""', null],
])('what is stored is kept by a form that nobody touched, and by who sends back what was read: %s', async (tags, inJson) => {
  db.prepare('update things set tags = ?').run(tags)
  const { data } = (await app.get(`${path}/1`)).json() as { data: { tags: unknown } }
  expect(data.tags).toEqual(inJson)
  expect((await app.put(`${path}/1`, data)).status).toBe(200)
  const typed = new URLSearchParams([
    ['kind', 'old'],
    ['tags', ''],
  ])
  for (const box of boxes((await app.html.get('/admin/resource/things/form-page/1')).text)) typed.append('tags', box)
  expect((await app.html.put(`${path}/1`, typed)).status).toBe(303)
  expect(db.prepare('select tags from things').raw().get()).toEqual([tags])
  expect((await app.patch(`${path}/1`, { tags: ['y'] })).json()).toMatchObject({ data: { tags: ['y'] } })
})

test('values have the colours of what they mean', async () => {
  const kind = select('Kind').options(['paid', 'late', 'draft']).tones({ paid: 'good', late: 'bad' })
  const tags = select('Tags').options(['x', 'y']).multiple().tones({ y: 'warn' })
  const panel = (field = kind) =>
    definePanel({
      auth: 'open',
      database: { $client: db },
      resources: [defineResource({ model: things, fields: { id: id(), kind: field, tags } })],
    })
  const own = testPanel(panel())
  db.exec(`update things set kind = 'late', tags = '["x","y"]'`)
  const shown = { list: (await own.html.get(path)).text, detail: (await own.html.get('/admin/resource/things/detail-page/1')).text }
  for (const page of Object.values(shown)) {
    expect(page).toContain('<span class="badge bad" data-value="late">Late</span>')
    expect(page).toContain('<span class="badge" data-value="x">X</span>')
    expect(page).toContain('<span class="badge warn" data-value="y">Y</span>')
  }
  const plain = await testPanel(panel(select('Kind').options(['paid', 'late', 'draft']))).html.get(path)
  expect(plain.text).toContain('<span class="badge tag" data-value="late">Late</span>')
  expect(() => panel(kind.tones({ never: 'good' }))).toThrow(/kind.*"never", which is no option/)
  expect(() => panel(kind.tones({ paid: 'pink' as 'good' }))).toThrow(/kind.*no "pink"\. There are: info, good, warn, bad/)
  db.exec(`update things set kind = 'old'`)
})

test('what is not an option any more is found by filters, on both faces', async () => {
  db.exec(`update things set tags = '["gone"]'; insert or replace into things values (2, 'a', '["x"]')`)
  const found = async (query: string) => ((await app.get(`${path}?${query}`)).json() as { data: { id: number }[] }).data.map(({ id }) => id)
  expect(await found('filter[kind]=old')).toEqual([1])
  expect(await found('filter[kind][ne]=old')).toEqual([2])
  expect(await found('filter[tags][contains]=gone')).toEqual([1])
  expect(await found('filter[kind]=never')).toEqual([])
  const page = await app.html.get(`${path}?filter[kind]=old`)
  expect([page.status, page.text.includes('value="old" checked')]).toEqual([200, true])
  expect((await app.get('/admin/resource/things/form-page?value[kind]=never')).status).toBe(422)
})
