import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DaymarkError } from '../base/errors.js'
import { english, translator } from '../base/messages.js'
import { readJsonBody } from './json-body.js'
import { defaultLimits } from './limits.js'

const t = translator(english)
const read = (text: string) => {
  const body = readJsonBody(text, defaultLimits, t)
  if (body.from !== 'json') throw new Error(body.from)
  return Object.fromEntries(body.fields)
}
const refusal = (text: string): DaymarkError => {
  try {
    read(text)
  } catch (thrown) {
    if (thrown instanceof DaymarkError) return thrown
    throw thrown
  }
  throw new Error(`taken: ${text.slice(0, 80)}`)
}

describe('a JSON body', () => {
  it.each<[string, unknown]>([
    ['{}', {}],
    [' \n{"a" : 1 }\t', { a: 1 }],
    ['{"a":{"b":1},"b":{"b":2}}', { a: { b: 1 }, b: { b: 2 } }],
    ['{"a":[{"b":1},{"b":2}],"b":3}', { a: [{ b: 1 }, { b: 2 }], b: 3 }],
    ['{"a":["a","a",{"a":"a"}]}', { a: ['a', 'a', { a: 'a' }] }],
    ['{"a":"\\"{[,:\\\\","b":"}]"}', { a: '"{[,:\\', b: '}]' }],
    ['{"a":9007199254740991,"b":-9007199254740991}', { a: 9007199254740991, b: -9007199254740991 }],
    ['{"a":1e20,"b":0.1,"c":-0.5E-3,"d":0.10000000000000000555}', { a: 1e20, b: 0.1, c: -0.0005, d: 0.1 }],
    ['{"a":1.0,"b":-0.0,"c":12.500,"d":0e-999,"e":10e-1}', { a: 1, b: -0, c: 12.5, d: 0, e: 1 }],
    ['{"a":"9007199254740993"}', { a: '9007199254740993' }],
    ['{"a":"\\ud83d\\ude00","b":"😀"}', { a: '😀', b: '😀' }],
    ['{"a":true,"b":false,"c":null}', { a: true, b: false, c: null }],
    ['{"":1}', { '': 1 }],
    ['{"constructor":1,"toString":2,"hasOwnProperty":3}', { constructor: 1, toString: 2, hasOwnProperty: 3 }],
    [`{"a":${'['.repeat(31)}${']'.repeat(31)}}`, JSON.parse(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`)],
  ])('takes %s', (text, fields) => expect(read(text)).toEqual(fields))

  it('takes __proto__ as a name like any other', () => {
    const body = readJsonBody('{"__proto__":{"admin":true}}', defaultLimits, t)
    expect(body.from === 'json' && [...body.fields]).toEqual([['__proto__', { admin: true }]])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":NaN}',
    '{"a":1}x',
    '{"a":"\u0000"}',
    '{"a":"\n"}',
    '\u0000',
    'undefined',
  ])('is malformed: %j', (text) => expect(refusal(text)).toMatchObject({ code: 'malformed', message: english['body.notJson'] }))

  it.each(['[]', '[{"a":1}]', '1', '"a"', 'null', 'true'])('must be an object, not %s', (text) =>
    expect(refusal(text)).toMatchObject({ code: 'invalid', message: english['body.notObject'] }),
  )

  it.each<[string, field: string, text: string]>([
    ['{"a":1,"a":1}', 'a', '"a" is given twice'],
    ['{"a":1,"b":2,"\\u0061":3}', 'a', '"a" is given twice'],
    ['{"a":{"b":1,"c":[],"b":2}}', 'a', '"b" is given twice'],
    ['{"a":[1,{"b":1,"b":1}]}', 'a', '"b" is given twice'],
    ['{"__proto__":1,"__proto__":2}', '__proto__', '"__proto__" is given twice'],
    ['{"a":{"b":{"c":[]},"b":0}}', 'a', '"b" is given twice'],
    ['{"a":9007199254740993}', 'a', '9007199254740993 cannot be represented'],
    ['{"a":-9007199254740993}', 'a', '-9007199254740993 cannot be represented'],
    ['{"a":9007199254740992.0}', 'a', '9007199254740992.0 cannot be represented'],
    ['{"z":1,"a":[1,{"b":[123456789012345678901234567890]}]}', 'a', '123456789012345678901234567890 cannot be represented'],
    ['{"a":9007199254740993.0}', 'a', '9007199254740993.0 cannot be represented'],
    ['{"a":[9007199254740992.5]}', 'a', '9007199254740992.5 cannot be represented'],
    ['{"a":12345678901234567890.5}', 'a', '12345678901234567890.5 cannot be represented'],
    ['{"a":1.00000000000000000001}', 'a', '1.00000000000000000001 cannot be represented'],
    ['{"a":1e-400}', 'a', '1e-400 cannot be represented'],
    ['{"a":1e999}', 'a', '1e999 is out of range'],
    ['{"a":-1.5E+999}', 'a', '-1.5E+999 is out of range'],
    ['{"a":"x\\u0000y"}', 'a', english['text.nul']],
    ['{"a\\u0000":1}', 'a\0', english['text.nul']],
    ['{"a":{"b":["\\u0000"]}}', 'a', english['text.nul']],
    ['{"a":"\\ud800"}', 'a', english['text.surrogate']],
    ['{"a":"\\udc00\\ud800"}', 'a', english['text.surrogate']],
    ['{"b":1,"a":{"\\uDFFF":1}}', 'a', english['text.surrogate']],
    ['{"\\ud800":1}', '\ufffd', english['text.surrogate']],
    [`{"b":0,"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'a', 'Nested deeper than 32'],
    [`{"a":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`, 'a', 'Nested deeper than 32'],
  ])('cannot be taken exactly: %s', (text, field, says) => {
    const error = refusal(text)
    expect(error.code).toBe('invalid')
    expect([...error.errors.keys()]).toEqual([field])
    expect(error.errors.get(field)?.[0]).toContain(says)
  })

  it('is refused at any depth, in no time', () => {
    for (const depth of [10_000, 300_000]) {
      const started = process.cpuUsage()
      expect(refusal(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`).code).toBe('invalid')
      expect(refusal('{"a":'.repeat(depth / 10)).code).toBe('malformed')
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000)
    }
  })

  it('holds numbers of any length, in no time', () => {
    const zeros = '0'.repeat(150_000)
    for (const number of [`1.${zeros}1`, `1.${zeros}1e1`, `1.${zeros}`, `0.${zeros}`, `1${zeros}`]) {
      const started = process.cpuUsage()
      try {
        read(`{"a":${number}}`)
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: 'invalid' })
      }
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000)
    }
    expect(read(`{"a":1.${zeros},"b":12.5${zeros}}`)).toEqual({ a: 1, b: 12.5 })
  })

  it('has a most of names, and names none at length', () => {
    const many = Object.fromEntries(Array.from({ length: defaultLimits.fields + 1 }, (_, i) => [`f${i}`, 1]))
    expect(refusal(JSON.stringify(many)).message).toBe(`At most ${defaultLimits.fields} fields`)
    const name = 'x'.repeat(100_000)
    expect(JSON.stringify([...refusal(`{"${name}":1,"${name}":2}`).errors]).length).toBeLessThan(500)
  })

  it('is what JSON.parse gives, for everything that JSON.stringify writes without a fault', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0'))
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }).filter((v) => !JSON.stringify(v).includes('\\u0000'))
    fc.assert(
      fc.property(fc.dictionary(text, value), (object) => {
        const numbers = JSON.stringify(object).match(/-?\d{16,}/g) ?? []
        fc.pre(numbers.length === 0)
        expect(read(JSON.stringify(object))).toEqual(JSON.parse(JSON.stringify(object)))
        expect(read(JSON.stringify(object, null, 2))).toEqual(JSON.parse(JSON.stringify(object)))
      }),
    )
  })

  it('says something about any text whatever', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '"a"', '"b"', ':', ',', '1', '-', 'e9', '.', '"', '\\', '\\u0000', 'null', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          read(`{${pieces.join('')}}`)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(DaymarkError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
