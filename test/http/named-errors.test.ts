import { definePanel, defineResource, id, memoryStore, refuse, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar(), secret: varchar() })
const Notes = defineResource({
  model: memoryStore(notes),
  fields: { id: id(), name: text('Name'), secret: text('Codeword').visible(['admin']) },
  validate({ values }) {
    if (values.name === 'both') return { name: 'Is taken', secret: ['Is old', 'Is short'] }
    return values.name === 'one' ? { secret: 'Is old' } : null
  },
  hooks: {
    beforeSave({ values }) {
      if (values.name === 'hook') refuse('secret', 'Is frozen')
    },
  },
})
const app = testPanel(definePanel({ auth: 'open', resources: [Notes], can: { create: true, update: true } }))

test.each<[name: string, says: string, errors: object]>([
  ['one', 'Is old', {}],
  ['both', 'Is old. Is short', { name: ['Is taken'] }],
  ['hook', 'Is frozen', {}],
])('what is wrong with a field that the caller may not see is said, and not of which it is: %s', async (name, says, errors) => {
  const editor = app.as({ roles: ['editor'] })
  const answer = await editor.post('/admin/resource/notes/crud', { name })
  expect(answer.status).toBe(422)
  expect(answer.json()).toMatchObject({ detail: says })
  expect((answer.json() as { errors?: object }).errors ?? {}).toEqual(errors)
  const page = await editor.html.post('/admin/resource/notes/crud', new URLSearchParams({ name }))
  expect(page.status).toBe(422)
  for (const one of [answer, page]) expect(/secret|codeword/i.test(one.text)).toBe(false)
  expect(page.text).toContain(says)
  const admin = await app.as({ roles: ['admin'] }).post('/admin/resource/notes/crud', { name })
  expect(admin.json()).toMatchObject({ errors: { secret: expect.any(Array) } })
})
