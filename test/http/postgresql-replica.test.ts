import { setTimeout as sleep } from 'node:timers/promises'
import { definePanel, defineResource, type Panel } from 'daymark'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askPanel, cookiesOf, jwtSecret, secret } from '../auth/world.js'
import { type Primary, type Server, startServer } from '../support/postgresql.js'

const notes = pgTable('notes', { id: integer().primaryKey().generatedAlwaysAsIdentity(), text: text().notNull() })

// Servers of their own, the one a streaming replica of the other: it is held back and stopped, which the shared one must not be.
let primary: Primary
let replica: Server
let onReplica: pg.Client
const panels: Panel[] = []

const panelOf = (more: object = {}, after = 3600) => {
  const panel = definePanel({
    database: primary.url,
    replica: { database: replica.url, after },
    resources: [defineResource({ model: notes })],
    ...more,
  })
  panels.push(panel)
  return panel
}

beforeAll(async () => {
  primary = await startServer()
  replica = await primary.startReplica()
  const admin = new pg.Client({ connectionString: primary.url })
  await admin.connect()
  await admin.query('create table notes (id integer primary key generated always as identity, text text not null)')
  await admin.end()
  const maker = panelOf()
  for (const username of ['ada', 'bob']) await maker.ensureUser({ username, roles: ['admin'], password: secret })
  onReplica = await connected(replica)
}, 60_000)
afterAll(async () => {
  await Promise.all(panels.map((panel) => panel.close()))
  await onReplica?.end().catch(() => {})
  await replica?.remove()
  await primary?.remove()
})

async function connected({ url }: Server): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select count(*) from notes')
      return client
    } catch {
      // It has not come so far yet.
      await client.end().catch(() => {})
      await sleep(50)
    }
  }
}

type Sign = Readonly<Record<string, string>>
const signIn = async (panel: Panel, username: string): Promise<Sign> => {
  const answer = await askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username, password: secret } })
  expect(answer.status).toBe(200)
  return answer.json.token ? { authorization: `Bearer ${answer.json.token}` } : { cookie: cookiesOf(answer) }
}
const path = '/admin/resource/notes/crud'
const texts = async (panel: Panel, headers: Sign, face: 'json' | 'html' = 'json') => {
  const answer = await askPanel(panel, { path, headers, face })
  expect(answer.status, answer.text).toBe(200)
  return answer.text
}
const write = async (panel: Panel, headers: Sign, text: string) => {
  const answer = await askPanel(panel, { method: 'POST', path, headers, json: { text } })
  expect(answer.status, answer.text).toBe(201)
}

beforeEach(() => onReplica.query('select pg_wal_replay_resume()').catch(() => {}))

test.each([
  ['sessions', {}],
  ['tokens', { middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth({ secret: jwtSecret })] } }],
])(
  'with %s: lists come from the replica, and who has written finds it there, in every process',
  async (name, more) => {
    const [first, second] = [panelOf(more), panelOf(more)]
    const [ada, bob] = [await signIn(first, 'ada'), await signIn(first, 'bob')]
    // Nobody has caught up with the next write, for as long as the test says.
    await onReplica.query('select pg_wal_replay_pause()')
    const own = `of ada, by ${name}`
    await write(first, ada, own)
    for (const panel of [first, second]) {
      expect(await texts(panel, ada)).toContain(own)
      expect(await texts(panel, bob)).not.toContain(own)
    }
    expect(await texts(second, ada, 'html')).toContain(own)
    expect(await texts(second, bob, 'html')).not.toContain(own)
    // One record is read where it was written, by everybody.
    const [id] = /\d+(?=,"text":"of ada, by)/.exec(await texts(first, ada)) ?? []
    expect((await askPanel(second, { path: `${path}/${id}`, headers: bob })).status).toBe(200)
    // After a while the replica is good enough for her, too.
    const hasty = panelOf(more, 2)
    while ((await texts(hasty, ada)).includes(own)) await sleep(50)
    await onReplica.query('select pg_wal_replay_resume()')
    while (!(await texts(second, bob)).includes(own)) await sleep(50)
  },
  60_000,
)

test('while the replica is away, the database itself is read; when it is back, it is asked again', async () => {
  const panel = panelOf()
  const bob = await signIn(panel, 'bob')
  await texts(panel, bob)
  await replica.stop()
  for (let i = 0; i < 3; i++) await texts(panel, bob)
  await replica.start()
  onReplica = await connected(replica)
  await onReplica.query('select pg_wal_replay_pause()')
  await write(panel, await signIn(panel, 'ada'), 'later')
  while ((await texts(panel, bob)).includes('later')) await sleep(100)
}, 60_000)

test('what cannot be a replica is said at the start', () => {
  const panelWith = (replica: object, database = 'postgres://localhost/x') =>
    definePanel({ auth: 'open', database, replica, resources: [] } as never)
  expect(() => panelWith({ database: 'sqlite:x.db' })).toThrow('replica  replica.database')
  expect(() => panelWith({ database: 'postgres://localhost/y', after: 0 })).toThrow('replica  replica.after')
})
