import { describe, expect, it } from 'vitest'
import { english, translator } from '../base/messages.js'
import { noneMatches, readIfMatch, readIfNoneMatch } from './if-match.js'

const t = translator(english)
const none = { from: 'none' } as const
const form = (...versions: string[]) => ({ from: 'form', fields: new Map(), panel: new Map([['_version', versions]]) }) as const

describe('If-Match', () => {
  it.each<[header: string | null, versions: unknown]>([
    [null, null],
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['a']],
    ['"a", "b"', ['a', 'b']],
    ['"a","b" , "c"', ['a', 'b', 'c']],
    ['"a,b"', ['a,b']],
    ['""', ['']],
    ['W/"a"', []],
    ['W/"a", "b"', ['b']],
  ])('%s', (header, versions) => expect(readIfMatch(header, none, t)).toEqual(versions))

  it.each(['', 'a', '"a', 'a"', '"a" "b"', '"a",', ',"a"', '"a", *', '*, "a"', 'w/"a"', '"a"b', `${'"a",'.repeat(3000)}`])(
    'is malformed: %s',
    (header) => expect(() => readIfMatch(header, none, t)).toThrow(t('request.ifMatch', { name: 'If-Match' })),
  )

  it('is the version of a form, where the header is absent', () => {
    expect(readIfMatch(null, form('a'), t)).toEqual(['a'])
    expect(readIfMatch('"b"', form('a'), t)).toEqual(['b'])
    expect(readIfMatch(null, form(''), t)).toBeNull()
    expect(readIfMatch(null, { from: 'json', fields: new Map([['_version', 'a']]) }, t)).toBeNull()
  })
})

describe('If-None-Match', () => {
  it.each<[header: string | null, etag: string | undefined, matches: boolean]>([
    [null, '"a"', false],
    ['"a"', undefined, false],
    ['*', '"a"', true],
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['"b", "a"', '"a"', true],
    ['"b"', '"a"', false],
    ['a', '"a"', false],
    ['"', '"a"', false],
  ])('%s against %s: %s', (header, etag, matches) => expect(noneMatches(header, etag)).toBe(matches))

  it.each<[header: string | null, versions: unknown]>([
    [null, null],
    ['*', '*'],
    ['W/"a", "b"', ['a', 'b']],
  ])('of what writes: %s', (header, versions) => expect(readIfNoneMatch(header, t)).toEqual(versions))

  it('is malformed where it holds no ETag', () =>
    expect(() => readIfNoneMatch('a', t)).toThrow(t('request.ifMatch', { name: 'If-None-Match' })))
})
