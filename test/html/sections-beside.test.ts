import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const cities = sqliteTable('cities', { id: integer().primaryKey(), name: varchar().notNull(), code: varchar() })
type Detail = readonly ('id' | { readonly section: string; readonly fields: readonly ('id' | 'name' | 'code')[] })[]

async function pageWith(detail: Detail): Promise<string> {
  const Cities = defineResource({
    model: memoryStore(cities, [{ id: 1, name: 'Lima', code: 'LIM' }]),
    fields: { id: id(), name: text('Name'), code: text('Code') },
    pages: { detail },
  })
  return (await testPanel(definePanel({ auth: 'open', resources: [Cities] })).html.get('/admin/resource/cities/crud/1')).text
}

test('where nothing stands beside the sections of a record, they stand beside each other', async () => {
  const page = await pageWith([
    { section: 'What', fields: ['id', 'name'] },
    { section: 'Where', fields: ['code'] },
  ])
  expect(page).toContain('<div class="sections"><section class="card titled" aria-label="What">')
  expect(page).not.toContain('<aside')
})

test('beside a card of other values they stand one below the other', async () => {
  const page = await pageWith(['id', { section: 'What', fields: ['name'] }, { section: 'Where', fields: ['code'] }])
  expect(page).toContain('<aside')
  expect(page).not.toContain('<div class="sections">')
})

test('a single card keeps the width that is read best', async () => {
  const page = await pageWith([{ section: 'All', fields: ['id', 'name', 'code'] }])
  expect(page).toContain('<div class="body single">')
  expect(page).not.toContain('<div class="sections">')
})
