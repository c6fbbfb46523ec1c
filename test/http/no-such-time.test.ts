import { dateTime, definePanel, defineResource, id, memoryStore } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const visits = sqliteTable('visits', { id: integer().primaryKey(), startsAt: integer({ mode: 'timestamp' }) })
const Visits = defineResource({
  model: memoryStore(visits),
  fields: { id: id(), startsAt: dateTime('Begins').sortable() },
  filters: ['startsAt'],
})
const panel = definePanel({ auth: 'open', resources: [Visits], timeZone: 'Europe/Berlin' })
const { html } = testPanel(panel)

test.each(['2026-13-01', '2026-13-01T10:00', '2026-02-32 10:00', '2026-01-01T25:00'])(
  'a time that there is not, as %s, is kept as it was typed',
  async (typed) => {
    const list = await html.get(`/admin/resource/visits/crud?filter[startsAt][from]=${encodeURIComponent(typed)}`)
    expect([list.status, list.text.includes(`value="${typed}"`)]).toEqual([200, true])
    const form = await html.post('/admin/resource/visits/crud', new URLSearchParams({ startsAt: typed }))
    expect([form.status, form.text.includes(`type="text" value="${typed}"`)]).toEqual([422, true])
  },
)

test.each(['2026-02-30', '2026-02-30T10:00', '2026-04-31 10:00'])('%s is not a day of the next month', async (typed) => {
  const list = await html.get(`/admin/resource/visits/crud?filter[startsAt][from]=${encodeURIComponent(typed)}`)
  expect([list.status, list.text.includes(`type="text" value="${typed}"`)]).toEqual([200, true])
  const form = await html.post('/admin/resource/visits/crud', new URLSearchParams({ startsAt: typed }))
  expect([form.status, form.text.includes(`type="text" value="${typed}"`)]).toEqual([422, true])
})
