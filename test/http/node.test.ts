import { afterEach, describe, expect, it } from 'vitest'
import type { PanelCall } from '../../src/crud/call/call.js'
import type { Outcome } from '../../src/crud/outcomes/outcome.js'
import { type Listening, listen } from '../../src/http/node.js'
import { fakeApp } from './fake-app.js'
import { raw } from './raw.js'

const healthy: Outcome = { is: 'healthy' }
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

let server: Listening | undefined
let app: ReturnType<typeof fakeApp>
afterEach(async () => {
  await server?.close()
  server = undefined
  // Nothing in this file is our fault, however rude the client.
  expect(app.log).toEqual([])
})

async function serve(...given: Parameters<typeof fakeApp>): Promise<Listening> {
  app = fakeApp(...given)
  server = await listen(app.answer, { host: '127.0.0.1', port: 0, log: (entry) => app.log.push(entry) })
  return server
}

const ok = async () => healthy
const head = (method: string, path: string, ...lines: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: application/json', ...lines].join('\r\n')}\r\n\r\n`
/** The status of the problem that an answer holds, which is all that it holds. */
function problemIn(answer: string): number {
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  expect(headers).toMatch(/^content-type: application\/problem\+json$/im)
  expect(headers).toMatch(new RegExp(`^content-length: ${body.length}$`, 'im'))
  const { type, title, detail, message, requestId, status } = JSON.parse(body)
  expect([type, title, detail, message, requestId]).toEqual([
    expect.stringMatching(/^urn:daymark:error:[a-zA-Z]+$/),
    expect.any(String),
    message,
    expect.stringMatching(/./),
    /^x-request-id: (\S+)$/im.exec(headers)?.[1],
  ])
  return status
}
const answers = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

describe('over a socket', () => {
  it('answers, and HEAD likewise but for the body', async () => {
    const { url } = await serve({ ok })
    const get = await fetch(`${url}/admin/ok`, { headers: { accept: 'application/json' } })
    const onlyHead = await fetch(`${url}/admin/ok`, { method: 'HEAD', headers: { accept: 'application/json' } })
    const headers = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)))
    expect(await get.json()).toEqual({ status: 'ok' })
    expect(headers(get)).toMatchObject({ 'content-type': 'application/json', 'content-length': '15', vary: 'Accept' })
    expect(onlyHead.status).toBe(200)
    expect(headers(onlyHead)).toEqual(headers(get))
    expect(await onlyHead.text()).toBe('')
  })

  it.each(['plain', 'größer — 𝒾'])('sends each character of a text as it is: %s', async (text) => {
    const { url } = await serve({ text: async (): Promise<Outcome> => ({ is: 'answered', data: { text }, view: null }) })
    const answer = await fetch(`${url}/admin/text`, { headers: { accept: 'application/json' } })
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(JSON.stringify({ text }))))
    expect(await answer.json()).toEqual({ text })
  })

  it('takes a request with two hosts for none', async () => {
    const { url } = await serve({ ok })
    const client = await raw(url)
    client.send(head('GET', '/admin/ok', 'Host: elsewhere.example', 'Connection: close'))
    expect(answers(await client.ended())).toEqual([400])
  })

  it('answers pipelined requests in their order', async () => {
    const { url } = await serve({ ok, slow: async () => wait(50).then(() => healthy) })
    const client = await raw(url)
    client.send(
      head('GET', '/admin/slow') +
        head('GET', '/admin/none') +
        head('HEAD', '/admin/ok') +
        head('OPTIONS', '/admin/ok', 'Connection: close'),
    )
    expect(answers(await client.ended())).toEqual([200, 404, 200, 204])
  })

  it('waits for a slow client', async () => {
    const seen: PanelCall[] = []
    const { url } = await serve({
      take: async (call) => {
        seen.push(call)
        return healthy
      },
    })
    const client = await raw(url)
    for (const char of head('POST', '/admin/take', 'Content-Type: application/json', 'Content-Length: 7', 'Connection: close')) {
      client.send(char)
      await wait(0)
    }
    for (const char of '{"a":1}') {
      client.send(char)
      await wait(2)
    }
    expect(answers(await client.ended())).toEqual([200])
    expect(seen[0]?.input.body).toEqual({ from: 'json', fields: new Map([['a', 1]]) })
  })

  it('reads a chunked body, and says to go on to who asks first', async () => {
    const seen: PanelCall[] = []
    const { url } = await serve({
      take: async (call) => {
        seen.push(call)
        return healthy
      },
    })
    const client = await raw(url)
    client.send(
      head(
        'POST',
        '/admin/take',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Expect: 100-continue',
        'Connection: close',
      ),
    )
    await client.until(/^HTTP\/1\.1 100/)
    client.send('3\r\n{"a\r\n')
    await wait(5)
    client.send('4\r\n":1}\r\n0\r\n\r\n')
    expect(answers(await client.ended())).toEqual([100, 200])
    expect(seen[0]?.input.body).toEqual({ from: 'json', fields: new Map([['a', 1]]) })
  })

  it.each(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
    'does not mind a client that leaves in the middle of a body: %s',
    async (length) => {
      let ran = 0
      const { url } = await serve({
        ok,
        take: async () => {
          ran += 1
          return healthy
        },
      })
      const client = await raw(url)
      client.send(`${head('POST', '/admin/take', 'Content-Type: application/json', length)}5\r\n{"a":\r\n`)
      await wait(30)
      client.socket.resetAndDestroy()
      await wait(30)
      expect(ran).toBe(0)
      expect((await fetch(`${url}/admin/ok`)).status).toBe(200)
    },
  )

  it('does not mind a client that leaves before the answer', async () => {
    let finish = () => {}
    const { url } = await serve({ ok, slow: () => new Promise((resolve) => (finish = () => resolve(healthy))) })
    const client = await raw(url)
    client.send(head('GET', '/admin/slow'))
    await wait(30)
    client.socket.resetAndDestroy()
    await wait(10)
    finish()
    await wait(10)
    expect((await fetch(`${url}/admin/ok`)).status).toBe(200)
  })

  it('refuses a body that is too large by what it says, without a byte of it', async () => {
    const { url } = await serve({ take: ok }, { limits: { body: 1000 } })
    const client = await raw(url)
    client.send(head('POST', '/admin/take', 'Content-Type: application/json', 'Content-Length: 1001'))
    await client.until(/HTTP\/1\.1 413 .*error:tooLarge/s)
    client.socket.destroy()
  })

  it('refuses a chunked body once it is too large, and reads no endless rest of it', async () => {
    const { url } = await serve({ ok, take: ok }, { limits: { body: 100_000 } })
    const client = await raw(url)
    client.send(head('POST', '/admin/take', 'Content-Type: application/json', 'Transfer-Encoding: chunked'))
    const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`
    let sent = 0
    const pump = setInterval(() => {
      sent += 1
      client.send(chunk)
    }, 1)
    await client.until(/HTTP\/1\.1 413 .*error:tooLarge/s)
    await client.ended()
    clearInterval(pump)
    expect(sent).toBeLessThan(2000)
    expect((await fetch(`${url}/admin/ok`)).status).toBe(200)
  })

  it('goes on with a connection whose body was refused', async () => {
    const { url } = await serve({ ok, take: ok }, { limits: { body: 10 } })
    const client = await raw(url)
    client.send(`${head('POST', '/admin/take', 'Content-Type: application/json', 'Content-Length: 20')}${'x'.repeat(20)}`)
    await client.until(/ 413 .*tooLarge/s)
    client.send(head('GET', '/admin/ok', 'Connection: close'))
    expect(answers(await client.ended())).toEqual([413, 200])
  })

  it.each<[what: string, text: string, status: number]>([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no host', 'GET /admin/ok HTTP/1.1\r\n\r\n', 400],
    ['no host in HTTP/1.0, which knows none', 'GET /admin/ok HTTP/1.0\r\n\r\n', 200],
    ['an impossible host', 'GET /admin/ok HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['a port that no URL holds', 'GET /admin/ok HTTP/1.1\r\nHost: localhost:99999\r\nConnection: close\r\n\r\n', 400],
    ['an address that no URL holds', 'GET /admin/ok HTTP/1.1\r\nHost: 1.2.3.999\r\nConnection: close\r\n\r\n', 400],
    ['a foreign host', 'GET /admin/ok HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 421],
    [
      'a foreign host by an absolute address',
      'GET http://evil.example/admin/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      421,
    ],
    ['an absolute address', 'GET http://localhost/admin/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 200],
    ['two lengths', 'POST /admin/ok HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST /admin/ok HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a bad chunk',
      'POST /admin/ok HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['a line break in a header', 'GET /admin/ok HTTP/1.1\r\nHost: localhost\r\nX: a\nb\r\n\r\n', 400],
    ['a header of no name', 'GET /admin/ok HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n', 400],
    ['no path', 'GET admin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['a method that we do not have', 'TRACE /admin/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 405],
    ['a method that does not exist', 'BREW /admin/ok HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['headers without end', `GET /admin/ok HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an expectation that nobody knows', 'POST /admin/ok HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\n\r\n', 417],
    ['HTTP/1.0', 'GET /admin/ok HTTP/1.0\r\nHost: localhost\r\n\r\n', 200],
    ['a NUL in the path', 'GET /admin/o\0k HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['raw UTF-8 in the path', 'GET /admin/\xc3\xa9 HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['steps up in the path', 'GET /admin/../admin/./ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 200],
  ])('%s: %s', async (_what, text, status) => {
    const { url } = await serve({ ok })
    const client = await raw(url)
    client.socket.write(text, 'latin1')
    const answer = await client.ended()
    expect(answers(answer)).toEqual([status])
    if (status >= 400) expect(problemIn(answer)).toEqual(status)
    expect(answer).not.toMatch(/\.(?:js|ts|mjs)\b|node_modules|at .*:\d+/)
  })

  it('does not write into an answer that has begun, whatever comes behind its request', async () => {
    async function* texts() {
      yield 'first'
      await wait(100)
      yield 'last'
    }
    const { url } = await serve({ stream: ok }, { present: { healthy: () => ({ status: 200, headers: {}, body: texts() }) } })
    const client = await raw(url)
    client.send(head('GET', '/admin/stream'))
    await client.until(/first/)
    client.send('nonsense\r\n\r\n')
    expect(answers(await client.ended())).toEqual([200])
  })

  it('writes a stream as fast as it is read, and no faster', async () => {
    let made = 0
    let stopped = false
    async function* texts() {
      try {
        for (; made < 10_000; made++) yield 'x'.repeat(10_000)
      } finally {
        stopped = true
      }
    }
    const { url } = await serve({ stream: ok }, { present: { healthy: () => ({ status: 200, headers: {}, body: texts() }) } })
    const client = await raw(url)
    client.socket.pause()
    client.send(head('GET', '/admin/stream'))
    await wait(300)
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(5000)
    client.socket.destroy()
    await wait(50)
    expect(stopped).toBe(true)
    expect(made).toBeLessThan(5000)
  })
})

describe('what breaks after the first byte', () => {
  it('aborts the connection and is ours to know', async () => {
    async function* texts() {
      yield 'first'
      await wait(20)
      throw new Error('the disk is gone')
    }
    const { url } = await serve({ stream: ok }, { present: { healthy: () => ({ status: 200, headers: {}, body: texts() }) } })
    const client = await raw(url)
    client.send(head('GET', '/admin/stream'))
    const answer = await client.ended()
    expect(answer).toContain('first')
    // The last chunk is missing, so nobody takes it for the whole.
    expect(answer).not.toMatch(/0\r\n\r\n$/)
    expect(answer).not.toContain('disk')
    expect(app.log.splice(0)).toMatchObject([{ level: 'error', message: 'the disk is gone', path: '/admin/stream' }])
  })
})

describe('closing', () => {
  it('finishes what is in flight, drops who is idle or silent, and takes nothing new', async () => {
    let finish = () => {}
    const { url, close } = await serve({ ok, slow: () => new Promise((resolve) => (finish = () => resolve(healthy))) })
    const [busy, idle, silent] = await Promise.all([raw(url), raw(url), raw(url)])
    idle.send(head('GET', '/admin/ok'))
    await idle.until(/"ok"/)
    busy.send(head('GET', '/admin/slow'))
    await wait(30)
    const started = performance.now()
    let closed = false
    const closing = close().then(() => (closed = true))
    await Promise.all([idle.ended(), silent.ended()])
    await expect(raw(url)).rejects.toThrow('ECONNREFUSED')
    expect(closed).toBe(false)
    finish()
    const answer = await busy.ended()
    expect(answers(answer)).toEqual([200])
    expect(answer).toContain('{"status":"ok"}')
    // Or else a proxy would send the next request on it.
    expect(answer.toLowerCase()).toContain('connection: close')
    await closing
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('answers what was under way on a connection that was idle', async () => {
    const { url, close } = await serve({ ok })
    const client = await raw(url)
    client.send(head('GET', '/admin/ok'))
    await client.until(/"ok"/)
    const closing = close()
    client.send(head('GET', '/admin/ok'))
    const answer = await client.ended()
    expect(answers(answer)).toEqual([200, 200])
    expect(answer.toLowerCase()).toContain('connection: close')
    await closing
  })

  it('finishes a body that is still coming', async () => {
    const { url, close } = await serve({ take: ok })
    const client = await raw(url)
    client.send(`${head('POST', '/admin/take', 'Content-Type: application/json', 'Content-Length: 7')}{"a"`)
    await wait(30)
    const closing = close()
    await wait(30)
    client.send(':1}')
    expect(answers(await client.ended())).toEqual([200])
    await closing
  })

  it('answers all that were sent one behind the other', async () => {
    let finish = () => {}
    const { url, close } = await serve({ ok, slow: () => new Promise((resolve) => (finish = () => resolve(healthy))) })
    const client = await raw(url)
    client.send(head('GET', '/admin/slow') + head('GET', '/admin/ok'))
    await wait(30)
    const closing = close()
    await wait(30)
    finish()
    expect(answers(await client.ended())).toEqual([200, 200])
    await closing
  })

  it('gets a long answer to a slow reader, and the one behind it', async () => {
    const long = 8_000_000
    const { url, close } = await serve({ ok, long: async () => ({ is: 'answered', data: { text: 'x'.repeat(long) }, view: null }) })
    const client = await raw(url)
    client.socket.pause()
    client.send(head('GET', '/admin/long') + head('GET', '/admin/ok'))
    await wait(100)
    const closing = close()
    await wait(100)
    client.socket.resume()
    const text = await client.ended()
    expect(answers(text)).toEqual([200, 200])
    expect(text.length).toBeGreaterThan(long)
    await closing
  })

  it('may be asked twice', async () => {
    const { close } = await serve({ ok })
    await Promise.all([close(), close()])
  })
})

describe('a port that cannot be had', () => {
  it('is named, with a way on', async () => {
    const { url } = await serve({ ok })
    const port = Number(new URL(url).port)
    await expect(listen(app.answer, { host: '127.0.0.1', port, log: () => {} })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`)
    await expect(listen(app.answer, { host: '192.0.2.1', port: 0, log: () => {} })).rejects.toThrow('no address 192.0.2.1')
  })
})
