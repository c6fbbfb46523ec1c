import { describe, expect, it } from 'vitest'
import type { Reply } from '../face/face.js'
import { shorten } from './conditional.js'

const record: Reply = {
  status: 200,
  headers: { 'content-type': 'application/json', etag: '"a"', vary: 'Accept', 'cache-control': 'private, no-cache', 'x-request-id': 'r' },
  body: '{"é":1}',
}
const ask = (method: string, ifNoneMatch?: string) =>
  new Request('http://localhost/', { method, headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch } })

describe('an answer', () => {
  it('is whole for who has none or another one', () => {
    expect(shorten(record, ask('GET'))).toBe(record)
    expect(shorten(record, ask('GET', '"b"'))).toBe(record)
    expect(shorten({ ...record, headers: {} }, ask('GET', '"a"')).status).toBe(200)
  })
  it('is a 304 for who has it', () => {
    const { 'content-type': _, ...kept } = record.headers
    expect(shorten(record, ask('GET', '"a"'))).toEqual({ status: 304, headers: kept, body: null })
    expect(shorten(record, ask('HEAD', '"a"')).status).toBe(304)
  })
  it('is whole for who has it where it contains more than its ETag covers', () => {
    const more = { ...record, more: true }
    expect(shorten(more, ask('GET', '"a"'))).toBe(more)
    expect(shorten(more, ask('HEAD', '"a"'))).toMatchObject({ status: 200, body: null })
  })
  it('is never a 304 for what changed something, or went wrong', () => {
    expect(shorten(record, ask('PUT', '"a"'))).toBe(record)
    expect(shorten({ ...record, status: 412 }, ask('GET', '"a"')).status).toBe(412)
  })
  it('has no body for HEAD, but its length', () => {
    expect(shorten(record, ask('HEAD'))).toEqual({ ...record, headers: { ...record.headers, 'content-length': '8' }, body: null })
    async function* texts() {
      yield 'x'
    }
    expect(shorten({ ...record, body: texts() }, ask('HEAD'))).toEqual({ ...record, body: null })
  })
})
