import { definePanel, defineResource, type Panel } from 'daymark'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askPanel } from '../auth/world.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'
import { type SilentProxy, silentProxy } from '../support/silent-proxy.js'

const notes = pgTable('notes', { id: integer().primaryKey(), text: text().notNull() })
const naps = pgTable('naps', { id: integer().primaryKey(), slept: text() })

let database: TestDatabase
beforeAll(async () => {
  database = await openDatabase()
  // Longer than a server may be silent.
  await database.query(`create table notes (id integer primary key, text text not null); insert into notes values (1, 'kept');
    create view naps as select 1 as id, pg_sleep(5)::text as slept`)
})
afterAll(() => database?.drop())

const kinds: Readonly<Record<string, (url: string) => { readonly database: string | object; end(): Promise<void> }>> = {
  'a URL': (url) => ({ database: url, end: async () => {} }),
  'a pool of the application': (url) => {
    const { hostname, port, username, password, pathname } = new URL(url)
    const pool = new pg.Pool({ host: hostname, port: Number(port), user: username, password, database: pathname.slice(1), max: 4 })
    return { database: drizzle(pool), end: () => pool.end() }
  },
}

describe.each(Object.entries(kinds))('over %s', (_, open) => {
  let proxy: SilentProxy
  let panel: Panel
  let end: () => Promise<void>
  beforeEach(async () => {
    const url = new URL(database.url)
    proxy = await silentProxy(Number(url.port))
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    const opened = open(url.href)
    end = opened.end
    panel = definePanel({
      auth: 'open',
      database: opened.database,
      resources: [defineResource({ model: notes }), defineResource({ model: naps })],
    })
  })
  afterEach(async () => {
    await panel.close()
    await proxy.close()
    await end()
  })

  const ask = (path: string, more: object = {}) => askPanel(panel, { path: `/admin/resource/${path}`, peer: '127.0.0.1', ...more })

  const probe = async () => (await askPanel(panel, { path: '/admin/ready', peer: '127.0.0.1' })).status

  test('a server that falls silent is a 503 within 5 s, for all who wait; when it speaks again, everything works, without a restart', async () => {
    // Connections are open, others are still to be made.
    await Promise.all([ask('notes/crud'), ask('notes/crud/1'), ask('notes/crud')])
    proxy.hush()
    const probes = Promise.all([probe(), probe()])
    const away = await Promise.all([
      ...Array.from({ length: 30 }, () => ask('notes/crud')),
      ask('notes/crud/1', { method: 'PATCH', json: { text: 'lost' } }),
    ])
    for (const { status, headers, text } of away) {
      expect(status, text).toBe(503)
      // Not the end of the 5 seconds that a request waits, which says 1: the silence was noticed before.
      expect(headers.get('retry-after')).toBe('5')
    }
    expect(await probes).toEqual([503, 503])
    proxy.speak()
    const back = performance.now()
    while ((await ask('notes/crud')).status !== 200) expect(performance.now() - back).toBeLessThan(10_000)
    while ((await probe()) !== 200) expect(performance.now() - back).toBeLessThan(10_000)
    expect((await ask('notes/crud/1')).json.data).toEqual({ id: 1, text: 'kept' })
    expect((await ask('notes/crud/1', { method: 'PATCH', json: { text: 'kept' } })).status).toBe(200)
  })

  test('a statement that takes its time is not taken for silence', async () => {
    expect((await ask('naps/crud/1')).json.data).toEqual({ id: 1, slept: '' })
  })
})
