import { definePanel, defineResource, memoryStore } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const notes = sqliteTable('notes', { id: integer().primaryKey(), body: text().notNull() })

function panelOf(settings: object) {
  const model = memoryStore(notes, [
    { id: 1, body: 'a' },
    { id: 2, body: 'b' },
  ])
  return testPanel(definePanel({ auth: 'open', resources: [defineResource({ model, ...settings })] }))
}

const list = '/admin/resource/notes/crud'
const fieldsOf = (html: string) =>
  [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ])

test('what a confirmation asks for deletes the record, also where a delete has to name what was read', async () => {
  const panel = panelOf({ requireIfMatch: true })
  const { html } = panel
  const asked = await html.post(`${list}/1`, new URLSearchParams({ _method: 'DELETE' }))
  expect(asked.status).toBe(200)
  const fields = fieldsOf(asked.text.slice(asked.text.indexOf('<main')))
  expect(fields).toContainEqual(['_confirmed', '1'])
  expect(fields).toContainEqual(['_version', expect.stringMatching(/^[0-9a-f]{32}$/)])
  // Somebody changes it while the page stands there.
  const { headers } = await panel.get(`${list}/1`)
  expect((await panel.put(`${list}/1`, { body: 'x' }, { headers: { 'if-match': headers.get('etag') as string } })).status).toBe(200)
  expect((await html.post(`${list}/1`, new URLSearchParams(fields))).status).toBe(412)
  const again = await html.post(`${list}/1`, new URLSearchParams({ _method: 'DELETE' }))
  const done = await html.post(`${list}/1`, new URLSearchParams(fieldsOf(again.text.slice(again.text.indexOf('<main')))))
  expect(done.status).toBe(303)
  expect((await panel.get(`${list}/1`)).status).toBe(404)
})

test.each([
  ['may delete several, and none by itself', { delete: () => false, massDelete: () => true }, 200],
  ['may delete none of several', { delete: () => true, massDelete: () => false }, 403],
])('one that is selected is asked about as several are: who %s', async (_, canRecord, status) => {
  const { html } = panelOf({ canRecord })
  for (const ids of [['1'], ['1', '2']]) {
    const body = new URLSearchParams([['_method', 'DELETE'], ...ids.map((id): [string, string] => ['ids[]', id])])
    expect((await html.post(list, body)).status).toBe(status)
  }
})
