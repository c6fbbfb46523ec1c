import { definePanel, defineResource, memoryStore } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/app.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: text().notNull() })

async function world(broken: object) {
  const store = memoryStore()
  const log: LogEntry[] = []
  const Notes = defineResource({ model: { ...store, table: notes }, ...broken })
  await store.transaction(async (tx) => {
    for (const id of [1, 2, 3]) await tx.create(Notes.model, { id, title: `Note ${id}` })
  })
  const panel = definePanel({ auth: 'open', resources: [Notes], log: (entry) => log.push(entry) })
  const get = (path: string) =>
    panel.fetch(new Request(`http://localhost/admin/resource/notes${path}`, { headers: { accept: 'application/json' } }))
  return { get, log }
}

const mistake = () => {
  throw new Error('of somebody’s own')
}

test('a scope that throws lets nothing through, and is logged with the id of the request', async () => {
  const { get, log } = await world({ scope: mistake })
  const answer = await get('/crud')
  expect(await answer.json()).toMatchObject({ data: [], meta: { total: 0 } })
  expect(log).toMatchObject([
    { message: 'of somebody’s own', requestId: answer.headers.get('x-request-id'), path: '/admin/resource/notes/crud' },
  ])
})

test('a policy that throws denies, and is logged', async () => {
  const { get, log } = await world({ scope: () => ({}), canRecord: { view: mistake } })
  const answer = await get('/crud/1')
  expect(answer.status).toBe(403)
  expect(log.map(({ requestId }) => requestId)).toEqual([answer.headers.get('x-request-id')])
  expect(await answer.text()).not.toContain('somebody')
})
