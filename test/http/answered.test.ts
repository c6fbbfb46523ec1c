import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnsweredRequest, definePanel, defineResource, type LogEntry, memoryStore, type Panel, type PanelSpec } from 'daymark'
import { pgTable, text as varchar, integer as whole } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'
import { raw } from './raw.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: text().notNull() })
const lines = sqliteTable('lines', { id: integer().primaryKey() })
const rows = sqliteTable('rows', { id: integer().primaryKey() })
const folder = mkdtempSync(join(tmpdir(), 'daymark-answered-'))
const file = join(folder, 'notes.db')
const db = new Sqlite(file)
db.exec("create table notes (id integer primary key, title text not null); insert into notes values (1, 'one'), (2, 'two')")
db.exec(`create table rows (id integer primary key);
  with recursive counted(id) as (select 1 union all select id + 1 from counted where id < 1200) insert into rows select id from counted`)
db.close()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let panel: Panel
let url: string
let close: () => Promise<void>
let release: () => void
const entries: AnsweredRequest[] = []
const logged: LogEntry[] = []

async function open(more: Partial<PanelSpec> = {}): Promise<void> {
  const all = memoryStore(
    lines,
    Array.from({ length: 1200 }, (_, id) => ({ id: id + 1 })),
  )
  let pages = 0
  const broken = {
    ...all,
    list: (...asked: Parameters<typeof all.list>) => (++pages === 2 ? Promise.reject(new Error('The disk is gone')) : all.list(...asked)),
  }
  panel = definePanel({
    auth: 'open',
    database: `sqlite:${file}`,
    resources: [
      defineResource({ model: notes, handlers: { wait: { run: () => new Promise<void>((resolve) => (release = resolve)) } } }),
      defineResource({ model: rows, usePagination: false }),
      defineResource({ model: all, uriKey: 'lines', usePagination: false }),
      defineResource({ model: broken, uriKey: 'broken', usePagination: false }),
    ],
    answered: (entry) => void entries.push(entry),
    log: (entry) => logged.push(entry),
    ...more,
  })
  const listening = await panel.listen({ port: 0 })
  url = listening.url
  close = listening.close
}
beforeEach(() => open())
afterEach(async () => {
  await close()
  await panel.close()
  entries.length = logged.length = 0
})

/** The entry of a request, which is the only one that has come. */
async function told(): Promise<AnsweredRequest> {
  await expect.poll(() => entries.length).toBeGreaterThan(0)
  const [entry, ...others] = entries.splice(0)
  expect(others).toEqual([])
  expect(Object.isFrozen(entry)).toBe(true)
  return entry as AnsweredRequest
}

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(url + path, { redirect: 'manual', ...init })
  return { status: response.status, requestId: response.headers.get('x-request-id'), body: Buffer.from(await response.arrayBuffer()) }
}
const json = { accept: 'application/json' }
const html = { accept: 'text/html' }
const sending = { ...json, 'content-type': 'application/json' }
const crud = '/admin/resource/{resourceUri}/crud'

test('says everything of a request but its values', async () => {
  const before = Date.now()
  const { requestId, body } = await ask('/admin/resource/notes/crud?search=s3cret', { headers: json })
  const { startedAt, duration, waited, slowest, ...entry } = await told()
  expect(entry).toEqual({
    requestId,
    trace: null,
    method: 'GET',
    route: 'crud.index',
    path: crud,
    resource: 'notes',
    face: 'json',
    status: 200,
    complete: true,
    bytes: body.length,
    userId: 'local',
    statements: 2,
  })
  expect(startedAt).toBeGreaterThanOrEqual(before)
  expect(duration).toBeGreaterThan(waited)
  expect(waited).toBeGreaterThan(0)
  expect(slowest?.sql).toContain('from "notes"')
  expect(slowest?.duration).toBeLessThanOrEqual(waited)
  expect(Object.isFrozen(slowest)).toBe(true)
  expect(JSON.stringify([entry, slowest])).not.toContain('s3cret')
})

const anywhere: readonly (readonly [string, string, RequestInit, number, string | null, string | null, string | null])[] = [
  ['a page', '/admin/resource/notes/crud', {}, 200, 'crud.index', crud, 'notes'],
  ['a record', '/admin/resource/notes/crud/1', {}, 200, 'crud.show', `${crud}/{resourceItem}`, 'notes'],
  ['no such record', '/admin/resource/notes/crud/9', {}, 404, 'crud.show', `${crud}/{resourceItem}`, 'notes'],
  ['no such resource', '/admin/resource/none/crud', {}, 404, 'crud.index', crud, null],
  ['no such path', '/admin/nothing/s3cret', {}, 404, null, null, null],
  ['elsewhere', '/s3cret', {}, 404, null, null, null],
  ['a wrong method', '/admin/resource/notes/crud', { method: 'PUT' }, 405, null, null, null],
  ['what is offered', '/admin/resource/notes/crud', { method: 'OPTIONS' }, 204, null, null, null],
  ['HEAD', '/admin/resource/notes/crud', { method: 'HEAD' }, 200, 'crud.index', crud, 'notes'],
  ['health', '/admin/health', {}, 200, 'health', '/admin/health', null],
  ['a file that is nowhere', '/admin/assets/x/s3cret.css', {}, 404, 'assets', '/admin/assets/{hash}/{file}', null],
]
describe.each([
  ['json', json],
  ['html', html],
] as const)('the %s face', (face, headers) => {
  test.each(anywhere)('is told of once: %s', async (_, path, init, status, route, template, resource) => {
    const { requestId, body, ...answer } = await ask(path, { headers, ...init })
    expect(answer.status).toBe(status)
    const { method = 'GET' } = init
    const entry = await told()
    expect(entry).toMatchObject({ requestId, method, route, path: template, resource, face, status, complete: true, bytes: body.length })
    expect(JSON.stringify(entry)).not.toContain('s3cret')
  })

  test('is told of a form, by what it means', async () => {
    const form = new URLSearchParams({ _method: 'PUT', title: 'one' })
    const { status } = await ask('/admin/resource/notes/crud/1', { method: 'POST', body: form, headers: { ...headers, origin: url } })
    expect(status).toBe(face === 'json' ? 200 : 303)
    expect(await told()).toMatchObject({ method: 'POST', route: 'crud.update', path: `${crud}/{resourceItem}`, resource: 'notes', status })
  })

  test('is told of answers from memory, which ask nothing', async () => {
    for (let i = 0; i < 3; i++) await ask('/admin/resource/notes/crud', { headers })
    await expect.poll(() => entries.length).toBe(3)
    const [first, , last] = entries.splice(0)
    expect(last).toMatchObject({ route: 'crud.index', path: crud, resource: 'notes', face, userId: 'local', bytes: first?.bytes })
    expect([first?.statements, last?.statements]).toEqual([expect.any(Number), 0])
    expect(last?.slowest).toBeNull()
    expect(last?.requestId).not.toBe(first?.requestId)
  })
})

test('a refused write, and one that is done: the statements of its transaction count', async () => {
  await ask('/admin/resource/notes/crud', { method: 'POST', headers: sending, body: '{}' })
  expect(await told()).toMatchObject({ route: 'crud.store', status: 422 })
  await ask('/admin/resource/notes/crud', { method: 'POST', headers: sending, body: '{"title":"s3cret"}' })
  const entry = await told()
  expect(entry).toMatchObject({ route: 'crud.store', status: 201 })
  expect(entry.statements).toBeGreaterThanOrEqual(3)
  expect(JSON.stringify(entry)).not.toContain('s3cret')
})

test('what is no request for us', async () => {
  const client = await raw(url)
  client.send('GET /admin HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')
  const body = (await client.ended()).split('\r\n\r\n')[1] ?? ''
  const { requestId } = JSON.parse(body)
  expect(await told()).toMatchObject({ requestId, route: null, status: 400, complete: true, bytes: body.length, userId: null })
})

test('who goes away: when what was begun for them has ended', async () => {
  let gone: Promise<unknown> | undefined
  const server = createServer((request, response) => {
    gone = once(response, 'close')
    panel.listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = await raw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const head = ['Host: 127.0.0.1', 'Accept: application/json', 'Content-Type: application/json', 'Content-Length: 2']
  client.send(`POST /admin/resource/notes/handler/wait HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{}`)
  await expect.poll(() => typeof release).toBe('function')
  client.socket.destroy()
  await gone
  expect(entries).toEqual([])
  release()
  expect(await told()).toMatchObject({ route: 'handler', status: 200, complete: false })
  server.close()
})

test('a stream, sent to its end and cut off', async () => {
  const { body } = await ask('/admin/resource/lines/crud', { headers: json })
  expect(await told()).toMatchObject({ resource: 'lines', status: 200, complete: true, bytes: body.length })
  // The statements that read further rows while it is sent are its own, too.
  await ask('/admin/resource/rows/crud', { headers: json })
  expect(await told()).toMatchObject({ resource: 'rows', complete: true, statements: 3 })
  await expect(ask('/admin/resource/broken/crud', { headers: json })).rejects.toThrow()
  const entry = await told()
  expect(entry).toMatchObject({ resource: 'broken', status: 200, complete: false })
  expect(entry.bytes).toBeGreaterThan(0)
  expect(logged).toMatchObject([{ requestId: entry.requestId, message: 'The disk is gone' }])
})

test('by fetch: an answer ends when it is made, a stream when it is read or let go', async () => {
  const get = (path: string) => panel.fetch(new Request(url + path, { headers: json }), { address: '127.0.0.1' })
  await get('/admin/resource/notes/crud')
  expect(await told()).toMatchObject({ route: 'crud.index', status: 200, complete: true })
  const whole = await get('/admin/resource/lines/crud')
  expect(entries).toEqual([])
  const read = await whole.text()
  expect(await told()).toMatchObject({ resource: 'lines', complete: true, bytes: read.length })
  const left = await get('/admin/resource/lines/crud')
  await left.body?.cancel()
  expect(await told()).toMatchObject({ resource: 'lines', complete: false })
})

test('one that throws or rejects: the caller gets the answer, and the log the reason', async () => {
  for (const answered of [
    () => {
      throw new Error('No collector')
    },
    () => Promise.reject(new Error('No collector')),
  ]) {
    await close()
    await panel.close()
    await open({ answered: answered as () => void })
    const { status, requestId } = await ask('/admin/health')
    expect(status).toBe(200)
    await expect.poll(() => logged).toMatchObject([{ method: 'ANSWERED', requestId, message: 'No collector' }])
    logged.length = 0
  }
})

test('the trace of a proxy joins the entry and the log', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const traced = { trace: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7', sampled: true } }
  await ask('/admin/resource/broken/crud', { headers: { ...json, traceparent } }).catch(() => {})
  expect(await told()).toMatchObject({ trace: null })
  expect(logged.splice(0)).toEqual([expect.not.objectContaining({ traceId: expect.anything() })])
  await close()
  await panel.close()
  const store = memoryStore(lines)
  const broken = { ...store, list: (..._: Parameters<typeof store.list>) => Promise.reject(new Error('The disk is gone')) }
  await open({ auth: 'open', trustProxy: 1, resources: [defineResource({ model: broken })] })
  const { requestId } = await ask('/admin/resource/lines/crud', { headers: { ...json, traceparent } })
  expect(await told()).toMatchObject({ ...traced, status: 500 })
  expect(logged).toMatchObject([{ requestId, traceId: traced.trace.traceId, message: 'The disk is gone' }])
})

test('over PostgreSQL, each request has its own statements, however many are under way', async () => {
  const database = await openDatabase()
  try {
    await database.query(`create table quick (id integer primary key, title text not null); insert into quick values (1, 'one');
      create view naps as select 1 as id, pg_sleep(0.3)::text as title`)
    await close()
    await panel.close()
    const of = (name: string) => defineResource({ model: pgTable(name, { id: whole().primaryKey(), title: varchar().notNull() }) })
    await open({ database: database.url, resources: [of('quick'), of('naps')] })
    const paths = ['quick', 'naps', 'quick', 'naps', 'quick'].map((name) => `/admin/resource/${name}/crud/1`)
    await Promise.all(paths.map((path) => ask(path, { headers: json })))
    await expect.poll(() => entries.length).toBe(5)
    for (const { resource, statements, slowest, waited, duration } of entries) {
      expect(slowest?.sql).toContain(`from "${resource}"`)
      expect([resource, statements]).toEqual([resource, 1])
      expect(waited).toBeLessThanOrEqual(duration)
      if (resource === 'naps') expect(slowest?.duration).toBeGreaterThan(250)
    }
  } finally {
    await database.drop()
  }
})
