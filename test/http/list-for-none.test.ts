import { definePanel, defineResource, id, memoryStore, select } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const things = sqliteTable('things', { id: integer().primaryKey(), tags: text({ mode: 'json' }).$type<string[]>().notNull() })

test('null for a list that may be empty is refused with what is expected', async () => {
  const Things = defineResource({
    model: memoryStore(things, [{ id: 1, tags: ['a'] }]),
    fields: { id: id(), tags: select('Tags').options(['a', 'b']).multiple() },
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  const put = async (body: object) => {
    const { status, json } = await app.put('/admin/resource/things/crud/1', body)
    return [status, (json() as { errors?: object }).errors]
  }
  expect(await put({ tags: null })).toEqual([422, { tags: ['Tags is a list: for none, send []'] }])
  expect(await put({ tags: [] })).toEqual([200, undefined])
})
