import { dateTime, definePanel, defineResource, id, memoryStore, number, url } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  count: integer(),
  at: integer({ mode: 'timestamp_ms' }),
  link: varchar(),
})
const Things = defineResource({
  model: memoryStore(things),
  fields: { id: id(), count: number('Count'), at: dateTime('At'), link: url('Link') },
})
const app = testPanel(definePanel({ auth: 'open', resources: [Things] }))
const long = 150_000

test.each<[field: string, text: string]>([
  ['count', `${'1'.repeat(long)}x`],
  ['count', `${'1'.repeat(long)}e`],
  ['count', `1.${'0'.repeat(long)}x`],
  ['at', `2026-01-01T00:00:00.${'0'.repeat(long)}1Z`],
  ['at', `2026-01-01T00:00:00.1${'0'.repeat(long)}1Z`],
  ['link', `http://a${'\u0316\u0301'.repeat(long / 2)}/`],
])('150,000 characters in %s are refused as fast as a few', async (field, text) => {
  for (const body of [{ [field]: text }, new URLSearchParams({ [field]: text })]) {
    const started = process.cpuUsage()
    expect((await app.post('/admin/resource/things/crud', body)).status).toBe(422)
    expect((await app.post('/admin/resource/things/validate', body)).text).toContain(field)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000)
  }
})

test('noughts that say nothing may be as many as they are', async () => {
  const answer = await app.post('/admin/resource/things/crud', { at: `2026-01-01T00:00:00.120${'0'.repeat(long)}Z` })
  expect(answer.json()).toMatchObject({ data: { at: '2026-01-01T00:00:00.120Z' } })
})
