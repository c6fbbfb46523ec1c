import { definePanel, defineResource, text as field, memoryStore } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
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
  fields: { name: field('Name').sortable() },
  itemsPerPage: 2,
  can: { view: true, update: true, massDelete: true },
  handlers: { change: { ability: 'update', fields: { to: field('To').required() }, run: () => ({}) } },
  indexButtons: [{ label: 'Change', handler: 'change', bulk: true }],
})
const app = testPanel(definePanel({ auth: 'open', resources: [Notes, Sorted] }))

test('rows can be selected by whoever sees them, who can export them, and more is offered to whom it is of use', async () => {
  const as = async (roles: string[]) => {
    const user = app.as({ id: '7', username: 'u', name: 'U', roles })
    return (await user.html.get('/admin/resource/notes/crud')).text
  }
  const admin = await as(['admin'])
  expect(admin).toContain('name="ids[]"')
  expect(admin).toContain('Change')
  const reader = await as(['reader'])
  expect(reader).toContain('One')
  expect(reader).toContain('name="ids[]"')
  expect(reader).toContain('formaction="/admin/resource/notes/export"')
  expect(reader).not.toMatch(/Change|value="DELETE"/)
})

describe.each([
  ['of their list', '', ['Ada', 'Bea', 'Cid']],
  ['that their user has asked for', '?sort=-name', ['Cid', 'Bea', 'Ada']],
])('all records of a list are said in the order %s', (_, query, wanted) => {
  const user = app.as({ id: '7', username: 'u', name: 'U', roles: ['admin'] })
  const said = (page: string) => [...page.matchAll(/<li>([^<]*)<\/li>/g)].map(([, name]) => name)
  const hidden = (page: string, more = '') =>
    [...page.matchAll(new RegExp(`<input type="hidden" name="([^"]+)" value="([^"]*)"${more}>`, 'g'))].map(
      ([, name = '', value = '']) => [name, value] as [string, string],
    )
  /** What the form around the list sends, if all are selected. */
  const list = async (): Promise<[string, string][]> => {
    const { text } = await user.html.get(`/admin/resource/sorted/crud${query}`)
    return [...hidden(text, ' form="[^"]+-picked"'), ['_all', '1']]
  }

  test('by the form of an action, also once it was refused', async () => {
    const change = (fields: [string, string][]) => user.html.post('/admin/resource/sorted/handler/change', new URLSearchParams(fields))
    const { text: form } = await change([...(await list()), ['_ask', '1']])
    expect(said(form)).toEqual(wanted)
    const refused = await change(hidden(form.slice(form.indexOf('<main'))))
    expect([refused.status, refused.text.includes('To is required'), said(refused.text)]).toEqual([422, true, wanted])
  })

  test('before they are deleted', async () => {
    const { text: question } = await user.html.post(
      '/admin/resource/sorted/crud',
      new URLSearchParams([...(await list()), ['_method', 'DELETE']]),
    )
    expect(said(question)).toEqual(wanted)
  })
})
