import { definePanel, defineResource, text as field, memoryStore } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: text().notNull() })
const Notes = defineResource({
  model: memoryStore(notes, [{ id: 1, name: 'One' }]),
  can: { view: true, create: ['admin'], update: ['admin'], delete: ['admin'] },
  handlers: { change: { ability: 'update', run: () => ({}) } },
  indexButtons: [{ label: 'Change', handler: 'change', bulk: true }],
})
const Sorted = defineResource({
  model: memoryStore(notes, [
    { id: 1, name: 'Bea' },
    { id: 2, name: 'Cid' },
    { id: 3, name: 'Ada' },
  ]),
  uriKey: 'sorted',
  sortColumn: 'name',
  sortDirection: 'ASC',
  can: { view: true, update: true },
  handlers: { change: { ability: 'update', fields: { to: field('To').required() }, run: () => ({}) } },
  indexButtons: [{ label: 'Change', handler: 'change', bulk: true }],
})
const app = testPanel(definePanel({ auth: 'open', resources: [Notes, Sorted] }))

test('rows can be selected only by whom it is of use', async () => {
  const as = async (roles: string[]) => {
    const user = app.as({ id: '7', username: 'u', name: 'U', roles })
    return (await user.html.get('/admin/resource/notes/crud')).text
  }
  const admin = await as(['admin'])
  expect(admin).toContain('name="ids[]"')
  expect(admin).toContain('Change')
  const reader = await as(['reader'])
  expect(reader).toContain('One')
  expect(reader).not.toMatch(/ids\[\]|class="bulk"|class="pick"/)
})

test('the form of an action says the selected records in the order of their list', async () => {
  const user = app.as({ id: '7', username: 'u', name: 'U', roles: ['admin'] })
  const { text: form } = await user.html.post('/admin/resource/sorted/handler/change', new URLSearchParams({ _all: '1', _total: '3' }))
  expect([...form.matchAll(/<li>([^<]*)<\/li>/g)].map(([, name]) => name)).toEqual(['Ada', 'Bea', 'Cid'])
})
