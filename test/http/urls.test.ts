import { definePage, definePanel, defineResource, id, memoryStore, type Panel, text } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'

const words = sqliteTable('words', { word: varchar().primaryKey(), meaning: varchar() })
const notes = sqliteTable('notes', { id: integer().primaryKey(), title: varchar().notNull() })
const store = memoryStore()
const report = definePage({
  uri: 'report',
  title: 'Report',
  components: [],
  methods: { go: { fields: { to: text() }, run: () => 'Gone' } },
})
const home = definePage({ uri: 'start', title: 'Start', components: [] })
const Words = defineResource({
  model: { ...store, table: words },
  fields: { word: id(), meaning: text() },
  pages: { form: ['word', 'meaning'] },
})
const Notes = defineResource({
  model: { ...store, table: notes },
  pages: { more: [{ uri: 'titles', title: 'Titles', type: 'index', fields: ['title'] }] },
  methods: { recount: { fields: { by: text() }, run: () => {} } },
})
const panel = definePanel({ auth: 'open', resources: [Words, Notes], pages: [report], home })
const below = definePanel({
  auth: 'open',
  id: 'other',
  resources: [Notes],
  url: 'https://example.com/back',
  prefix: { panel: 'office', resource: 'r' },
})
afterAll(() => Promise.all([panel.close(), below.close()]))

describe('a named route', () => {
  test('takes a resource as it is or by its URI, and any key', () => {
    expect(panel.route('crud.update', { resource: Notes, resourceItem: 7 })).toBe('/admin/resource/notes/crud/7')
    expect(panel.route('crud.index', { resource: 'notes', query: { sort: '-id' } })).toBe('/admin/resource/notes/crud?sort=-id')
    expect(panel.route('page', { page: report })).toBe('/admin/page/report')
    expect(panel.route('index')).toBe('/admin')
    expect(below.route('crud.index', { resource: Notes })).toBe('/back/office/r/notes/crud')
  })

  test('is one of the documentation, too, where that is there', async () => {
    const documented = definePanel({
      auth: 'open',
      resources: [Notes],
      url: 'https://example.com/back',
      plugins: [oag({ route: 'spec/data.json' })],
    })
    expect([documented.route('docs'), documented.route('data')]).toEqual(['/back/docs', '/back/spec/data.json'])
    expect((await documented.fetch(new Request('http://localhost/back/spec/data.json'))).status).toBe(200)
    expect(() => panel.route('docs')).toThrow('No route "docs"')
  })

  test('is none of a key that no address can end in: a record is not made with it', async () => {
    for (const word of ['.', '..']) {
      const made = await panel.fetch(
        new Request('http://localhost/admin/resource/words/crud', {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify({ word, meaning: 'none' }),
        }),
      )
      expect([made.status, Object.keys(((await made.json()) as { errors: object }).errors)]).toEqual([422, ['word']])
    }
  })

  test('gives the way back to a key of any text', async () => {
    // No address of the web can end in a segment of dots, nor in none.
    const key = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((one) => !/^\.{1,2}$/.test(one) && !one.includes('\0') && one.isWellFormed())
    await fc.assert(
      fc.asyncProperty(key, async (word) => {
        await store.transaction(async (tx) => {
          await tx.delete(Words.model, word)
          await tx.create(Words.model, { word, meaning: 'kept' })
        })
        const path = panel.route('crud.show', { resource: Words, resourceItem: word })
        const answer = await panel.fetch(new Request(`http://localhost${path}`, { headers: { accept: 'application/json' } }))
        expect(await answer.json()).toEqual({ data: { word, meaning: 'kept' } })
      }),
      { numRuns: 100 },
    )
  })
})

describe('toPage', () => {
  test('a resource alone is its first page', () => {
    expect(panel.toPage({ resource: Notes })).toBe('/admin/resource/notes/crud')
    expect(panel.toPage({ resource: 'notes', page: null, params: {}, redirect: false, fragment: null })).toBe('/admin/resource/notes/crud')
  })

  test('a page by its alias, its URI or itself', () => {
    expect(panel.toPage({ page: 'form', resource: Notes })).toBe('/admin/resource/notes/form-page')
    expect(panel.toPage({ page: 'form-page', resource: Notes, params: { resourceItem: 7 } })).toBe('/admin/resource/notes/form-page/7')
    expect(panel.toPage({ page: 'detail', resource: Notes, params: { resourceItem: 'a/b' } })).toBe('/admin/resource/notes/crud/a%2Fb')
    expect(panel.toPage({ page: 'titles', resource: Notes, params: { sort: 'title' } })).toBe('/admin/resource/notes/titles?sort=title')
    expect(panel.toPage({ page: report })).toBe('/admin/page/report')
    expect(panel.toPage({ page: 'start' })).toBe('/admin')
  })

  test('a fragment of it', () => {
    expect(panel.toPage({ page: report, fragment: 'news' })).toBe('/admin/page/report?_fragment-load=news')
  })

  test('redirects: at once, after an unsafe request, and in JSON', async () => {
    const asked = (method: string, accept: string) => new Request('http://localhost/', { method, headers: { accept } })
    const plain = panel.toPage({ page: report, redirect: true })
    expect([plain.status, plain.headers.get('location')]).toEqual([302, '/admin/page/report'])
    expect(panel.toPage({ page: report, redirect: true, request: asked('POST', 'text/html') }).status).toBe(303)
    const json = panel.toPage({ page: report, redirect: true, request: asked('POST', 'application/json') })
    expect([json.status, await json.json()]).toEqual([200, { redirect: '/admin/page/report' }])
  })

  test('says what there is', () => {
    expect(() => panel.toPage({})).toThrow('needs a page or a resource')
    expect(() => panel.toPage({ page: 'nothing' })).toThrow('Valid: start, report')
    expect(() => panel.toPage({ page: 'nothing', resource: Notes })).toThrow('Valid: index, form, detail, titles')
    expect(() => panel.toPage({ resource: 'nothing' })).toThrow('Valid: words, notes')
    expect(() => panel.toPage({ page: 'detail', resource: Notes })).toThrow('needs the key')
    // @ts-expect-error no such method
    expect(() => panel.urls(Notes).method('nothing')).toThrow('Valid: recount')
    // @ts-expect-error no such method
    expect(() => panel.urls(report).method('nothing')).toThrow('Valid: go')
  })
})

test('a resource and a page produce their URLs', () => {
  const urls = panel.urls(Notes)
  expect([
    urls.firstPage(),
    urls.indexPage({ 'query-tag': 'new' }),
    urls.createPage(),
    urls.editPage(7),
    urls.detailPage(7),
    urls.method('recount'),
    urls.method('recount', { page: 'titles', query: { a: 1 } }),
    urls.fragment('index-table-notes'),
    urls.fragment('part', { page: 'titles' }),
  ]).toEqual([
    '/admin/resource/notes/crud',
    '/admin/resource/notes/crud?query-tag=new',
    '/admin/resource/notes/form-page',
    '/admin/resource/notes/form-page/7',
    '/admin/resource/notes/crud/7',
    '/admin/method/index-page/notes?method=recount',
    '/admin/method/titles/notes?a=1&method=recount',
    '/admin/resource/notes/crud?_fragment-load=index-table-notes',
    '/admin/resource/notes/titles?_fragment-load=part',
  ])
  const page = panel.urls(report)
  expect([page.url(), page.method('go'), page.fragment('news')]).toEqual([
    '/admin/page/report',
    '/admin/method/report?method=go',
    '/admin/page/report?_fragment-load=news',
  ])
  const { name, params } = page.route()
  expect(panel.route(name, params)).toBe('/admin/page/report')
})

test('panels of one process keep their cookies apart', async () => {
  const change = (one: Panel, path: string) =>
    one.fetch(
      new Request(`http://localhost${path}`, {
        method: 'PATCH',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ theme: 'dark' }),
      }),
    )
  const page = await panel.fetch(
    new Request('http://localhost/admin/preferences', {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: '_method=PATCH&theme=dark',
    }),
  )
  expect(page.headers.get('set-cookie')).toMatch(/^daymark-admin-theme=dark/)
  expect((await change(below, '/back/office/preferences')).status).toBe(200)
})
