import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  DaymarkError,
  dateTime,
  definePanel,
  definePlugin,
  defineResource,
  id,
  memoryStore,
  type PanelSpec,
  text,
  valuesOf,
} from 'daymark'
import { authenticateApi } from 'daymark/jwt'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { House } from '../../src/plugin/plugin.js'
import { Sqlite } from '../support/sqlite.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: varchar().notNull() })
const fields = { id: id(), title: text().sortable() }
const folder = mkdtempSync(join(tmpdir(), 'daymark-known-'))
const file = join(folder, 'notes.db')
const database = `sqlite:${file}`
const db = new Sqlite(file)
db.exec('create table notes (id integer primary key, title text not null)')

const statements: string[] = []
const ends: (() => Promise<void>)[] = []
beforeEach(() => {
  db.exec("delete from notes; insert into notes values (1, 'one'), (2, 'two')")
})
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) await end()
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}
interface Ask {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}
const json = { accept: 'application/json' }
const page = { accept: 'text/html' }
const list = '/admin/resource/notes/crud'

/** A panel on a port, and how it is asked: with a head of one's own, and nothing else. */
async function serve(spec: Partial<PanelSpec> = {}, resource: object = {}) {
  const Notes = defineResource({ model: notes, fields, ...resource })
  const panel = definePanel({ auth: 'open', database, resources: [Notes], observe: (sql) => statements.push(sql), ...spec } as PanelSpec)
  const listening = await panel.listen({ port: 0 })
  ends.push(
    () => listening.close(),
    () => panel.close(),
  )
  const ask = ({ path = list, method = 'GET', headers = json, body }: Ask = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const sent = {
        ...headers,
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      request(`${listening.url}${path}`, { method, headers: sent }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode as number, headers: answer.headers, text }))
      })
        .on('error', reject)
        .end(text)
    })
  /** Asks until the answer is known, where it can be; gives the last. */
  const often = async (asked: Ask = {}): Promise<Answer> => {
    for (let i = 0; i < 4; i++) await ask(asked)
    statements.length = 0
    return ask(asked)
  }
  return { panel, ask, often }
}

/** Everybody is known by an authenticator of one's own. */
function keyed(more: object, asked = () => 0): Partial<PanelSpec> {
  const identity = { id: 'key', username: 'key', name: 'Key', roles: ['admin'] }
  const key = {
    name: 'key',
    cookies: false,
    identify: () => ({ identity, session: null, ambient: false, timeZone: null, ...more, asked: asked() }),
  }
  return { middleware: [], auth: { middleware: authenticateApi(), pipelines: [key] } } as Partial<PanelSpec>
}

/** What must be the same, and what must not. */
function apart({ status, headers, text }: Answer) {
  const { 'x-request-id': requestId, date: _, ...rest } = headers
  return { said: { status, headers: rest, text }, requestId }
}

describe('an answer that is known', () => {
  test.each([
    ['a list', list, json],
    ['a sorted list', `${list}?sort=-title&perPage=1`, json],
    ['a record', `${list}/1`, json],
    ['a page', list, page],
  ])('%s is the one that would be made, but for its id', async (_, path, headers) => {
    const { ask, often } = await serve()
    const first = apart(await ask({ path, headers }))
    const known = apart(await often({ path, headers }))
    expect(statements).toEqual([])
    expect(known.said).toEqual(first.said)
    expect(known.requestId).not.toBe(first.requestId)
    expect(apart(await ask({ path, headers })).requestId).not.toBe(known.requestId)
  })

  test.each([
    ['a list', list, json],
    ['a record', `${list}/1`, json],
    ['a page', list, page],
  ])('%s is made anew when anybody has changed the database', async (_, path, headers) => {
    const { ask, often } = await serve()
    expect((await often({ path, headers })).text).toContain('one')
    db.exec("update notes set title = 'by somebody else' where id = 1")
    expect((await ask({ path, headers })).text).toContain('by somebody else')
    await often({ path, headers })
    expect((await ask({ path: `${list}/1`, method: 'PUT', body: { title: 'by us' } })).status).toBe(200)
    expect((await ask({ path, headers })).text).toContain('by us')
  })

  test('a head that differs in anything is another one', async () => {
    const { ask, often } = await serve()
    const { headers } = await often()
    const etag = String(headers.etag)
    expect(await ask({ headers: { ...json, 'if-none-match': etag } })).toMatchObject({ status: 304, text: '' })
    expect((await often({ headers: { ...json, 'if-none-match': etag } })).status).toBe(304)
    expect((await ask({ headers: page })).text).toContain('<!doctype html>')
    expect((await ask({ headers: { accept: 'image/png' } })).status).toBe(406)
    expect((await ask({ headers: { ...json, host: 'elsewhere.example' } })).status).toBe(421)
    expect((await ask({ method: 'HEAD' })).text).toBe('')
    expect((await ask({ path: `${list}?perPage=1` })).text).not.toBe((await ask()).text)
    expect((await ask({ path: `${list}?perPage=0` })).status).toBe(422)
  })

  test('what is refused, and what is not there, is asked each time', async () => {
    const { ask, often } = await serve()
    expect((await often({ path: `${list}/9` })).status).toBe(404)
    db.exec("insert into notes values (9, 'nine')")
    expect((await ask({ path: `${list}/9` })).status).toBe(200)
  })

  test('what a browser has chosen is in the next page, though no database knows it', async () => {
    const { ask, often } = await serve()
    expect((await often({ headers: page })).text).not.toContain('data-theme="dark"')
    expect((await ask({ path: '/admin/preferences', method: 'PATCH', body: { theme: 'dark' } })).status).toBe(200)
    expect((await ask({ headers: page })).text).toContain('data-theme="dark"')
  })
})

describe('code of the user’s own is asked each time', () => {
  test.each([
    ['a policy', { can: { view: () => allowed } }, {}],
    ['a policy of the panel', {}, { can: { view: () => allowed } }],
  ])('%s', async (_, resource, spec) => {
    allowed = true
    const { ask, often } = await serve({ ...keyed({ until: Number.POSITIVE_INFINITY }), ...(spec as Partial<PanelSpec>) }, resource)
    for (const path of [list, `${list}/1`]) {
      allowed = true
      expect((await often({ path })).status).toBe(200)
      allowed = false
      expect((await ask({ path })).status).toBe(403)
    }
  })
  let allowed = true

  test('no policy of any kind: it is known', async () => {
    const { often } = await serve(keyed({ until: Number.POSITIVE_INFINITY }))
    expect((await often()).status).toBe(200)
    expect(statements).toEqual([])
  })

  test('a scope', async () => {
    let title = 'one'
    const { ask, often } = await serve({}, { scope: () => ({ title }) })
    expect((await often()).text).not.toContain('two')
    title = 'two'
    expect((await ask()).text).toContain('two')
  })

  test('a computed value, and a display', async () => {
    let count = 0
    const own = {
      computed: { asked: { label: 'Asked', needs: ['id'], value: () => ++count } },
      display: { title: () => `drawn ${++count}` },
      pages: { index: ['id', 'title', 'asked'], detail: ['id', 'title', 'asked'] },
    }
    const { ask, often } = await serve({}, own)
    for (const asked of [{}, { path: `${list}/1` }, { headers: page }]) expect((await often(asked)).text).not.toBe((await ask(asked)).text)
  })

  test('a policy of another resource, and one of a line of the menu, where a page has a menu', async () => {
    let shown = true
    const other = defineResource({ model: notes, uriKey: 'others', title: 'Other notes', fields, can: { view: () => shown } })
    const lines = await serve({ resources: [defineResource({ model: notes, fields }), other] })
    expect((await lines.often({ headers: page })).text).toContain('Other notes')
    const menu = [{ label: 'Elsewhere', href: 'https://example.com/', can: () => shown }]
    const own = await serve({ menu } as Partial<PanelSpec>)
    expect((await own.often({ headers: page })).text).toContain('Elsewhere')
    shown = false
    expect((await lines.ask({ headers: page })).text).not.toContain('Other notes')
    expect((await own.ask({ headers: page })).text).not.toContain('Elsewhere')
  })

  test('a policy of a related resource that a filter looks into', async () => {
    db.exec(
      'create table if not exists replies (id integer primary key, note_id integer); delete from replies; insert into replies values (1, 1)',
    )
    const replies = sqliteTable('replies', { id: integer().primaryKey(), noteId: integer('note_id') })
    let shown = true
    const Replies = defineResource({ model: replies, fields: { id: id(), noteId: belongsTo('Note', notes) }, filters: ['noteId.title'] })
    const { ask, often } = await serve({
      resources: [Replies, defineResource({ model: notes, fields, can: { view: () => shown } })],
    })
    const asked = { path: '/admin/resource/replies/crud?filter[noteId.title]=one' }
    expect((await often(asked)).text).toContain('"noteId":1')
    shown = false
    expect((await ask(asked)).status).toBe(422)
    for (let i = 0; i < 4; i++) expect((await ask({ ...asked, headers: page })).text).not.toContain('Note &#8250; Title')
    shown = true
    expect((await ask({ ...asked, headers: page })).text).toContain('Note &#8250; Title')
  })

  test('an authenticator that does not say until when it knows somebody, or says a time that has passed', async () => {
    for (const more of [{}, { until: Date.now() }]) {
      let asked = 0
      const { often } = await serve(keyed(more, () => asked++))
      expect((await often()).status).toBe(200)
      expect(asked).toBe(5)
    }
  })
})

describe('what looks the same and is not', () => {
  test('a resource that two panels serve is as plain as each of them', async () => {
    const Notes = defineResource({ model: notes, fields })
    let allowed = true
    const sure = { until: Number.POSITIVE_INFINITY }
    const free = await serve({ ...keyed(sure), resources: [Notes] })
    expect((await free.often()).status).toBe(200)
    const kept = await serve({ ...keyed(sure), resources: [Notes], can: { view: () => allowed } })
    expect((await kept.often()).status).toBe(200)
    allowed = false
    expect((await kept.ask()).status).toBe(403)
  })

  test('an authenticator that stands before the one that knows is asked each time', async () => {
    let open = true
    const guard = {
      name: 'guard',
      cookies: false,
      identify: () => {
        if (!open) throw new DaymarkError('forbidden', 'Closed for the night')
        return null
      },
    }
    const one = keyed({ until: Number.POSITIVE_INFINITY })
    const { ask, often } = await serve({ ...one, middleware: [guard] } as Partial<PanelSpec>)
    expect((await often({ headers: page })).status).toBe(200)
    open = false
    expect((await ask({ headers: page })).status).toBe(403)
  })

  test('so may what a query tag compares with, if it is that of a view; that of a table is reported', async () => {
    db.exec('create view if not exists lucky as select abs(random()) % 2 + 1 as id')
    db.exec('create table if not exists picked (id integer primary key); delete from picked; insert into picked values (1)')
    const lucky = sqliteTable('lucky', { id: integer().primaryKey() })
    const picked = sqliteTable('picked', { id: integer().primaryKey() })
    const { ask, often } = await serve(
      {},
      {
        queryTags: {
          lucky: { label: 'Lucky', where: { id: { in: valuesOf(lucky, 'id') } } },
          picked: { label: 'Picked', where: { id: { in: valuesOf(picked, 'id') } } },
        },
      },
    )
    const titles = async (tag: string) =>
      (JSON.parse((await ask({ path: `${list}?query-tag=${tag}` })).text) as { data: { title: string }[] }).data.map(({ title }) => title)
    const seen = new Set<string>()
    for (let i = 0; i < 60; i++) seen.add((await titles('lucky')).join())
    expect([...seen].sort()).toEqual(['one', 'two'])
    await often({ path: `${list}?query-tag=picked` })
    expect(statements).toEqual([])
    expect(await titles('picked')).toEqual(['one'])
    db.exec('update picked set id = 2')
    expect(await titles('picked')).toEqual(['two'])
  })

  test('what a view shows may change by itself', async () => {
    db.exec('create view if not exists rolled as select id, hex(randomblob(8)) as title from notes')
    const rolled = sqliteTable('rolled', { id: integer().primaryKey(), title: varchar().notNull() })
    const { panel, ask, often } = await serve({ resources: [defineResource({ model: rolled, uriKey: 'notes', fields })] })
    for (const asked of [{}, { path: `${list}/1` }, { headers: page }]) expect((await often(asked)).text).not.toBe((await ask(asked)).text)
    const fetched = async () => (await panel.fetch(new Request(`http://localhost${list}`, { headers: json }))).text()
    const seen = [await fetched(), await fetched(), await fetched(), await fetched()]
    expect(new Set(seen).size).toBe(4)
  })

  test('the choices of a filter by a related record', async () => {
    db.exec(
      "create table if not exists people (id integer primary key, name text not null); delete from people; insert into people values (1, 'Ann'), (2, 'Annabel')",
    )
    db.exec('create table if not exists tasks (id integer primary key, person_id integer references people (id))')
    const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
    const tasks = sqliteTable('tasks', { id: integer().primaryKey(), personId: integer('person_id').references(() => people.id) })
    const People = defineResource({ model: people, fields: { id: id(), name: text().searchable() } })
    const Tasks = defineResource({
      model: tasks,
      fields: { id: id(), personId: belongsTo('Person', people) },
      filters: ['personId'],
      pages: { index: ['id'] },
    })
    const { panel, often } = await serve({ resources: [People, Tasks] })
    const path = '/admin/resource/tasks/crud?_find%5BpersonId%5D=Ann'
    const fetched = async () => (await panel.fetch(new Request(`http://localhost${path}`, { headers: page }))).text()
    expect((await often({ path, headers: page })).text).toContain('Annabel')
    expect(await fetched()).toContain('Annabel')
    db.exec("update people set name = 'Anna Neu' where id = 2")
    expect(await fetched()).toContain('Anna Neu')
    expect((await often({ path, headers: page })).text).toContain('Anna Neu')
  })

  test('a choice that is kept in memory, however it was made', async () => {
    let house: House | undefined
    const looks = definePlugin({
      id: 'looks',
      routes: (given) => {
        house = given
        return []
      },
    })
    const { ask, often } = await serve({ plugins: [looks] } as Partial<PanelSpec>)
    expect((await often({ headers: page })).text).not.toContain('data-theme="dark"')
    // By a timer, or a job: no request comes with it.
    await house?.realm.auth.services.preferences.change('local', new Map([['theme', 'dark']]))
    expect((await ask({ headers: page })).text).toContain('data-theme="dark"')
  })
})

// Some 500 panels are begun for it.
test('whatever has changed, here or elsewhere, what is said is what a panel says that knows nothing', { timeout: 180_000 }, async () => {
  db.exec(
    `drop table if exists tasks; drop table if exists people; create table people (id integer primary key, name text not null);
    create table tasks (id integer primary key, title text not null, person_id integer references people (id), due integer);
    insert into people values (1, 'Ann'), (2, 'Bob'); insert into tasks values (1, 'one', 1, 0), (2, 'two', 2, null), (3, 'three', null, 86400000)`,
  )
  const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
  const tasks = sqliteTable('tasks', {
    id: integer().primaryKey(),
    title: varchar().notNull(),
    personId: integer('person_id').references(() => people.id),
    due: integer({ mode: 'timestamp_ms' }),
  })
  const resources = () => [
    defineResource({ model: people, fields: { id: id(), name: text().searchable() } }),
    defineResource({
      model: tasks,
      fields: { id: id(), title: text().sortable(), personId: belongsTo('Person', people), due: dateTime() },
      filters: ['personId'],
    }),
    defineResource({ model: tasks, uriKey: 'plain', fields: { id: id(), title: text().sortable(), due: dateTime() } }),
    defineResource({ model: tasks, uriKey: 'uncounted', simplePaginate: true, fields: { id: id(), title: text().sortable() } }),
  ]
  const { panel, ask } = await serve({ resources: resources() })
  const paths = ['tasks', 'plain', 'uncounted']
    .flatMap((name) =>
      ['', '?perPage=2', '?perPage=2&page=2', '?sort=title&perPage=1'].map((query) => `/admin/resource/${name}/crud${query}`),
    )
    .concat('/admin/resource/tasks/crud?include=person&perPage=3', '/admin/resource/tasks/crud?filter[personId]=1')
  // Pages of one list share what stands around them.
  const uncounted = '/admin/resource/uncounted/crud?perPage=1'
  const next = async (path: string) => `${uncounted}&cursor=${JSON.parse((await ask({ path, headers: json })).text).meta.nextCursor}`
  const second = await next(uncounted)
  const pages = ['&page=1', '&page=3', '&page=2', '&page=90', '&page=x', ''].map((query) => `/admin/resource/plain/crud?perPage=1${query}`)
  const asked = [
    ...paths.flatMap((path) => [
      { path, headers: json },
      { path, headers: page },
    ]),
    ...[second, await next(second), ...pages].map((path) => ({ path, headers: page })),
  ]
  const changes = [
    'select 1',
    "update people set name = 'Anna' where id = 1",
    "insert into people values (3, 'Cleo')",
    "insert into tasks values (4, 'four', 3, 1)",
    'update tasks set due = 2 where id = 4',
    "insert into tasks values (9, 'nine', null, null)",
    "update people set name = 'Anne' where id = 1",
    'delete from tasks where id = 9',
    'update tasks set due = 0 where id = 3',
    'update tasks set person_id = 2 where id = 1',
    'delete from tasks where id = 2',
    "update notes set title = 'none of theirs'",
    "update people set name = 'Bo' where id = 2",
    'update tasks set due = null',
  ]
  const put = { method: 'PUT', headers: { ...json, 'content-type': 'application/json' } }
  for (const [i, change] of changes.entries()) {
    db.exec(change)
    if (i % 4 === 3)
      await panel.fetch(
        new Request('http://localhost/admin/resource/tasks/crud/1', { ...put, body: JSON.stringify({ title: `by us ${i}` }) }),
      )
    for (const { path, headers } of asked) {
      const fresh = definePanel({ auth: 'open', database, resources: resources() })
      const anew = await fresh.fetch(new Request(`http://localhost${path}`, { headers }))
      expect(anew.status, path).toBe(200)
      const text = plainly(await anew.text())
      for (const _ of [1, 2, 3]) expect(plainly((await ask({ path, headers })).text), `${change}: ${path} ${headers.accept}`).toBe(text)
      await fresh.close()
    }
  }
})

/** Without what no two panels have in common. */
const plainly = (text: string) =>
  text.replace(/localhost|127\.0\.0\.1:\d+/g, 'host').replace(/(?<=(?:_token"|csrf-token") (?:value|content)=")[^"]*/g, '')

describe('somebody who is signed in', () => {
  const password = 'a password for a test'
  let users = 0
  async function signedIn() {
    const username = `ada-${++users}`
    const served = await serve({ auth: undefined } as unknown as Partial<PanelSpec>)
    await served.panel.ensureUser({ username, password, roles: ['admin'] })
    const { headers } = await served.ask({ path: '/admin/authenticate', method: 'POST', body: { username, password } })
    const cookie = String(headers['set-cookie']).split(';', 1)[0] as string
    return { ...served, asked: { headers: { ...json, cookie } }, drawn: { headers: { ...page, cookie } } }
  }

  test('is answered from what is known, and nobody else is', async () => {
    const { ask, often, asked, drawn } = await signedIn()
    expect((await often(asked)).status).toBe(200)
    expect(statements).toEqual([])
    expect((await often(drawn)).text).toContain('ada')
    expect(statements).toEqual([])
    expect((await ask()).status).toBe(401)
    expect((await ask({ headers: { ...json, cookie: `${asked.headers.cookie}x` } })).status).toBe(401)
  })

  test.each([
    ['X-Request-Id', '8f2'],
    ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333'],
    ['tracestate', 'vendor=t61rcWkgMz'],
    ['x-amzn-trace-id', 'Root=1-67891233-abcdef012345678912345678'],
    ['CF-Ray', '230b030023ae282'],
  ])('is known by whatever number %s gives the request', async (name, value) => {
    const { ask, asked } = await signedIn()
    let number = 0
    const numbered = (headers: typeof asked.headers) => ask({ headers: { ...headers, [name]: `${value}${number++}` } })
    for (let i = 0; i < 4; i++) await numbered(asked.headers)
    statements.length = 0
    expect((await numbered(asked.headers)).text).toContain('one')
    expect(statements).toEqual([])
    expect((await numbered({ ...asked.headers, cookie: `${asked.headers.cookie}x` })).status).toBe(401)
  })

  test.each([
    ['signs out', 'delete from daymark_sessions'],
    ['is not active any more', 'update daymark_users set active = 0'],
    ['has no role any more', "update daymark_users set roles = '[]'"],
  ])('is refused as soon as he %s', async (_, sql) => {
    const { ask, often, asked } = await signedIn()
    expect((await often(asked)).status).toBe(200)
    db.exec(sql)
    expect([401, 403]).toContain((await ask(asked)).status)
  })

  test('is seen each minute all the same, and not known beyond the end of the session', async () => {
    const { ask, often, asked } = await signedIn()
    await often(asked)
    const seen = () => db.prepare('select max(last_seen_at) from daymark_sessions').raw().get([]) as unknown as [number | string]
    const before = seen()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect((await ask(asked)).status).toBe(200)
    await vi.waitFor(() => expect(seen()).not.toEqual(before), 10_000)
    await often(asked)
    vi.setSystemTime(Date.now() + 31 * 60_000)
    expect((await ask(asked)).status).toBe(401)
  })
})

test('a store that cannot say whether it has changed is asked each time', async () => {
  const store = memoryStore(notes, [{ title: 'one' }])
  const { ask, often } = await serve({ database: undefined } as unknown as Partial<PanelSpec>, { model: store })
  expect((await often()).text).toContain('one')
  await store.transaction((tx) => tx.create(defineResource({ model: notes, fields }).model, { title: 'later' }))
  expect((await ask()).text).toContain('later')
})
