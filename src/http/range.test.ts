import { expect, test } from 'vitest'
import { english, translator } from '../base/messages.js'
import type { Reply } from '../face/face.js'
import { ranged } from './range.js'

const letters = 'abcdefghij'
const etag = '"v1"'

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

async function ask(
  headers: Record<string, string>,
  { method = 'GET', of = letters } = {},
): Promise<[status: number, about: string, text: string]> {
  const parts = { size: of.length, of: (first: number, last: number) => bytesOf(of.slice(first, last + 1)) }
  const whole: Reply = { status: 200, headers: { etag, 'content-length': String(of.length) }, body: bytesOf(of), parts }
  try {
    const reply = ranged(whole, parts, { method, headers: new Headers(headers) }, translator(english))
    let text = ''
    for await (const bytes of reply.body as AsyncIterable<Uint8Array>) text += bytes
    expect(reply.headers['content-length']).toBe(String(text.length))
    return [reply.status, reply.headers['content-range'] ?? '', text]
  } catch (thrown) {
    const { status, headers: said } = thrown as { status: number; headers: Record<string, string> }
    return [status, said['content-range'] ?? '', '']
  }
}

test.each([
  ['bytes=0-0', 206, 'bytes 0-0/10', 'a'],
  ['bytes=2-4', 206, 'bytes 2-4/10', 'cde'],
  ['bytes=9-', 206, 'bytes 9-9/10', 'j'],
  ['bytes=0-', 206, 'bytes 0-9/10', letters],
  ['bytes=8-99999999999999999999', 206, 'bytes 8-9/10', 'ij'],
  ['bytes=-3', 206, 'bytes 7-9/10', 'hij'],
  ['bytes=-99', 206, 'bytes 0-9/10', letters],
  ['BYTES= 2-4 ', 206, 'bytes 2-4/10', 'cde'],
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=99999999999999999999-', 416, 'bytes */10', ''],
  ['bytes=-0', 416, 'bytes */10', ''],
  // Those that are none get the whole.
  ['bytes=4-2', 200, '', letters],
  ['bytes=-', 200, '', letters],
  ['bytes=', 200, '', letters],
  ['bytes=a-b', 200, '', letters],
  ['bytes=1-2x', 200, '', letters],
  ['bytes=1.5-2', 200, '', letters],
  ['bytes=0-1,4-5', 200, '', letters],
  ['lines=0-1', 200, '', letters],
])('%s', async (range, ...answer) => {
  expect(await ask({ range })).toEqual(answer)
})

test('an empty file has no range', async () => {
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(await ask({ range }, { of: '' })).toEqual([416, 'bytes */0', ''])
})

test('a part of another version is none', async () => {
  const range = 'bytes=2-4'
  expect((await ask({ range, 'if-range': etag }))[0]).toBe(206)
  for (const version of ['"v0"', `W/${etag}`, 'Wed, 25 Nov 2026 00:00:00 GMT'])
    expect(await ask({ range, 'if-range': version })).toEqual([200, '', letters])
  // Beyond the end of another version, there may be something.
  expect(await ask({ range: 'bytes=99-', 'if-range': '"v0"' })).toEqual([200, '', letters])
})

test('who has the file already, or asks for its head, gets no part', async () => {
  const range = 'bytes=99-'
  expect(await ask({ range, 'if-none-match': etag })).toEqual([200, '', letters])
  expect(await ask({ range }, { method: 'HEAD' })).toEqual([200, '', letters])
})
