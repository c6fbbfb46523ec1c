import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { databases, type NotesDatabase, type Process, startProcess } from './start.js'

let database: NotesDatabase
let first: Process
let second: Process
beforeAll(async () => {
  database = await databases.PostgreSQL()
  // At once, over a database that has none of the panel's tables yet.
  const started = await Promise.all([startProcess(database.url), startProcess(database.url)])
  first = started[0]
  second = started[1]
})
afterAll(async () => {
  await first?.kill()
  await second?.kill()
  await database?.remove()
})

const ask = (
  process: Process,
  path: string,
  { method = 'GET', cookie = '', json }: { method?: string; cookie?: string; json?: object } = {},
) =>
  fetch(`${process.url}/admin${path}`, {
    method,
    redirect: 'manual',
    headers: { accept: 'application/json', ...(cookie && { cookie }), ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  })
async function signIn(process: Process, username = 'admin', password = 'correct horse battery') {
  const answer = await ask(process, '/authenticate', { method: 'POST', json: { username, password } })
  return { status: answer.status, cookie: answer.headers.getSetCookie().join().split(';')[0] ?? '' }
}
const list = '/resource/notes/crud'
const status = async (process: Process, cookie: string) => (await ask(process, list, { cookie })).status

test('a session of one holds in the other, and ends in both at once', async () => {
  const { cookie } = await signIn(first)
  expect([await status(first, cookie), await status(second, cookie)]).toEqual([200, 200])
  expect((await ask(second, '/logout', { method: 'POST', cookie, json: {} })).status).toBe(200)
  expect([await status(first, cookie), await status(second, cookie)]).toEqual([401, 401])
})

test('what one writes the other reads, and a form of one is taken by the other', async () => {
  const { cookie } = await signIn(first)
  expect((await ask(first, list, { method: 'POST', cookie, json: { code: 'from the first' } })).status).toBe(201)
  expect(await (await ask(second, list, { cookie })).text()).toContain('from the first')
  const page = await fetch(`${first.url}/admin${list}`, { headers: { cookie, accept: 'text/html' } })
  const token = /<meta name="csrf-token" content="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const sent = await fetch(`${second.url}/admin${list}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, accept: 'text/html' },
    body: new URLSearchParams({ code: 'by a form', _token: token }),
  })
  expect(sent.status).toBe(303)
})

test('a user who is switched off by one is out of the other', async () => {
  const admin = (await signIn(first)).cookie
  const editor = (await signIn(second, 'editor')).cookie
  expect(await status(second, editor)).toBe(200)
  const { data } = (await (await ask(first, '/resource/users/crud?search=editor', { cookie: admin })).json()) as { data: { id: number }[] }
  expect(
    (await ask(first, `/resource/users/crud/${data[0]?.id}`, { method: 'PATCH', cookie: admin, json: { active: false } })).status,
  ).toBe(200)
  expect([await status(second, editor), (await signIn(second, 'editor')).status]).toEqual([401, 401])
})

test('failures are counted together', async () => {
  const all: number[] = []
  for (let i = 0; i < 6; i++) all.push((await signIn(i % 2 ? first : second, 'nobody', 'wrong wrong wrong')).status)
  expect(all).toEqual([401, 401, 401, 401, 401, 429])
  const refused = [await signIn(first, 'nobody', 'x'), await signIn(second, 'nobody', 'x')]
  expect(refused.map((one) => one.status)).toEqual([429, 429])
})

interface Job {
  readonly id: string
  readonly state: string
  readonly done: number
  readonly cancelling: boolean
}

/** A job over 1,200 records that the first process runs, once its first batch is done; seen from the second. */
async function startJob(cookie: string): Promise<Job> {
  const { meta } = (await (await ask(first, list, { cookie })).json()) as { meta: { total: number } }
  const started = await ask(first, `/resource/notes/handler/slow?_all=1&_total=${meta.total}`, { method: 'POST', cookie, json: {} })
  expect(started.status).toBe(202)
  const { data } = (await started.json()) as { data: Job }
  return jobUntil(data.id, cookie, ({ done }) => done === 500)
}

async function jobUntil(id: string, cookie: string, is: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const answer = await ask(second, `/job/${id}`, { cookie })
    expect(answer.status).toBe(200)
    const { data } = (await answer.json()) as { data: Job }
    if (is(data)) return data
    await sleep(20)
  }
}

test('a long job of one is seen and cancelled in the other', { timeout: 60_000 }, async () => {
  await database.run("insert into notes (code) select 'row ' || i from generate_series(1, 1200) i")
  const { cookie } = await signIn(first)
  const { id } = await startJob(cookie)
  const asked = await ask(second, `/job/${id}`, { method: 'DELETE', cookie })
  expect(((await asked.json()) as { data: Job }).data).toMatchObject({ state: 'running', cancelling: true })
  first.go()
  expect(await jobUntil(id, cookie, ({ state }) => state !== 'running')).toMatchObject({ state: 'cancelled', done: 1000 })
})

test('where one has gone, the other goes on, and the next that starts says that its job was interrupted', { timeout: 60_000 }, async () => {
  const { cookie } = await signIn(first)
  const { id } = await startJob(cookie)
  await first.kill()
  expect(await status(second, cookie)).toBe(200)
  first = await startProcess(database.url)
  const told = async () =>
    ((await (await ask(second, '/notifications', { cookie })).json()) as { data: { text: string; link: string }[] }).data
  await vi.waitFor(
    async () => expect((await told())[0]).toMatchObject({ text: 'Slow: Interrupted: the server process ended', link: `/admin/job/${id}` }),
    10_000,
  )
  expect(await jobUntil(id, cookie, ({ state }) => state !== 'running')).toMatchObject({ state: 'interrupted', done: 500 })
})
