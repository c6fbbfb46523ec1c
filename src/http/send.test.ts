import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import type { Reply } from '../face/face.js'
import { responseOf, write } from './send.js'

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
const reply = (length: number, ...texts: string[]): Reply => ({
  status: 200,
  headers: { 'content-length': String(length) },
  body: pieces(...texts),
})

/** What two requests over one connection get, as bytes, until the server ends it or both are answered. */
async function answered(first: Reply): Promise<string> {
  const replies = [first, reply(2, 'ok')]
  const server = createServer((_, outgoing) => {
    Promise.resolve(write(replies.shift() as Reply, outgoing)).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let got = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      got += bytes
      if (got.endsWith('ok')) resolve()
    })
    socket.on('close', () => resolve())
    const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
    socket.write(get + get)
  })
  socket.destroy()
  server.close()
  return got
}

test('a body that is longer than announced is cut, and the next answer is whole', async () => {
  const got = await answered(reply(5, 'abc', 'defg', 'h'))
  expect(got.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(got).toMatch(/\r\n\r\nabcdeHTTP\/1\.1 200 OK/)
})

test('a body that is shorter than announced ends the connection', async () => {
  expect(await answered(reply(5, 'abc'))).not.toContain('ok')
})

test('a Response has no more than announced, and fails if it has less', async () => {
  const broken: unknown[] = []
  const text = (one: Reply) => responseOf(one, (thrown) => broken.push(thrown)).text()
  expect(await text(reply(5, 'abc', 'defg', 'h'))).toBe('abcde')
  await expect(text(reply(5, 'abc'))).rejects.toThrow()
  expect(broken).toHaveLength(1)
})
