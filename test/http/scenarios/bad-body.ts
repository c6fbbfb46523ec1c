import { gzipSync } from 'node:zlib'
import type { Ask, Scenario } from '../scenario.js'

type Sent = Pick<Ask, 'body' | 'parts' | 'form'> & { readonly type?: string; readonly headers?: Record<string, string> }

/** The same bad body, to each thing that reads one: nothing is written, and the answer is clear. */
const everywhere = (
  name: string,
  status: number,
  { type = 'application/json', headers = {}, ...sent }: Sent,
  fields?: readonly string[],
  says: readonly string[] = [],
): readonly Scenario[] =>
  (
    [
      ['POST', 'cities/crud', 'application/json'],
      ['POST', 'cities/crud', 'text/html'],
      ['PUT', 'cities/crud/1', 'application/json'],
      ['PATCH', 'cities/crud/1', 'application/json'],
      ['DELETE', 'cities/crud', 'application/json'],
    ] as const
  ).map(([method, path, accept]) => ({
    name: `${name}: ${method} ${accept}`,
    request: { method, path, headers: { accept, ...(!sent.parts && { 'content-type': type }), ...headers }, ...sent },
    status,
    headers: { 'content-type': accept === 'text/html' ? /^text\/html/ : 'application/problem+json' },
    ...(fields && accept !== 'text/html' && { fields }),
    says,
    next: [{ path: 'cities/crud/1', answers: { data: { name: 'Berlin' } } }],
  }))

export const badBody: readonly Scenario[] = [
  ...everywhere('malformed JSON', 400, { body: '{"name":' }),
  ...everywhere('not JSON at all', 400, { body: 'name=Lyon' }),
  ...everywhere('JSON that is no UTF-8', 400, { body: Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) }),
  ...everywhere('a list', 422, { body: '[{"name":"Lyon"}]' }, []),
  ...everywhere('null', 422, { body: 'null' }, []),
  ...everywhere('a name twice', 422, { body: '{"name":"a","name":"b"}' }, ['name']),
  ...everywhere('a name twice, deep inside', 422, { body: '{"ids":[1,{"a":1,"a":2}]}' }, ['ids']),
  ...everywhere('an integer that JSON cannot say', 422, { body: '{"ids":[9007199254740993]}' }, ['ids']),
  ...everywhere('a number without end', 422, { body: '{"population":1e999}' }, ['population']),
  ...everywhere('a lone surrogate', 422, { body: '{"name":"\\ud83d"}' }, ['name']),
  ...everywhere('a lone surrogate in a name', 422, { body: '{"\\udc00":1}' }, ['\ufffd']),
  ...everywhere('NUL', 422, { body: '{"name":"a\\u0000"}' }, ['name']),
  ...everywhere('10,000 levels', 422, { body: `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }, ['name'], ['32']),
  ...everywhere('33 levels', 422, { body: `{"name":${'['.repeat(32)}${']'.repeat(32)}}` }, ['name']),
  ...everywhere('too many names', 422, { body: `{${Array.from({ length: 1101 }, (_, i) => `"f${i}":1`).join()}}` }),
  ...everywhere('too large', 413, { body: `{"name":"${'x'.repeat(50_000)}"}` }),
  ...everywhere('plain text', 415, { type: 'text/plain', body: '{"name":"Lyon"}' }),
  ...everywhere('XML', 415, { type: 'application/xml', body: '<name>Lyon</name>' }),
  ...everywhere('no type', 415, { type: '', body: '{"name":"Lyon"}' }),
  ...everywhere('JSON in Latin-1', 415, { type: 'application/json; charset=iso-8859-1', body: '{"name":"Lyon"}' }),
  ...everywhere('gzip', 415, { headers: { 'content-encoding': 'gzip' }, body: new Uint8Array(gzipSync('{"name":"Lyon"}')) }),
  ...everywhere('a file', 422, { parts: [['name', new Blob(['x'])]] }, ['name']),
  ...everywhere('a form that cannot be read', 400, { type: 'application/x-www-form-urlencoded', body: 'name=%ff' }),
  ...everywhere('parts without a boundary', 400, { type: 'multipart/form-data', body: 'x' }),
  ...everywhere('NUL in a form', 422, { type: 'application/x-www-form-urlencoded', body: 'name=a%00' }, ['name']),
]
