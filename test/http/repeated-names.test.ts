import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar() })
const Things = defineResource({ model: memoryStore(things), fields: { id: id(), name: text('Name').sortable() } })
const app = testPanel(definePanel({ auth: 'open', resources: [Things] }))

test.each(['fields', 'sort', 'include'])('an unknown name in `%s` is said once, however often it stands there', async (parameter) => {
  const names = Array.from({ length: 2000 }, (_, at) => `z${at % 2}`).join(',')
  const answer = await app.get(`/admin/resource/things/crud?${parameter}=${names}`)
  expect(answer.status).toBe(422)
  expect((answer.json() as { errors: Record<string, string[]> }).errors[parameter]).toEqual([
    expect.stringContaining('"z0"'),
    expect.stringContaining('"z1"'),
  ])
})
