import { definePage, definePanel, defineResource, memoryStore } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const notes = sqliteTable('notes', { id: integer().primaryKey() })
const group = 'More'
const Notes = defineResource({
  model: { ...memoryStore(), table: notes },
  buttons: [{ label: 'Shared', href: '/shared', group }],
  pages: {
    more: [
      definePage({
        uri: 'tools',
        title: 'Tools',
        components: [],
        methods: { run: { run: () => 'done' } },
        buttons: [
          { label: 'First', method: 'run' },
          { label: 'Run', method: 'run', group },
          { label: 'Last', href: '/last' },
          { label: 'Away', href: '/away', group },
        ],
      }),
    ],
  },
})
const panel = definePanel({ auth: 'open', resources: [Notes] })

test('the buttons of a page of one’s own stand in their groups, apart from those of its resource', async () => {
  const { status, text } = await testPanel(panel).html.get('/admin/resource/notes/tools')
  expect(status).toBe(200)
  const heading = /<h1[^>]*>Tools.*?<\/header>|<h1[^>]*>Tools.*?<\/form>/s.exec(text)?.[0] ?? text
  const menus = [
    ...text.matchAll(/popovertarget="([^"]+)"[^>]*><span class="text">More<\/span>.*?<\/button><div[^>]*id="([^"]+)".*?<\/div>/gs),
  ]
  expect(menus.map(([menu, target, id]) => [target === id, [...menu.matchAll(/Shared|Run|Away|First|Last/g)].map(String)])).toEqual([
    [true, ['Shared']],
    [true, ['Run', 'Away']],
  ])
  expect(new Set(menus.map(([, , id]) => id)).size).toBe(2)
  expect([...heading.matchAll(/>(First|Last)</g)].map(([, label]) => label)).toEqual(['First', 'Last'])
})
