import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { LogEntry } from '../../src/http/app.js'
import { Sqlite } from '../support/sqlite.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: varchar().notNull() })
const folder = mkdtempSync(join(tmpdir(), 'daymark-log-'))
const file = join(folder, 'notes.db')
const db = new Sqlite(file)
db.exec("create table notes (id integer primary key, title text not null); insert into notes values (1, 'one')")
db.close()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

/** What a request is answered whose list fails by `thrown`, over a port. */
async function failing(thrown: unknown, log: (entry: LogEntry) => void): Promise<number | undefined> {
  const Notes = defineResource({
    model: notes,
    fields: { id: id(), title: text() },
    display: {
      title: () => {
        throw thrown
      },
    },
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Notes], log })
  const { url, close } = await panel.listen({ port: 0 })
  try {
    const [response] = await once(get(`${url}/admin/resource/notes/crud`, { headers: { accept: 'text/html' } }), 'response')
    response.resume()
    return response.statusCode
  } finally {
    await close()
    await panel.close()
  }
}

test.each([
  [
    'throws',
    () => {
      throw new Error('The log is full')
    },
  ],
  ['rejects', () => Promise.reject(new Error('The log is full'))],
])('a log that %s ends neither the request nor the process, and its entry is not lost', async (_, log) => {
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => written.push(String(line)) > 0)
  expect(await failing(new Error('Broken'), log)).toBe(500)
  await vi.waitFor(() => expect(written).toHaveLength(2), 10_000)
  const [entry, own] = written.map((line) => JSON.parse(line) as LogEntry)
  expect(entry).toMatchObject({ level: 'error', method: 'GET', path: '/admin/resource/notes/crud', message: 'Broken' })
  expect(own).toMatchObject({ level: 'error', method: 'LOG', requestId: entry?.requestId, message: 'The log is full' })
})

test.each([
  ['a text', 'Broken', 'Broken'],
  ['nothing', undefined, 'undefined'],
  ['what has no text', Object.create(null), '[Object: null prototype] {}'],
])('%s that is thrown is logged', async (_, thrown, message) => {
  const log: LogEntry[] = []
  expect(await failing(thrown, (entry) => log.push(entry))).toBe(500)
  expect(log.map((entry) => entry.message)).toEqual([message])
})

test('a list that breaks while it is sent is logged, under fetch as over a port', async () => {
  const log: LogEntry[] = []
  const Notes = defineResource({
    model: notes,
    fields: { id: id(), title: text() },
    usePagination: false,
    pages: { index: ['title', 'shout'] },
    computed: {
      shout: {
        label: 'Shout',
        needs: ['title'],
        value: () => {
          throw new Error('Broken')
        },
      },
    },
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Notes], log: (entry) => log.push(entry) })
  for (const path of ['/admin/resource/notes/crud', '/admin/resource/notes/export']) {
    const response = await panel.fetch(new Request(`http://127.0.0.1${path}`, { headers: { accept: 'application/json' } }))
    await expect(response.text()).rejects.toThrow()
    expect(log.splice(0)).toMatchObject([
      { level: 'error', method: 'GET', path, message: 'Broken', requestId: response.headers.get('x-request-id') },
    ])
  }
  await panel.close()
})

test('what the database said is logged where it breaks a list that is being sent, or a job', async () => {
  const path = join(folder, 'many.db')
  const many = new Sqlite(path)
  many.exec(
    "create table notes (id integer primary key, title text not null); with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) insert into notes select i, 'one' from n",
  )
  const log: LogEntry[] = []
  const Notes = defineResource({
    model: notes,
    fields: { id: id(), title: text() },
    handlers: { later: { long: true, run: async ({ list }) => void (await list()) } },
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${path}`, resources: [Notes], log: (entry) => log.push(entry) })
  const response = await panel.fetch(new Request('http://127.0.0.1/admin/resource/notes/export'))
  many.exec('drop table notes')
  many.close()
  await expect(response.text()).rejects.toThrow()
  const post = { method: 'POST', headers: { accept: 'application/json', 'sec-fetch-site': 'same-origin' } }
  await panel.fetch(new Request('http://127.0.0.1/admin/resource/notes/handler/later', post))
  await vi.waitFor(() => expect(log).toHaveLength(2), 10_000)
  for (const { message } of log) expect(message).toContain('no such table: notes')
  await panel.close()
})

test.each([
  ['a folder that is not there', () => join(folder, 'none', 'x.db'), /there is no folder/],
  [
    'a file that is no database',
    () => {
      const path = join(folder, 'no.db')
      writeFileSync(path, 'This is a text, and no database. '.repeat(50))
      return path
    },
    /not a database/,
  ],
])('%s: the log says which and why, once, and no answer does', async (_, pathOf, why) => {
  const path = pathOf()
  const log: LogEntry[] = []
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${path}`,
    resources: [defineResource({ model: notes })],
    log: (entry) => log.push(entry),
  })
  for (const accept of ['application/json', 'text/html', 'application/json']) {
    const response = await panel.fetch(new Request('http://127.0.0.1/admin/resource/notes/crud', { headers: { accept } }))
    expect(response.status).toBe(503)
    const text = await response.text()
    expect(text).not.toContain(path)
    expect(text).not.toMatch(why)
  }
  expect(log).toMatchObject([{ level: 'error', method: 'GET', path: '/admin/resource/notes/crud' }])
  expect(log[0]?.message).toContain(path)
  expect(log[0]?.message).toMatch(why)
  await panel.close()
})
