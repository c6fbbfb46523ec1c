import { describe, expect, it } from 'vitest'
import type { Reply } from '../face/face.js'
import { conditionalReply } from './conditional.js'

const record: Reply = {
  status: 200,
  headers: { 'content-type': 'application/json', etag: '"a"', vary: 'Accept', 'cache-control': 'private, no-cache', 'x-request-id': 'r' },
  body: '{"é":1}',
}
const ask = (method: string, ifNoneMatch?: string) =>
  new Request('http://localhost/', { method, headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch } })

describe('an answer', () => {
  it('is whole for who has none or another one', () => {
    expect(conditionalReply(record, ask('GET'))).toBe(record)
    expect(conditionalReply(record, ask('GET', '"b"'))).toBe(record)
    expect(conditionalReply({ ...record, headers: {} }, ask('GET', '"a"')).status).toBe(200)
  })
  it('is a 304 for who has it', () => {
    const { 'content-type': _, ...kept } = record.headers
    expect(conditionalReply(record, ask('GET', '"a"'))).toEqual({ status: 304, headers: kept, body: null })
    expect(conditionalReply(record, ask('HEAD', '"a"')).status).toBe(304)
  })
  it('is whole for who has it where it contains more than its ETag covers', () => {
    const more = { ...record, more: true }
    expect(conditionalReply(more, ask('GET', '"a"'))).toBe(more)
    expect(conditionalReply(more, ask('HEAD', '"a"'))).toMatchObject({ status: 200, body: null })
  })
  it('is never a 304 for what changed something, or went wrong', () => {
    expect(conditionalReply(record, ask('PUT', '"a"'))).toBe(record)
    expect(conditionalReply({ ...record, status: 412 }, ask('GET', '"a"')).status).toBe(412)
  })
  it('has no body for HEAD, but its length', () => {
    expect(conditionalReply(record, ask('HEAD'))).toEqual({ ...record, headers: { ...record.headers, 'content-length': '8' }, body: null })
    async function* texts() {
      yield 'x'
    }
    expect(conditionalReply({ ...record, body: texts() }, ask('HEAD'))).toEqual({ ...record, body: null })
  })
})
