import { describe, expect, it } from 'vitest'
import { english, translator } from '../base/messages.js'
import { readParams, targetOf } from './read.js'

describe('an address', () => {
  it.each([
    ['http://localhost/', '/', ''],
    ['http://localhost:3000/a/b', '/a/b', ''],
    ['http://localhost/a?b=c', '/a', 'b=c'],
    ['http://localhost/a?', '/a', ''],
    ['http://localhost/a?b=/c?d', '/a', 'b=/c?d'],
    ['http://localhost/a#b?c', '/a', ''],
    ['http://localhost/a?b#c', '/a', 'b'],
    ['http://localhost/a%2Fb%3Fc%23d?e%26f', '/a%2Fb%3Fc%23d', 'e%26f'],
    ['https://[::1]:3000/a', '/a', ''],
    [new Request('http://localhost/a?b#c').url, '/a', 'b'],
  ])('%s', (url, path, query) => expect(targetOf(url)).toEqual({ path, query }))
})

describe('path parameters', () => {
  const read = (params: Record<string, string>) => readParams(new Map(Object.entries(params)), translator(english))

  it('are decoded once', () => {
    expect(read({ resourceItem: 'a%2Fb%2525' })).toEqual(new Map([['resourceItem', 'a/b%25']]))
    expect(read({ resourceItem: 'a+b' })).toEqual(new Map([['resourceItem', 'a+b']]))
  })
  it.each(['%', '%4', '%zz', '%ff', '%C0%80', '%ED%A0%80', 'a%00'])('%s names nothing', (text) => {
    expect(() => read({ resourceItem: text })).toThrow(english['record.none'])
    expect(() => read({ pageUri: text })).toThrow(english['page.none'])
  })
})
