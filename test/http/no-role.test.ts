import { definePage, definePanel, defineResource, memoryStore } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const things = sqliteTable('things', { id: integer().primaryKey() })
const others = sqliteTable('others', { id: integer().primaryKey() })
const Things = defineResource({ model: memoryStore(things) })
const Open = definePage({ uri: 'open', title: 'Open to all', can: () => true, components: [] })
const Seen = defineResource({ model: memoryStore(others), can: { viewAny: () => true } })
const said = 'Your account has no role yet, so there is nothing for you to see'
const elsewhere = { href: 'https://status.example', label: 'Status' }

test.each([
  ['nothing', { resources: [Things] }, true],
  ['a link to elsewhere', { resources: [Things], menu: [Things, elsewhere] }, true],
  ['a page', { resources: [Things], pages: [Open] }, false],
  ['a resource', { resources: [Things, Seen] }, false],
  ['a resource that the menu leaves out', { resources: [Things, Seen], menu: [Things] }, false],
])('who has no role and may see %s is told the truth', async (_, settings, isNothing) => {
  const panel = definePanel({ database: 'sqlite::memory:', ...settings } as never)
  try {
    const { status, text } = await testPanel(panel).as({ roles: [] }).html.get('/admin/resource/things/crud')
    expect([status, text.includes(said), /<div class="actions">.*href="\/admin"/s.test(text)]).toEqual([403, isNothing, !isNothing])
  } finally {
    await panel.close()
  }
})
