import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { atlasFixture } from './support/atlas.js'
import { freePort } from './support/free-port.js'
import { openDatabase } from './support/postgresql-shared.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const stack = /^\s+at /m
const running = new Set<ChildProcess>()
let atlas: Awaited<ReturnType<typeof atlasFixture>>

beforeAll(async () => {
  atlas = await atlasFixture()
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(() => atlas?.remove())

describe('npm start', { timeout: 240_000 }, () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('prints the URL, answers there, and ends in 0 upon %s', async (signal) => {
    const port = await freePort()
    const npm = start('npm', ['start'], port)
    await npm.says(`http://127.0.0.1:${port}/admin`)
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeLessThan(500)
    npm.child.kill(signal)
    expect(await npm.ended).toEqual([0, null])
  })

  // A Ctrl-C arrives twice: from the terminal, and again from npm.
  test('answers what is in flight before it ends, and takes two SIGINTs in a row for one', async () => {
    const port = await freePort()
    const node = start(process.execPath, ['scripts/start.mjs'], port)
    await node.says(`http://127.0.0.1:${port}/admin`)
    const socket = connect(port, '127.0.0.1')
    const head = ['POST /admin/authenticate HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: close']
    const expectation = ['Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 2']
    socket.write([...head, 'Accept: application/json', ...expectation, '', '{'].join('\r\n'))
    await once(socket, 'data') // "100 Continue": the request is in flight
    node.child.kill('SIGINT')
    await setTimeout(50)
    node.child.kill('SIGINT')
    await setTimeout(200)
    expect(node.child.exitCode).toBeNull()
    socket.write('}')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 [24]\d\d /)
    expect(await node.ended).toEqual([0, null])
    socket.destroy()
  })

  test('says what to do when the port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const node = start(process.execPath, ['scripts/start.mjs'], port)
    expect(await node.ended).toEqual([1, null])
    expect(node.output()).toMatch(new RegExp(`^Port ${port} .*taken`, 'm'))
    expect(node.output()).not.toMatch(stack)
    holder.close()
  })

  test.each([
    [{}, 'daymark-atlas', '127.0.0.1'],
    [{ ADMIN_PASSWORD: 'only for this one test', HOST: '0.0.0.0' }, 'only for this one test', 'localhost'],
    [{ JWT_SECRET: Buffer.alloc(32, 5).toString('base64') }, 'daymark-atlas', '127.0.0.1'],
  ])('has users of every role: %j', async (env, password, host) => {
    const port = await freePort()
    const node = start(process.execPath, ['scripts/start.mjs'], port, env)
    await node.says('Sign in')
    expect(node.output()).toContain('admin@example.com, editor@example.com, reader@example.com, nobody@example.com')
    expect(node.output()).toContain(password === 'daymark-atlas' ? 'password: daymark-atlas' : 'password: ADMIN_PASSWORD')
    const panel = `http://${host}:${port}/admin`
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    const deleting: Record<string, number> = {}
    for (const who of ['admin', 'editor', 'reader', 'nobody']) {
      const body = JSON.stringify({ username: `${who}@example.com`, password })
      const answer = await fetch(`${panel}/authenticate`, { method: 'POST', headers: json, body })
      expect(answer.status).toBe(200)
      const { token } = (await answer.json()) as { token?: string }
      expect(token !== undefined).toBe('JWT_SECRET' in env)
      const cookie = answer.headers.getSetCookie().join().split(';')[0] ?? ''
      const as = { ...json, ...(token === undefined ? { cookie } : { authorization: `Bearer ${token}` }) }
      expect((await fetch(`${panel}/resource/cities/crud`, { headers: as })).status).toBe(who === 'nobody' ? 403 : 200)
      deleting[who] = (await fetch(`${panel}/resource/cities/crud/999999999`, { method: 'DELETE', headers: as })).status
    }
    expect(deleting).toEqual({ admin: 404, editor: 403, reader: 403, nobody: 403 })
    expect((await fetch(`${panel}/resource/cities/crud`, { headers: json })).status).toBe(401)
    node.child.kill('SIGTERM')
    expect(await node.ended).toEqual([0, null])
  })

  test('seeds and serves a PostgreSQL database', async () => {
    const { url, drop } = await openDatabase()
    const port = await freePort()
    const node = start(process.execPath, ['scripts/start.mjs'], port, { DATABASE_URL: url })
    await node.says('Sign in')
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'reader@example.com', password: 'daymark-atlas' })
    const answer = await fetch(`http://127.0.0.1:${port}/admin/authenticate`, { method: 'POST', headers: json, body })
    const cookie = answer.headers.getSetCookie().join().split(';')[0] ?? ''
    const list = await fetch(`http://127.0.0.1:${port}/admin/resource/cities/crud`, { headers: { ...json, cookie } })
    expect(((await list.json()) as { meta: { total: number } }).meta.total).toBe(135_233)
    node.child.kill('SIGTERM')
    expect(await node.ended).toEqual([0, null])
    await drop()
  })

  test.each([
    [{ PORT: 'http' }, /^PORT is "http": set it to a number/m],
    [{ HOST: '192.0.2.1' }, /default password, so with it the demo listens on loopback only, not on 192\.0\.2\.1. Set ADMIN_PASSWORD/],
    [{ HOST: '192.0.2.1', OPEN: '1' }, /loopback only, not on 192\.0\.2\.1/],
    [{ ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD must have at least 12 characters/m],
    [{ JWT_SECRET: 'short' }, /JWT_SECRET must be base64 of at least 32 bytes.*openssl rand -base64 32/],
    [
      { DATABASE_URL: 'mysql://localhost/atlas' },
      /^The World Atlas needs a database of the form sqlite:PATH or postgres:\/\/…, not mysql:/m,
    ],
  ])('says what to do about %j', async (env, text) => {
    const node = start(process.execPath, ['scripts/start.mjs'], await freePort(), env)
    expect(await node.ended).toEqual([1, null])
    expect(node.output()).toMatch(text)
    expect(node.output()).not.toMatch(stack)
  })
})

function start(command: string, args: string[], port: number, env: Record<string, string> = {}) {
  const settings = { PORT: String(port), DATABASE_URL: `sqlite:${atlas.path}`, ...env }
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...settings } })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'close').finally(() => running.delete(child))
  const says = async (text: string) => {
    while (!output.includes(text)) {
      await Promise.race([once(child.stdout, 'data'), ended])
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended without saying ${text}:\n${output}`)
    }
  }
  return { child, ended, says, output: () => output }
}
