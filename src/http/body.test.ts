import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DaymarkError } from '../base/errors.js'
import { english, translator } from '../base/messages.js'
import { readBody } from './body.js'
import { fromWeb } from './incoming.js'
import { defaultLimits } from './limits.js'

const language = { t: translator(english), locale: 'en' }
const limits = { ...defaultLimits, body: 2000, fields: 10 }
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=XX'
const bytes = (...values: number[]) => Uint8Array.from(values)
const parts = (...texts: string[]) => `${texts.map((text) => `--XX\r\n${text}\r\n`).join('')}--XX--\r\n`
const part = (name: string, text: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${text}`

type Sent = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
function post(body: Sent, type: string | null, headers: Record<string, string> = {}): Promise<unknown> {
  const request = new Request('http://localhost/', {
    method: 'POST',
    // A Buffer, because a string body would set a Content-Type by itself.
    body: typeof body === 'string' ? Buffer.from(body) : body,
    headers: { ...(type !== null && { 'content-type': type }), ...headers },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit)
  return readBody(fromWeb(request), limits, language)
}
const form = (fields: Record<string, string[]>, panel: Record<string, string[]> = {}) => ({
  from: 'form',
  fields: new Map(Object.entries(fields)),
  panel: new Map(Object.entries(panel)),
})
const json = (fields: object) => ({ from: 'json', fields: new Map(Object.entries(fields)) })

describe('a body is read by its type alone', () => {
  it.each<[type: string | null, body: Sent, read: unknown]>([
    ['application/json', '{"a":1}', json({ a: 1 })],
    ['application/json; charset=utf-8', '{"a":"é"}', json({ a: 'é' })],
    ['Application/JSON;Charset="UTF8"', '{"a":1}', json({ a: 1 })],
    ['application/merge-patch+json', '{"a":1}', json({ a: 1 })],
    ['application/json', '\ufeff{"a":1}', json({ a: 1 })],
    [urlencoded, 'a=1&a=2&b=&c', form({ a: ['1', '2'], b: [''], c: [''] })],
    [urlencoded, 'a+b=c+d&%C3%A9=%26%3D%2B&&', form({ 'a b': ['c d'], é: ['&=+'] })],
    [urlencoded, 'ids[]=1&ids%5B%5D=2', form({ 'ids[]': ['1', '2'] })],
    [
      urlencoded,
      'name=x&_method=PUT&_version=abc&__proto__=1',
      form({ name: ['x'] }, { _method: ['PUT'], _version: ['abc'], ['__proto__']: ['1'] }),
    ],
    [urlencoded, 'constructor=1', form({ constructor: ['1'] })],
    [urlencoded, 'a=b=c', form({ a: ['b=c'] })],
    [multipart, parts(part('a', '1'), part('a', '2'), part('b', '')), form({ a: ['1', '2'], b: [''] })],
    [multipart, parts(part('_method', 'PUT'), part('n', 'x\r\ny--XX\r\n')), form({ n: ['x\r\ny--XX\r\n'] }, { _method: ['PUT'] })],
    [multipart, parts(part('é', 'ü😀')), form({ é: ['ü😀'] })],
    [multipart, parts(part('a%22b%0D%0Ac%25', '1')), form({ 'a"b\r\nc%25': ['1'] })],
    [multipart, parts(part('a\\"b', '1')), form({ 'a"b': ['1'] })],
    [multipart, `preamble\r\n${parts(part('a', '1'))}epilogue`, form({ a: ['1'] })],
    [multipart, parts('content-type: text/plain\r\ncontent-disposition: form-data; name=a\r\n\r\n1'), form({ a: ['1'] })],
    [
      'multipart/form-data; boundary="a b:c"',
      '--a b:c\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--a b:c--',
      form({ x: ['1'] }),
    ],
    [multipart, '--XX\r\nContent-Disposition: form-data; name="\\"\r\n\r\n1\r\n--XX--', form({ '\\': ['1'] })],
    [
      multipart,
      '--XX\r\nContent-Disposition: form-data; name="a\\\\b\\"\r\n\r\n2\r\n--XX\r\nContent-Disposition: form-data; name="say \\"x\\" twice"\r\n\r\n1\r\n--XX--',
      form({ 'a\\\\b\\': ['2'], 'say "x" twice': ['1'] }),
    ],
    [multipart, '--XX--\r\n', form({})],
  ])('%s %j', async (type, body, read) => expect(await post(body, type)).toEqual(read))

  it.each(['application/json', urlencoded, 'text/plain', null])('nothing is no body: %s', async (type) => {
    expect(await post('', type)).toEqual({ from: 'none' })
    expect(await post(null, type)).toEqual({ from: 'none' })
    expect(await post(null, type, { 'content-length': '0' })).toEqual({ from: 'none' })
  })

  it('reads what FormData and URLSearchParams write', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0') && s.isWellFormed())
    const name = text.filter((s) => !s.startsWith('_'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 5 }), async (pairs) => {
        const [params, data] = [new URLSearchParams(pairs), new FormData()]
        for (const [key, value] of pairs) data.append(key, value)
        const wanted = (normal: (s: string) => string) => {
          const fields = new Map<string, string[]>()
          for (const [key, value] of pairs) fields.set(normal(key), [...(fields.get(normal(key)) ?? []), normal(value)])
          return { from: 'form', fields, panel: new Map() }
        }
        if (pairs.length > 0) expect(await post(params.toString(), urlencoded)).toEqual(wanted((s) => s))
        // Browsers normalize the line ends of form values to CRLF.
        const sent = new Request('http://localhost/', { method: 'POST', body: data })
        expect(await readBody(fromWeb(sent), limits, language)).toEqual(wanted((s) => s.replace(/\r\n?|\n/g, '\r\n')))
      }),
    )
  })
})

describe('a body is refused', () => {
  const refusals: [name: string, status: number, type: string | null, body: Sent, headers?: Record<string, string>][] = [
    ['plain text', 415, 'text/plain', '{"a":1}'],
    ['no type', 415, null, '{"a":1}'],
    ['an empty type', 415, '', '{"a":1}'],
    ['XML', 415, 'application/xml', '<a/>'],
    ['a type that only begins like JSON', 415, 'application/json5', '{"a":1}'],
    ['a type that only ends like JSON', 415, 'application/x+jsonp', '{"a":1}'],
    ['JSON in Latin-1', 415, 'application/json; charset=iso-8859-1', '{"a":1}'],
    ['a form in UTF-16', 415, `${urlencoded}; charset="utf-16"`, 'a=1'],
    ['gzip', 415, 'application/json', gzipSync('{"a":1}'), { 'content-encoding': 'gzip' }],
    ['an unknown encoding', 415, 'application/json', '{"a":1}', { 'content-encoding': 'x' }],
    ['bytes that are no UTF-8', 400, 'application/json', bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['an overlong NUL', 400, 'application/json', bytes(0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
    ['a surrogate in UTF-8', 400, 'application/json', bytes(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
    ['a form of bytes that are no UTF-8', 400, urlencoded, bytes(0x61, 0x3d, 0xff)],
    ['percent of bytes that are no UTF-8', 400, urlencoded, 'a=%FF'],
    ['half a percent sequence', 400, urlencoded, 'a=%4'],
    ['a lone percent sign', 400, urlencoded, '100%=a'],
    ['a part of bytes that are no UTF-8', 400, multipart, Buffer.from(parts(part('a', '\xff')), 'latin1')],
    ['a name of bytes that are no UTF-8', 400, multipart, Buffer.from(parts(part('\xff', 'a')), 'latin1')],
    ['NUL in a form', 422, urlencoded, 'a=x%00'],
    ['NUL in a name', 422, urlencoded, 'a%00=x'],
    ['NUL in a part', 422, multipart, parts(part('a', '\0'))],
    ['multipart without a boundary', 400, 'multipart/form-data', parts(part('a', '1'))],
    ['multipart with an empty boundary', 400, 'multipart/form-data; boundary=""', parts(part('a', '1'))],
    ['a boundary beyond what is allowed', 400, `multipart/form-data; boundary=${'x'.repeat(71)}`, parts(part('a', '1'))],
    ['multipart with another boundary', 400, 'multipart/form-data; boundary=YY', parts(part('a', '1'))],
    ['multipart that is cut', 400, multipart, parts(part('a', '1')).slice(0, -6)],
    ['multipart that is cut in a head', 400, multipart, '--XX\r\nContent-Disposition: form-data'],
    ['a part without a name', 400, multipart, parts('Content-Disposition: form-data\r\n\r\n1')],
    ['a part that is no form data', 400, multipart, parts('Content-Disposition: attachment; name="a"\r\n\r\n1')],
    [
      'a part with very many quotes in its head',
      400,
      multipart,
      parts(`Content-Disposition: form-data; name="x"${';a="b'.repeat(200)}\r\n\r\n1`),
    ],
    ['a part without a head', 400, multipart, parts('\r\n1')],
    ['text where a boundary ends', 400, multipart, `--XXY\r\n${part('a', '1')}\r\n--XX--`],
    ['a file', 422, multipart, parts('Content-Disposition: form-data; name="a"; filename="x.txt"\r\n\r\n1')],
    ['a file by its other name', 422, multipart, parts('Content-Disposition: form-data; name="a"; filename*=utf-8\'\'x\r\n\r\n1')],
    ['too many fields', 422, urlencoded, Array.from({ length: 11 }, (_, i) => `f${i}=1`).join('&')],
    [
      "too many fields, the panel's own counted",
      422,
      urlencoded,
      Array.from({ length: 11 }, (_, i) => `${i % 2 ? '_' : ''}f${i}=1`).join('&'),
    ],
    ['a body beyond the limit', 413, 'application/json', ' '.repeat(2001)],
    ['a body that says it is beyond the limit', 413, 'application/json', '{}', { 'content-length': '2001' }],
    ['a body longer than it says', 413, 'application/json', ' '.repeat(2001), { 'content-length': '5' }],
    ['an endless stream', 413, 'application/json', endless()],
    ['a stream that breaks', 400, 'application/json', broken()],
  ]
  it.each(refusals)('%s: %i', async (_name, status, type, body, headers) => {
    const error = await post(body, type, headers).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(DaymarkError)
    expect((error as DaymarkError).status).toBe(status)
  })

  it('takes a body of just the limit', async () => {
    expect(await post(`{"a":"${'x'.repeat(1992)}"}`, 'application/json')).toMatchObject({ from: 'json' })
  })

  it('has a most of what stands before a part', async () => {
    for (const [length, status] of [
      [1900, null],
      [2100, 400],
    ] as const) {
      const body = Buffer.from(parts(`X: ${'x'.repeat(length)}\r\n${part('a', '1')}`))
      const request = new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': multipart } })
      const read = readBody(fromWeb(request), defaultLimits, language)
      if (status === null) expect(await read).toEqual(form({ a: ['1'] }))
      else await expect(read).rejects.toMatchObject({ status })
    }
  })

  it('lets only the files of a form be larger', async () => {
    const file = (name: string, length: number) =>
      `Content-Disposition: form-data; name="a"; filename="${name}"\r\n\r\n${'x'.repeat(length)}`
    for (const [body, status] of [
      [parts(part('b', '1'), file('x', 5000)), null],
      [parts(part('b', 'x'.repeat(1700)), file('x', 5000)), null],
      [parts(part('b', 'x'.repeat(2000)), file('x', 5000)), 413],
      [parts(...Array.from({ length: 100 }, () => part('b', ''))), 413],
      [parts(...Array.from({ length: 100 }, () => file('', 0))), 413],
    ] as const) {
      const request = new Request('http://localhost/', { method: 'POST', body: Buffer.from(body), headers: { 'content-type': multipart } })
      const read = readBody(fromWeb(request), { ...limits, files: 9000 }, language, true)
      if (status === null) expect(await read).toMatchObject({ files: new Map([['a', expect.anything()]]) })
      else await expect(read).rejects.toMatchObject({ status })
    }
  })

  it('names the field', async () => {
    for (const [type, body] of [
      [urlencoded, 'b=1&a=%00'],
      [multipart, parts(part('b', '1'), 'Content-Disposition: form-data; name="a"; filename=""\r\n\r\n')],
    ] as const) {
      await expect(post(body, type)).rejects.toMatchObject({ errors: new Map([['a', [expect.any(String)]]]) })
    }
  })

  it('says what is read instead', async () => {
    await expect(post('x', 'text/plain')).rejects.toMatchObject({
      headers: { accept: `application/json, ${urlencoded}, multipart/form-data` },
    })
    await expect(post('x', 'application/json', { 'content-encoding': 'br' })).rejects.toMatchObject({
      headers: { 'accept-encoding': 'identity' },
    })
  })

  it('takes no longer for a hostile form than for an honest one', async () => {
    const big = { ...defaultLimits }
    const started = process.cpuUsage()
    for (const [type, text] of [
      [multipart, parts(...Array.from({ length: 500 }, () => `Content-Disposition: form-data; ${'a'.repeat(1900)}\r\n\r\n`))],
      [multipart, '--XX\r\n'.repeat(170_000)],
      [urlencoded, '&'.repeat(1_000_000)],
      [urlencoded, 'a&'.repeat(500_000)],
      [`${multipart}${'; x="'.repeat(2000)}`, parts(part('a', '1'))],
    ] as const) {
      const request = new Request('http://localhost/', { method: 'POST', body: Buffer.from(text), headers: { 'content-type': type } })
      await readBody(fromWeb(request), big, language).catch((thrown) => expect(thrown).toBeInstanceOf(DaymarkError))
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000)
  })
})

function endless(): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      sent += 1000
      // Fails the test if the reader ignores the limit.
      if (sent > 100_000) throw new Error('read far beyond the limit')
      controller.enqueue(new Uint8Array(1000))
    },
  })
}

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes(0x7b))
      controller.error(new Error('gone'))
    },
  })
}
