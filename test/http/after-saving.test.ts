import { definePage, definePanel, defineResource, id, memoryStore, tableBuilder, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar() })
const base = '/admin/resource/notes'

/** A panel whose users may not open every page of a record. */
async function world(rights: object, ownHome = false) {
  const store = memoryStore()
  const Notes = defineResource({ model: { ...store, table: notes }, fields: { id: id(), name: text('Name') }, ...rights })
  await store.transaction((tx) => tx.create(Notes.model, { id: 1, name: 'a' }))
  const home = definePage({ uri: 'start', title: 'Start', components: [tableBuilder(Notes, { name: 'notes' })] })
  return testPanel(definePanel({ auth: 'open', resources: [Notes], ...(ownHome && { pages: [home], home }) })).html
}

test.each<[rights: object, updated: string, created: string]>([
  [{}, `${base}/crud/1`, `${base}/crud/2`],
  [{ activeActions: ['create', 'update'] }, `${base}/form-page/1`, `${base}/form-page/2`],
  [
    { canRecord: { view: ({ record }: { record: { id: number } }) => record.id === 1 }, scope: () => ({}) },
    `${base}/crud/1`,
    `${base}/form-page/2`,
  ],
  [{ can: { view: false, viewAny: true, update: false } }, '', `${base}/crud`],
  [{ can: { view: false, viewAny: false, update: false } }, '', '/admin'],
])('with %o a save leads to a page that its user may see', async (rights, updated, created) => {
  const html = await world(rights)
  for (const [answer, to] of [
    [await html.put(`${base}/crud/1`, new URLSearchParams({ name: 'b' })), updated],
    [await html.post(`${base}/crud`, new URLSearchParams({ name: 'new' })), created],
  ] as const) {
    if (to === '') continue
    expect([answer.status, answer.headers.get('location')]).toEqual([303, to])
    expect((await html.get(to)).status).toBe(200)
  }
})

test.each([
  [`${base}/crud?sort=-name&page=2`, `${base}/crud?sort=-name&page=2`],
  [`${base}/index-page?search=a`, `${base}/index-page?search=a`],
  ['/admin/page/overview', '/admin/page/overview'],
  [`${base}/crud/1`, null],
  [`${base}/crud/1/history`, null],
  [`${base}/form-page/1`, null],
  [`${base}/form-page`, null],
  ['/admin/page/overview/of/it', null],
  ['/admin', null],
  ['/elsewhere', null],
])('a form that %s led to returns there once a record is changed: %s', async (from, back) => {
  const html = await world({})
  const headers = { referer: `http://127.0.0.1${from}` }
  const form = (await html.get(`${base}/form-page/1`, { headers })).text
  expect(/name="_back" value="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? null).toBe(back)
  const sent = { name: 'b', ...(back !== null && { _back: back }) }
  const saved = await html.put(`${base}/crud/1`, new URLSearchParams(sent), { headers: { referer: `http://127.0.0.1${base}/form-page/1` } })
  expect([saved.status, saved.headers.get('location')]).toEqual([303, back ?? `${base}/crud/1`])
  // Who continues is led back later.
  const stayed = await html.put(`${base}/crud/1`, new URLSearchParams({ ...sent, _then: 'continue' }))
  const stays = back === null ? '' : `?${new URLSearchParams({ _back: back })}`
  expect(stayed.headers.get('location')).toBe(`${base}/form-page/1${stays}`)
  // The list may not show a new record.
  expect((await html.get(`${base}/form-page`, { headers })).text).not.toContain('name="_back" value="/admin/resource/notes/crud?')
})

test.each(['/admin', '/admin/', '/admin?page=2'])('from a first page of its own, a form and a delete lead back to it: %s', async (from) => {
  const html = await world({}, true)
  const headers = { referer: `http://127.0.0.1${from}` }
  const form = (await html.get(`${base}/form-page/1`, { headers })).text
  expect(form).toContain(`name="_back" value="${from}"`)
  expect(form).toContain(`href="${from}"`)
  const saved = await html.put(`${base}/crud/1`, new URLSearchParams({ name: 'b', _back: from }))
  expect(saved.headers.get('location')).toBe(from)
  const asked = await html.post(`${base}/crud/1`, new URLSearchParams({ _method: 'DELETE' }), { headers })
  expect(asked.text).toContain(`name="_back" value="${from}"`)
})

test('who comes from nowhere is led to the record, and cancels a delete to the list', async () => {
  const html = await world({}, true)
  expect((await html.get(`${base}/form-page/1`)).text).not.toContain('name="_back"')
  const asked = await html.post(`${base}/crud/1`, new URLSearchParams({ _method: 'DELETE' }))
  expect(asked.text).toContain(`href="${base}/crud"`)
})
