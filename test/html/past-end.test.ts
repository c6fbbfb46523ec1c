import { definePanel, defineResource, id, memoryStore, number } from 'daymark'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), kind: integer() })
const list = '/admin/resource/notes/crud'

test.each<[what: string, query: string, way: string]>([
  [
    'the last page',
    '?filter[kind]=1&perPage=2&page=9',
    `href="${list}?filter%5Bkind%5D=1&amp;perPage=2&amp;page=2" class="button"><span class="text">Last page`,
  ],
  [
    'the first page, where it is the only one',
    '?perPage=10&page=9',
    `href="${list}?perPage=10" class="button"><span class="text">First page`,
  ],
])('from beyond the end of a list there is a way to %s', async (_, query, way) => {
  const store = memoryStore()
  const Notes = defineResource({ model: { ...store, table: notes }, fields: { id: id(), kind: number() }, filters: ['kind'] })
  await store.transaction(async (tx) => {
    for (const key of [1, 2, 3, 4]) await tx.create(Notes.model, { id: key, kind: key === 4 ? 2 : 1 })
  })
  const { html } = testPanel(definePanel({ auth: 'open', resources: [Notes] }))
  const answer = await html.get(list + query)
  expect(answer.text).toContain('This page is past the end')
  expect(answer.text).toContain(way)
})
