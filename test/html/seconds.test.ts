import { dateTime, definePanel, defineResource, id, memoryStore } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const table = sqliteTable('runs', {
  id: integer().primaryKey(),
  due: integer({ mode: 'timestamp_ms' }),
  ended: integer({ mode: 'timestamp_ms' }),
})

const at = (time: string) => new Date(`2026-06-02T${time}Z`)
const Runs = defineResource({
  model: memoryStore(table, [
    { id: 1, due: at('05:00'), ended: at('05:00') },
    { id: 2, due: at('05:00:07'), ended: at('05:00:07') },
    { id: 3, due: at('05:00:07.250'), ended: at('05:00:07.250') },
  ]),
  fields: { id: id(), due: dateTime('Due'), ended: dateTime('Ended').seconds() },
  filters: ['due', 'ended'],
})
const { html } = testPanel(definePanel({ auth: 'open', resources: [Runs] }))

const controls = async (path: string) =>
  [...(await html.get(`/admin/resource/runs/${path}`)).text.matchAll(/<input type="datetime-local" step="(\w+)" value="([^"]*)"/g)].map(
    ([, step, value]) => `${value} ${step}`,
  )

test('a control shows minutes, and the seconds that a value has; `seconds()` asks for them', async () => {
  expect(await controls('form-page')).toEqual([' any', ' 1'])
  expect(await controls('form-page/1')).toEqual(['2026-06-02T05:00 any', '2026-06-02T05:00 1'])
  expect(await controls('form-page/2')).toEqual(['2026-06-02T05:00:07 any', '2026-06-02T05:00:07 1'])
  expect(await controls('form-page/3')).toEqual(['2026-06-02T05:00:07.25 any', '2026-06-02T05:00:07.25 any'])
})

test('so do the two ends of a filter', async () => {
  expect(await controls('crud')).toEqual([' any', ' any', ' 1', ' 1'])
})

test('a page shows the seconds of `seconds()` alone', async () => {
  const { text } = await html.get('/admin/resource/runs/crud/2')
  const times = [...text.matchAll(/<time datetime="2026-06-02T05:00:07.000Z"[^>]*>([^<]*)</g)].map(([, shown]) => shown)
  expect(times).toEqual(['Jun 2, 2026, 5:00 AM', 'Jun 2, 2026, 5:00:07 AM'])
})
