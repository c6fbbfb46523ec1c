import { definePanel, defineResource, memoryStore } from 'daymark'
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
const app = testPanel(definePanel({ auth: 'open', resources: [Notes] }))

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
