import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePanel, defineResource, memoryStore } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import express from 'express'
import { expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/log.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: text().notNull() })
const open = () => {
  const log: LogEntry[] = []
  const panel = definePanel({
    auth: 'open',
    resources: [defineResource({ model: memoryStore(notes) })],
    log: (entry) => log.push(entry),
  })
  return { panel, log }
}
const post = { method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: '{"title":"a"}' }
const says = 'The request body was read before it came here: the panel has to be mounted first'
const logged = 'Something before the panel has read the body of a request: mount the panel first'

test('where a body parser comes before the panel, the answer says so, and the log once', async () => {
  const { panel, log } = open()
  const app = express()
  app.use(express.json())
  app.use(panel.listener)
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/resource/notes/crud`, post)
      expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([400, says])
    }
    expect(log.map(({ message }) => message)).toEqual([logged])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('so it is with a Request whose body has been read', async () => {
  const { panel, log } = open()
  const request = new Request('http://localhost/admin/resource/notes/crud', post)
  await request.text()
  const answer = await panel.fetch(request)
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([400, says])
  expect(log.map(({ message }) => message)).toEqual([logged])
})
