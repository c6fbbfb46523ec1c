import { definePanel, defineResource, id, json, memoryStore } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const table = sqliteTable('notes', { id: integer().primaryKey(), data: text({ mode: 'json' }).$type<unknown>() })

test('JSON stands on one line where it fits, else in lines', async () => {
  const rows = [{ data: ['a', 'b'] }, { data: { before: null, after: { title: 'One that is longer than a line', price: 7 } } }]
  const Notes = defineResource({ model: memoryStore(table, rows), fields: { id: id(), data: json('Data') } })
  const panel = testPanel(definePanel({ auth: 'open', resources: [Notes] }))
  const page = async (item: number) => (await panel.html.get(`/admin/resource/notes/crud/${item}`)).text
  expect(await page(1)).toContain('<code class="json">[&quot;a&quot;,&quot;b&quot;]</code>')
  expect(await page(2)).toContain('<code class="json">{\n  &quot;before&quot;: null,\n  &quot;after&quot;: {\n    &quot;title&quot;')
})
