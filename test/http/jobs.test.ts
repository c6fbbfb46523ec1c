import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { definePanel, defineResource, id, memoryStore, number, type Panel, refuse } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/app.js'
import { Sqlite } from '../support/sqlite.js'

const rows = sqliteTable('rows', { id: integer().primaryKey(), touched: integer().notNull() })
const count = 1203

/** What a test lets a batch wait for. */
class Gate {
  #open: (() => void) | undefined
  #reached: (() => void) | undefined
  readonly reached = new Promise<void>((resolve) => {
    this.#reached = resolve
  })
  readonly #passed = new Promise<void>((resolve) => {
    this.#open = resolve
  })
  open = () => this.#open?.()
  async wait(): Promise<void> {
    this.#reached?.()
    await this.#passed
  }
}

let folder: string
let panel: Panel
let gate: Gate
let batches: number[]
let log: LogEntry[]
const path = () => join(folder, 'jobs.db')

/** Whoever the header says. */
const known = {
  middleware: [],
  auth: {
    middleware: { name: 'test', challenge: 'Bearer' as const },
    pipelines: [
      {
        name: 'test',
        cookies: false,
        identify: ({ headers }: { headers: { get(name: string): string | null } }) => {
          const [id = 'ada', role = 'admin', username = id, team] = (headers.get('x-user') ?? '').split(' ').filter(Boolean)
          return { id, username, name: id, roles: [role], ...(team !== undefined && { team }) }
        },
      },
    ],
  },
}

function openPanel(auth: 'open' | 'users' = 'users'): Panel {
  const run = (end: (done: number) => unknown) => ({
    long: true as const,
    async run({
      ids,
      update,
      done,
    }: {
      ids: readonly string[]
      update(id: string, to: { touched: number }): Promise<unknown>
      done: number
    }) {
      batches.push(ids.length)
      for (const id of ids) await update(id, { touched: 1 })
      return (await end(done)) as undefined
    },
  })
  return definePanel({
    database: `sqlite:${path()}`,
    ...(auth === 'open' ? { auth: 'open' as const } : known),
    resources: [
      defineResource({
        model: rows,
        can: { update: ['admin'] },
        handlers: {
          touch: run(() => ({ message: 'All touched', events: ['rows-touched'] })),
          waits: run((done) => (done === 500 ? gate.wait() : undefined)),
          holds: run(() => setTimeout(300)),
          fails: run((done) => {
            if (done === 500) throw new Error('SELECT * FROM rows')
          }),
          refuses: run((done) => (done === 500 ? refuse('id', 'Not this one') : undefined)),
          file: { long: true, run: ({ ids }) => ({ download: { name: 'ids <1>.txt', type: 'text/plain', body: `${ids.length}` } }) },
          large: { long: true, run: () => ({ download: { name: 'large.txt', type: 'text/plain', body: 'x'.repeat(1_048_577) } }) },
          plain: { label: 'Plain', long: true, run: ({ ids }) => `${ids.length} selected` },
        },
      }),
      defineResource({
        model: rows,
        uriKey: 'role-rows',
        scope: ({ user }) => (user.roles.includes('admin') ? {} : { id: { lte: 600 } }),
        handlers: { waits: run((done) => (done === 500 ? gate.wait() : undefined)) },
      }),
      defineResource({
        model: rows,
        uriKey: 'judged-rows',
        handlers: {
          free: { long: true, run: ({ ids }) => `Told of ${ids.join()}` },
          judged: { long: true, canRecord: ({ user }) => user.id === 'ada', run: ({ ids }) => `Told of ${ids.join()}` },
        },
      }),
      defineResource({
        model: rows,
        uriKey: 'kept-rows',
        canRecord: { update: ({ user }) => user.id === 'ada' },
        handlers: { free: { long: true, run: ({ ids }) => `Told of ${ids.join()}` } },
      }),
      defineResource({
        model: rows,
        uriKey: 'own-rows',
        scope: ({ user }) => (user.id === 'ada' ? {} : user.id === 'bob' ? { id: { lte: 600 } } : { id: { gt: 600 } }),
        handlers: {
          tell: { long: true, run: ({ ids }) => `Told of ${ids.join()}` },
          who: { long: true, run: ({ user }) => `By ${user.username}, ${user.roles.join()}, ${'team' in user}` },
        },
      }),
    ],
    log: (entry) => log.push(entry),
  })
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-jobs-'))
  const client = new Sqlite(path())
  client.exec('create table rows (id integer primary key, touched integer not null)')
  client.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) insert into rows select i, 0 from n`)
  client.close()
  gate = new Gate()
  batches = []
  log = []
  panel = openPanel()
})
afterEach(async () => {
  gate.open()
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(
  method: string,
  to: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: URLSearchParams } = {},
  of = panel,
) {
  const response = await of.fetch(
    new Request(`http://127.0.0.1${to}`, { method, headers: { accept: 'application/json', ...headers }, ...(body && { body }) }),
  )
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
  return { status: response.status, headers: response.headers, text, json: (text.startsWith('{') ? JSON.parse(text) : null) as any }
}

const start = (handler: string) => ask('POST', `/admin/resource/rows/handler/${handler}?_all=1&_total=${count}`)
const job = (id: string, user = 'ada admin') => ask('GET', `/admin/job/${id}`, { headers: { 'x-user': user } })

async function ended(id: string, user?: string) {
  for (;;) {
    const { json } = await job(id, user)
    if (json.data.state !== 'running') return json.data
    await setTimeout(5)
  }
}

function touched(): number {
  const client = new Sqlite(path())
  const found = client.prepare('select sum(touched) as n from rows').get() as { n: number }
  client.close()
  return found.n
}

test('a job works through all that match, batch by batch, and says so', async () => {
  const { status, headers, json } = await start('touch')
  expect(status).toBe(202)
  expect(headers.get('location')).toBe(json.data.url)
  expect(json).toMatchObject({
    message: 'Touch started',
    data: { state: 'running', done: 0, total: count, label: 'Touch', handler: 'touch', resource: 'rows' },
  })
  const end = await ended(json.data.id)
  expect(end).toMatchObject({
    state: 'done',
    done: count,
    total: count,
    text: 'All touched',
    answer: { message: 'All touched', events: ['rows-touched'] },
  })
  expect(end.endedAt).toMatch(/Z$/)
  expect(batches).toEqual([500, 500, 203])
  expect(touched()).toBe(count)
})

test('its progress is a stream of events', async () => {
  const { json } = await start('waits')
  const following = ask('GET', json.data.url, { headers: { accept: 'text/event-stream' } })
  await gate.reached
  gate.open()
  const { status, headers, text } = await following
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  const events = text.split('\n\n').filter(Boolean)
  expect(events.at(-1)).toMatch(/^event: end\ndata: \{.*"state":"done","done":1203/)
  expect(events[0]).toMatch(/^event: progress\ndata: \{/)
})

test('the stream ends with the session of its reader, and the job goes on', async () => {
  const own = definePanel({
    // Of its own, since a batch that waits is the only one to write to its database.
    database: `sqlite:${join(folder, 'users.db')}`,
    resources: [
      defineResource({
        model: rows,
        database: `sqlite:${path()}`,
        handlers: { waits: { long: true, run: ({ done }) => (done === 500 ? gate.wait() : undefined) } },
      }),
    ],
  })
  try {
    const password = 'correct horse battery'
    for (const username of ['ada', 'bea']) await own.ensureUser({ username, roles: ['admin'], password })
    const send = (method: string, url: string, headers: Record<string, string>, body?: object) =>
      own.fetch(
        new Request(`http://127.0.0.1${url}`, {
          method,
          headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
        }),
      )
    const signIn = async (username: string) => {
      const answer = await send('POST', '/admin/authenticate', {}, { username, password })
      return {
        cookie: answer.headers
          .getSetCookie()
          .map((one) => one.split(';')[0])
          .join('; '),
      }
    }
    const [ada, bea] = [await signIn('ada'), await signIn('bea')]
    const started = await send('POST', '/admin/resource/rows/handler/waits', ada, { _all: true, _total: count })
    const { data } = (await started.json()) as { data: { id: string; url: string } }
    const follow = async (headers: Record<string, string>) =>
      (await send('GET', data.url, { ...headers, accept: 'text/event-stream' })).text()
    const [ofAda, ofBea] = [follow(ada), follow(bea)]
    await gate.reached
    expect((await send('POST', '/admin/logout', ada)).status).toBe(200)
    const text = await ofAda
    expect(text).toContain('event: progress')
    expect(text).not.toContain('event: end')
    gate.open()
    expect(await ofBea).toMatch(/event: end\ndata: \{.*"state":"done","done":1203/)
  } finally {
    gate.open()
    await own.close()
  }
})

test('the file that it gave is kept for whoever began it, and for nobody else', async () => {
  const { id } = (await start('file')).json.data
  const { answer } = await ended(id)
  expect(answer.download).toEqual({ name: 'ids <1>.txt', type: 'text/plain', base64: Buffer.from('203').toString('base64') })
  const page = await ask('GET', `/admin/job/${id}`, { headers: { accept: 'text/html', 'x-user': 'ada admin' } })
  expect(page.text).toContain('href="data:application/octet-stream;base64,MjAz" download="ids &lt;1&gt;.txt"')
  const other = await job(id, 'bea admin')
  expect(other.status).toBe(200)
  expect(other.text).not.toContain('MjAz')
})

test('a file that is too large to be kept fails the job', async () => {
  const { id } = (await start('large')).json.data
  expect(await ended(id)).toMatchObject({ state: 'failed', text: 'large.txt is larger than 1 MB, the largest file that is kept' })
})

test('it stops after the batch that it is in, where somebody asks', async () => {
  const { id } = (await start('waits')).json.data
  await gate.reached
  const { status, json } = await ask('DELETE', `/admin/job/${id}`)
  expect(status).toBe(200)
  expect(json.data).toMatchObject({ state: 'running', cancelling: true, done: 500, text: 'Stopping after this batch' })
  gate.open()
  expect(await ended(id)).toMatchObject({ state: 'cancelled', done: 1000 })
  expect(touched()).toBe(1000)
})

test('over SQLite, another process gets its turn between two batches: it writes, and can stop the job', async () => {
  const client = new Sqlite(path())
  client.exec('with recursive n (i) as (select 10001 union all select i + 1 from n where i < 20000) insert into rows select i, 0 from n')
  client.close()
  const other = openPanel()
  expect((await ask('GET', '/admin/resource/rows/crud/1', {}, other)).status).toBe(200)
  const { id } = (await ask('POST', `/admin/resource/rows/handler/holds?_all=1&_total=${count + 10_000}`)).json.data
  await expect.poll(() => batches.length).toBeGreaterThan(0)
  const body = new URLSearchParams({ touched: '7' })
  expect((await ask('PATCH', '/admin/resource/rows/crud/20000', { body }, other)).status).toBe(200)
  expect((await ask('DELETE', `/admin/job/${id}`, {}, other)).status).toBe(200)
  const { state, done } = await ended(id)
  expect([state, done < count + 10_000]).toEqual(['cancelled', true])
  await other.close()
}, 30_000)

test('of a batch that fails nothing is kept, of those before all', async () => {
  const { id } = (await start('fails')).json.data
  const end = await ended(id)
  expect(end).toMatchObject({ state: 'failed', done: 500, text: 'Something went wrong on our side' })
  expect(JSON.stringify(end)).not.toContain('SELECT')
  expect(log).toMatchObject([{ requestId: id, message: 'SELECT * FROM rows' }])
  expect(touched()).toBe(500)
})

test('a refusal is said', async () => {
  const { id } = (await start('refuses')).json.data
  expect(await ended(id)).toMatchObject({ state: 'failed', done: 500, text: 'Not this one', answer: { errors: { id: ['Not this one'] } } })
  expect(log).toEqual([])
})

/** While a batch is on its way. */
async function changeUser(client: Sqlite, change: string): Promise<void> {
  await gate.reached
  gate.open()
  // The batch has the writer until it is done.
  for (let written = false; !written; await setImmediate()) {
    try {
      client.exec(`update daymark_users set ${change}`)
      written = true
    } catch (thrown) {
      expect(String(thrown)).toMatch(/busy|locked/i)
    }
  }
  client.close()
}

test('who sees less meanwhile goes on with what they still see', async () => {
  await panel.ensureUser({ username: 'cleo', name: 'Cleo', password: 'a long enough password', roles: ['admin'] })
  const client = new Sqlite(path())
  const { id } = client.prepare('select id from daymark_users').get() as { id: number }
  const { json } = await ask('POST', `/admin/resource/role-rows/handler/waits?_all=1&_total=${count}`, {
    headers: { 'x-user': `${id} admin cleo` },
  })
  await changeUser(client, `roles = '["reader"]'`)
  expect(await ended(json.data.id)).toMatchObject({ state: 'done', done: count })
  // The last batch has nothing left that they see: about no records it would be another action.
  expect(batches).toEqual([500, 500])
  expect(touched()).toBe(1000)
})

test.each([
  ['is switched off', 'active = 0', 'Cleo no longer has access'],
  ['has no longer the role for it', `roles = '["reader"]'`, 'You may not'],
])('whoever began it and %s meanwhile does not go on', async (_, change, said) => {
  await panel.ensureUser({ username: 'cleo', name: 'Cleo', password: 'a long enough password', roles: ['admin'] })
  const client = new Sqlite(path())
  const { id } = client.prepare('select id from daymark_users').get() as { id: number }
  const { json } = await ask('POST', `/admin/resource/rows/handler/waits?_all=1&_total=${count}`, {
    headers: { 'x-user': `${id} admin cleo` },
  })
  await changeUser(client, change)
  expect(await ended(json.data.id)).toMatchObject({ state: 'failed', done: 1000, text: expect.stringContaining(said) })
  expect(batches).toEqual([500, 500])
  expect(touched()).toBe(1000)
})

test.each([
  ['the name', 'admin zoe'],
  ['the roles', 'deputy cleo'],
  ['what else is known of them', 'admin cleo blue'],
])('one who comes from elsewhere with the number of an account, and not with %s, acts as themselves', async (_, rest) => {
  await panel.ensureUser({ username: 'cleo', name: 'Cleo', password: 'a long enough password', roles: ['admin'] })
  const client = new Sqlite(path())
  const { id } = client.prepare('select id from daymark_users').get() as { id: number }
  client.close()
  const user = `${id} ${rest}`
  const { json } = await ask('POST', '/admin/resource/own-rows/handler/who?ids[]=700', { headers: { 'x-user': user } })
  const [role, username, team] = rest.split(' ')
  expect((await ended(json.data.id, user)).text).toBe(`By ${username}, ${role}, ${team !== undefined}`)
})

test('the page of a job stands in the menu where its resource does', async () => {
  const { id } = (await start('file')).json.data
  await ended(id)
  const { text } = await ask('GET', `/admin/job/${id}`, { headers: { accept: 'text/html', 'x-user': 'ada admin' } })
  expect([...text.matchAll(/<a href="([^"]+)" aria-current="([^"]+)"/g)].map(([, href, current]) => [href, current])).toEqual([
    ['/admin/resource/rows/crud', 'true'],
  ])
})

test('a job is there for its owner and for whoever might have begun it', async () => {
  const { id } = (await start('touch')).json.data
  await ended(id)
  expect((await job(id, 'bob admin')).status).toBe(200)
  expect((await job(id, 'bob reader')).status).toBe(404)
  expect((await job(id, 'ada reader')).status).toBe(200)
  expect((await ask('DELETE', `/admin/job/${id}`, { headers: { 'x-user': 'bob reader' } })).status).toBe(404)
  expect((await ask('POST', '/admin/resource/rows/handler/touch', { headers: { 'x-user': 'bob reader' } })).status).toBe(403)
})

test('a job over some of the records is there for its owner and for who sees all of them', async () => {
  const as = (user: string) => ({ headers: { 'x-user': `${user} admin` } })
  const { id } = (await ask('POST', '/admin/resource/own-rows/handler/tell?ids[]=7', as('bob'))).json.data
  await ended(id)
  for (const user of ['bob', 'ada']) expect((await job(id, `${user} admin`)).json.data.text).toBe('Told of 7')
  const others = [await job(id, 'cleo admin'), await ask('DELETE', `/admin/job/${id}`, as('cleo'))]
  expect(others.map(({ status }) => status)).toEqual([404, 404])
})

test.each([
  ['judged-rows', 'free', 200],
  ['judged-rows', 'judged', 404],
  ['kept-rows', 'free', 404],
])('where a policy judges each record, a job is its own user’s: %s, %s', async (uri, name, others) => {
  const as = (user: string) => ({ headers: { 'x-user': `${user} admin` } })
  const { id } = (await ask('POST', `/admin/resource/${uri}/handler/${name}?ids[]=7`, as('ada'))).json.data
  await ended(id)
  expect((await job(id, 'ada admin')).json.data.text).toBe('Told of 7')
  expect((await job(id, 'bob admin')).status).toBe(others)
  expect((await ask('DELETE', `/admin/job/${id}`, as('bob'))).status).toBe(others)
})

test('what was named must be there before it begins', async () => {
  const { status } = await ask('POST', `/admin/resource/rows/handler/touch?ids[]=1&ids[]=${count + 1}`)
  expect(status).toBe(404)
  expect(batches).toEqual([])
  const { id } = (await ask('POST', '/admin/resource/rows/handler/plain')).json.data
  expect(await ended(id)).toMatchObject({ state: 'done', done: 1, total: 1, text: '0 selected' })
})

test('a page is led to its progress, which asks again by itself, and can stop it', async () => {
  const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const form = new URLSearchParams({ _all: '1', _total: String(count) })
  const begun = await ask('POST', '/admin/resource/rows/handler/waits', { headers: html, body: form })
  expect(begun.status).toBe(303)
  const at = begun.headers.get('location') ?? ''
  await gate.reached
  const page = await ask('GET', at, { headers: { accept: 'text/html' } })
  expect(page.text).toMatch(/<noscript><meta http-equiv="refresh" content="2"><\/noscript>/)
  expect(page.text).toContain('<progress max="1203" value="500"')
  expect(page.text).toContain('500 of 1,203')
  const stopped = await ask('POST', at, { headers: html, body: new URLSearchParams({ _method: 'DELETE' }) })
  expect(stopped.status).toBe(303)
  expect(stopped.headers.get('location')).toBe(at)
  gate.open()
  await ended(at.split('/').at(-1) ?? '')
  const after = await ask('GET', at, { headers: { accept: 'text/html' } })
  expect(after.text).not.toContain('http-equiv="refresh"')
  expect(after.text).toContain('Cancelled')
})

test('without tables of its own a panel keeps its jobs in memory', async () => {
  await panel.close()
  panel = openPanel('open')
  const { id } = (await start('touch')).json.data
  expect(await ended(id)).toMatchObject({ state: 'done', done: count })
})

describe('a job whose process has ended is interrupted', () => {
  test('where the panel was closed', async () => {
    const { id } = (await start('waits')).json.data
    await gate.reached
    const closed = panel.close()
    gate.open()
    await closed
    panel = openPanel()
    expect((await job(id)).json.data).toMatchObject({ state: 'interrupted', done: 1000, text: 'Interrupted: the server process ended' })
  })

  test('where it was killed', async () => {
    const child: ChildProcess = fork(fileURLToPath(new URL('./job-panel.mjs', import.meta.url)), [path()])
    const exit = once(child, 'exit')
    let id = ''
    for await (const [message] of on(child)) {
      if (message.is === 'started') id = message.id as string
      if (message.is === 'stuck') break
    }
    // It runs, and can be followed from here.
    expect((await job(id)).json.data).toMatchObject({ state: 'running', done: 500 })
    child.kill('SIGKILL')
    await exit
    const { json } = await job(id)
    expect(json.data).toMatchObject({ state: 'interrupted', done: 500 })
    expect(touched()).toBe(500)
  })
})

async function* on(child: ChildProcess): AsyncGenerator<[{ is: string; id?: string }]> {
  for (;;) yield (await once(child, 'message')) as [{ is: string; id?: string }]
}

test('a long delete of all is refused at once where one of the records may not be deleted', async () => {
  const things = sqliteTable('things', { id: integer().primaryKey() })
  const store = memoryStore()
  const Things = defineResource({
    model: { ...store, table: things },
    canRecord: { delete: ({ record }) => record.id !== 2 },
    handlers: { purge: { long: true, ability: 'massDelete', run: () => {} } },
  })
  await store.transaction(async (tx) => {
    for (const id of [1, 2]) await tx.create(Things.model, { id })
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  expect((await app.post('/admin/resource/things/handler/purge', { _all: 1, _total: 2 })).status).toBe(403)
})

test('whoever may not write a field any more meanwhile does not go on changing it in all that match', async () => {
  await panel.close()
  const Rows = defineResource({
    model: rows,
    fields: { id: id(), touched: number('Touched').editable(['admin']) },
    massUpdate: ['touched'],
    hooks: { afterSave: ({ after }) => (after.id === 1000 ? gate.wait() : undefined) },
    can: { update: true },
  })
  panel = definePanel({ database: `sqlite:${path()}`, ...known, resources: [Rows] })
  await panel.ensureUser({ username: 'cleo', name: 'Cleo', password: 'a long enough password', roles: ['admin'] })
  const client = new Sqlite(path())
  const { id: key } = client.prepare('select id from daymark_users').get() as { id: number }
  const { json } = await ask('POST', `/admin/resource/rows/handler/massUpdate?_all=1&_total=${count}`, {
    headers: { 'x-user': `${key} admin cleo` },
    body: new URLSearchParams([
      ['_change', 'touched'],
      ['touched', '1'],
    ]),
  })
  await changeUser(client, `roles = '["clerk"]'`)
  expect(await ended(json.data.id)).toMatchObject({ state: 'failed', done: 1000, text: 'You may not do this' })
  expect(touched()).toBe(1000)
})
