import { definePanel, defineResource, id, memoryStore, number, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull(), size: integer() })
const check = '/admin/resource/notes/validate'
const Notes = defineResource({
  model: memoryStore(notes),
  fields: { id: id(), name: text('Name').required(), size: number('Size').max(3) },
})

test.each([
  [{ name: '' }, { name: ['Name is required'] }],
  [{ name: 'a', size: 'many' }, { size: [expect.stringContaining('Size')] }],
  [{ name: 'a', size: '4' }, { size: [expect.stringContaining('Size')] }],
])('who only asks is told with a 200 what is wrong: %o', async (typed, errors) => {
  const app = testPanel(definePanel({ auth: 'open', resources: [Notes] }))
  const asked = await app.post(`${check}?_check=1`, new URLSearchParams(typed))
  expect([asked.status, await asked.json()]).toEqual([200, { computed: {}, filled: {}, errors }])
  // Without it, and for programs, it is as before.
  for (const body of [new URLSearchParams(typed), { ...typed, size: undefined, name: '' }]) {
    const refused = await app.post(check, body)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'application/problem+json'])
  }
  expect((await app.html.post(`${check}?_check=1`, new URLSearchParams(typed))).status).toBe(422)
})

test('what is right is no different', async () => {
  const app = testPanel(definePanel({ auth: 'open', resources: [Notes] }))
  for (const query of ['', '?_check=1']) {
    const answer = await app.post(check + query, new URLSearchParams({ name: 'a' }))
    expect([answer.status, await answer.json()]).toEqual([200, { computed: {}, filled: {} }])
  }
})

test.each(['_check', '_page', '_all', '_button', '_item'])('%s that is no text is refused, if it means anything', async (name) => {
  const handlers = { go: { fields: { reason: text('Reason') }, run: () => {} } } as never
  const logged: unknown[] = []
  const resources = [
    defineResource({ model: memoryStore(notes, [{ name: 'a' }]), fields: { id: id(), name: text('Name') }, import: true, handlers }),
  ]
  const app = testPanel(definePanel({ auth: 'open', resources, log: (entry) => logged.push(entry) }))
  const ask = async (path: string, body: object) => (await app.post(`/admin/resource/notes/${path}`, body)).status
  for (const odd of [{ toString: 1 }, [{ toString: 1 }], {}, []]) {
    expect(await ask('validate', { name: 'b', [name]: odd })).toBe(422)
    expect(await ask('crud', { name: 'b', [name]: odd })).toBe(422)
    expect(await ask('handler/go', { ids: [1], [name]: odd })).toBeLessThan(500)
    expect(await ask('import', { records: [{ name: 'b' }], [name]: odd })).toBeLessThan(500)
  }
  expect(await ask('import', { records: [{ name: 'b' }], mode: { toString: 1 } })).toBe(422)
  expect(logged).toEqual([])
})
