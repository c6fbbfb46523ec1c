import { definePanel, defineResource, type Panel } from 'daymark'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/auth/password.js'
import { type Inside, inside } from '../../src/panel.js'
import { askPanel, cookiesOf, secret } from '../auth/world.js'
import { type Server, startServer } from '../support/postgresql.js'

const notes = pgTable('notes', { id: integer().primaryKey(), text: text().notNull() })
const naps = pgTable('naps', { id: integer().primaryKey(), slept: text() })

// A server of its own: it is stopped, which the shared one must not be.
let server: Server
let panel: Panel
let cookie: string
const logged: unknown[] = []

beforeAll(async () => {
  server = await startServer()
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create table notes (id integer primary key, text text not null); insert into notes select i, 'note ' || i from generate_series(1, 50) i;
    create view naps as select 1 as id, pg_sleep(20)::text as slept`)
  await admin.end()
  panel = definePanel({
    database: server.url,
    resources: [defineResource({ model: notes }), defineResource({ model: naps })],
    log: (entry) => logged.push(entry),
  })
  const own = (panel as unknown as Record<symbol, Inside>)[inside] as Inside
  await own.store?.admin?.create({ username: 'ada', name: 'Ada', roles: ['admin'], passwordHash: await hashPassword(secret) })
  cookie = cookiesOf(await askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username: 'ada', password: secret } }))
})
afterAll(async () => {
  await panel?.close()
  await server?.remove()
})

const ready = () => askPanel(panel, { path: '/admin/ready' })
const list = (face: 'json' | 'html' = 'json') => askPanel(panel, { path: '/admin/resource/notes/crud', headers: { cookie }, face })

test('while the database is away: 503 in time, for readers, writers and who signs in; back without a restart, and no connection is leaked', async () => {
  expect((await list()).status).toBe(200)
  expect((await ready()).status).toBe(200)
  await server.stop()
  const start = performance.now()
  const away = await Promise.all([
    ...Array.from({ length: 30 }, () => list()),
    list('html'),
    askPanel(panel, { method: 'PATCH', path: '/admin/resource/notes/crud/1', headers: { cookie }, json: { text: 'x' } }),
    askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username: 'ada', password: secret } }),
  ])
  expect(performance.now() - start).toBeLessThan(5000)
  for (const answer of away) {
    expect(answer.status, answer.text).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.text).not.toMatch(/ECONNREFUSED|postgres|localhost:\d/i)
    // Nobody is signed out by it.
    expect(answer.headers.getSetCookie().join()).not.toContain('Max-Age=0')
  }
  // A page is asked for again as it was.
  const sorted = await askPanel(panel, { path: '/admin/resource/notes/crud?sort=-id&page=2', headers: { cookie }, face: 'html' })
  expect(sorted.text).toMatch(/<a[^>]* href="\/admin\/resource\/notes\/crud\?sort=-id&amp;page=2"[^>]*><span class="text">Try again</)
  // No path names another host.
  const root = definePanel({ database: server.url, prefix: { panel: '' }, resources: [defineResource({ model: notes })], log: () => {} })
  try {
    for (const [path, leads] of [
      ['/', '/'],
      ['/nowhere?x=1', '/nowhere?x=1'],
      ['//elsewhere.example/x', null],
    ] as const) {
      const { status, text } = await askPanel(root, { path, headers: { cookie }, face: 'html' })
      expect([path, status, /<a [^>]*href="([^"]*)"[^>]*><span class="text">Try again</.exec(text)?.[1] ?? null]).toEqual([
        path,
        503,
        leads,
      ])
      expect(text).not.toMatch(/href="\/\//)
    }
  } finally {
    await root.close()
  }
  // What was to be written would not be sent again by a link.
  const form = { _method: 'put', text: 'x' }
  const unwritten = await askPanel(panel, { method: 'POST', path: '/admin/resource/notes/crud/1', headers: { cookie }, form, face: 'html' })
  expect([unwritten.status, /<a [^>]*><span class="text">Try again</.test(unwritten.text)]).toEqual([503, false])
  // The operator is told why, and not by each request.
  // What it said before the server was stopped holds for a second.
  let probed = await ready()
  while (probed.status === 200 && performance.now() - start < 10_000) probed = await ready()
  expect([probed.status, probed.json.detail]).toEqual([503, 'A database of the panel does not answer'])
  expect(probed.text).not.toMatch(/ECONNREFUSED|postgres|localhost:\d/i)
  const reasons = logged.splice(0)
  expect(reasons.length).toBeGreaterThan(0)
  expect(reasons.length).toBeLessThan(away.length / 4)
  expect(JSON.stringify(reasons)).toContain('ECONNREFUSED')
  await server.start()
  const back = performance.now()
  while ((await list()).status !== 200) expect(performance.now() - back).toBeLessThan(10_000)
  while ((await ready()).status !== 200) expect(performance.now() - back).toBeLessThan(10_000)
  await Promise.all(Array.from({ length: 40 }, () => list()))
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  const { rows } = await admin.query("select state from pg_stat_activity where application_name = 'daymark'")
  await admin.end()
  expect(rows.length).toBeLessThanOrEqual(10)
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['idle']))
})

test('a statement that takes too long is a 503, and its connection is as good as before', async () => {
  const url = new URL(server.url)
  url.searchParams.set('statement_timeout', '200')
  const hasty = definePanel({ auth: 'open', database: url.href, resources: [defineResource({ model: naps })] })
  try {
    const answer = await askPanel(hasty, { path: '/admin/resource/naps/crud/1', peer: '127.0.0.1' })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.json.message).toBe('The database took too long')
  } finally {
    await hasty.close()
  }
})
