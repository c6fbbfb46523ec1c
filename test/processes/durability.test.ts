import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type NotesDatabase, type Process, startProcess } from './start.js'

const soak = process.env.SOAK === '1'
const rounds = soak ? 20 : 2
const headers = { accept: 'application/json', 'content-type': 'application/json' }

const send = (url: string, method: string, path: string, json?: object, more: Record<string, string> = {}) =>
  fetch(`${url}/admin/resource/notes/${path}`, {
    method,
    headers: { ...headers, ...more },
    ...(json && { body: JSON.stringify(json) }),
  })

describe.each(Object.entries(databases))('over %s', (name, open) => {
  let database: NotesDatabase
  let running: Process | undefined
  beforeEach(async () => {
    database = await open()
    running = undefined
  })
  afterEach(async () => {
    await running?.kill()
    await database.remove()
  })

  test(`killed ${rounds} times under load: what was acknowledged is there`, { timeout: 600_000 }, async () => {
    const acknowledged = new Set<string>()
    const starts: number[] = []
    for (let round = 0; round < rounds; round++) {
      const one = await startProcess(database.url, { OPEN: '1' })
      running = one
      starts.push(Math.round(one.ready))
      const goal = acknowledged.size + 60
      const writer = async (writer: number) => {
        for (let i = 0; ; i++) {
          const code = `${round}-${writer}-${i}`
          const answer = await send(one.url, 'POST', 'crud', { code }).catch(() => null)
          if (answer === null) return
          expect(answer.status).toBe(201)
          acknowledged.add(code)
        }
      }
      const writers = Array.from({ length: 8 }, (_, i) => writer(i))
      while (acknowledged.size < goal) await Promise.race([sleep(5), ...writers])
      await one.kill()
      await Promise.all(writers)
      const stored = await database.codes()
      for (const code of acknowledged) expect(stored).toContain(code)
      expect(await database.integrity()).toBe('ok')
    }
    running = await startProcess(database.url, { OPEN: '1' })
    const { meta } = (await (await send(running.url, 'GET', 'crud')).json()) as { meta: { total: number } }
    expect(meta.total).toBe((await database.codes()).size)
    console.log(`${name}: ready after ${starts.join(', ')} ms; ${acknowledged.size} writes acknowledged, none lost`)
    if (soak) expect(Math.max(...starts)).toBeLessThan(2000)
  })

  test('of 50 parallel writers none fails, no update is lost, and a unique value has one winner', { timeout: 120_000 }, async () => {
    running = await startProcess(database.url, { OPEN: '1' })
    const { url } = running
    expect((await send(url, 'POST', 'crud', { code: 'shared', n: 0 })).status).toBe(201)
    const statuses = new Set<number>()
    const all = Array.from({ length: 50 }, (_, i) => i)
    // Each reads the number and writes the next, if nobody was quicker; else once more.
    const add = async () => {
      for (;;) {
        const read = await send(url, 'GET', 'crud/1')
        const { data } = (await read.json()) as { data: { n: number } }
        const written = await send(url, 'PATCH', 'crud/1', { n: data.n + 1 }, { 'if-match': read.headers.get('etag') ?? '' })
        await written.arrayBuffer()
        statuses.add(written.status)
        if (written.status === 200) return
      }
    }
    await Promise.all(all.map(add))
    expect([...statuses].filter((status) => status !== 200 && status !== 412)).toEqual([])
    expect(((await (await send(url, 'GET', 'crud/1')).json()) as { data: { n: number } }).data.n).toBe(50)
    const claims = await Promise.all(all.map(() => send(url, 'POST', 'crud', { code: 'the one' }).then(({ status }) => status)))
    expect(claims.filter((status) => status === 201)).toHaveLength(1)
    expect(claims.filter((status) => status === 409)).toHaveLength(49)
  })
})
