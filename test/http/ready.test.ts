import { get } from 'node:http'
import { definePanel, defineResource, memoryStore, type Panel } from 'daymark'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LogEntry } from '../../src/http/app.js'

const things = sqliteTable('things', { id: integer().primaryKey() })

let panel: Panel
let pings: number
let answer: () => Promise<unknown>
const logged: LogEntry[] = []
beforeEach(() => {
  pings = 0
  answer = async () => {}
  const ping = () => {
    pings++
    return answer()
  }
  const model = { ...memoryStore(things), ping }
  panel = definePanel({
    database: 'sqlite::memory:',
    url: 'https://panel.example',
    resources: [defineResource({ model })],
    log: (entry) => logged.push(entry),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await panel.close()
  logged.length = 0
})

const probe = (more?: RequestInit) =>
  panel.fetch(new Request('http://10.0.0.5:3000/admin/ready', { headers: { accept: 'application/json' }, ...more }))

test('tells anybody, whatever the host, by GET and HEAD and on both faces', async () => {
  const said = await probe()
  expect([said.status, await said.json()]).toEqual([200, { status: 'ok' }])
  const page = await probe({ headers: {} })
  expect([page.status, await page.text()]).toEqual([200, 'ok'])
  const head = await probe({ method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await probe({ method: 'POST' })).status).toBe(405)
  expect(logged).toEqual([])
})

test('asks once for all who probe, and tells it again for a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let finish = () => {}
  answer = () => new Promise<void>((resolve) => (finish = resolve))
  const asked = Array.from({ length: 200 }, () => probe())
  finish()
  for (const one of asked) expect((await one).status).toBe(200)
  await probe()
  expect(pings).toBe(1)
  answer = () => Promise.reject(new Error('connect ECONNREFUSED db.internal:5432'))
  vi.advanceTimersByTime(1000)
  expect((await probe()).status).toBe(503)
  expect(pings).toBe(2)
})

test('a store that is away: 503, and its reason is for the log alone, once', async () => {
  answer = () => Promise.reject(new Error('connect ECONNREFUSED db.internal:5432'))
  const [said, again, page] = await Promise.all([probe(), probe(), probe({ headers: {} })])
  expect(said.status).toBe(503)
  expect(Object.fromEntries(said.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'retry-after': '5',
  })
  expect(await said.json()).toMatchObject({
    status: 503,
    title: 'Temporarily unavailable',
    detail: 'A database of the panel does not answer',
  })
  expect([again.status, page.status]).toEqual([503, 503])
  expect(await page.text()).not.toContain('db.internal')
  expect(logged).toMatchObject([{ method: 'GET', path: '/admin/ready', message: 'connect ECONNREFUSED db.internal:5432' }])
})

test('a store that never answers: 503 all the same', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  answer = () => new Promise(() => {})
  const asked = probe()
  await vi.advanceTimersByTimeAsync(2000)
  expect((await asked).status).toBe(503)
  expect(logged).toMatchObject([{ message: 'A database has not answered a probe within 2000 ms' }])
})

/** The status of an answer, and whether its connection ends with it. */
const over = (url: string, path: string) =>
  new Promise<[status: number | undefined, connection: string | undefined]>((resolve, reject) => {
    get(`${url}/admin/${path}`, { headers: { accept: 'application/json' } }, (response) => {
      response.resume().on('end', () => resolve([response.statusCode, response.headers.connection]))
    }).on('error', reject)
  })

test('while it is being stopped: 503, though it goes on serving until balancers have learned it', async () => {
  const { url, close } = await panel.listen({ port: 0 })
  expect(await over(url, 'ready')).toEqual([200, 'keep-alive'])
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const closing = close({ drain: 60 })
  expect(await over(url, 'ready')).toEqual([503, 'close'])
  expect(await over(url, 'health')).toEqual([200, 'close'])
  await vi.advanceTimersByTimeAsync(61_000)
  await closing
  await expect(over(url, 'health')).rejects.toThrow('ECONNREFUSED')
  expect((await probe()).status).toBe(200)
  await panel.close()
  expect(await (await probe()).json()).toMatchObject({ status: 503, detail: 'The panel is being stopped' })
  expect(logged).toEqual([])
})
