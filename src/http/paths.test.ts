import { describe, expect, it } from 'vitest'
import { paths } from './paths.js'

const find = paths([
  ['/', 'start'],
  ['/a/{b}/c', 'c'],
  ['/a/{b}/{d}/{e?}', 'e'],
  ['/a/{b}/list/{f}', 'f'],
  ['/a/{other}/c', 'too late'],
])
const found = (path: string) => {
  const one = find(path)
  return one && [one.to, Object.fromEntries(one.params)]
}

describe('the paths of a table', () => {
  it('finds a named segment before any segment', () => {
    expect(found('/a/1/c')).toEqual(['c', { b: '1' }])
    expect(found('/a/1/x')).toEqual(['e', { b: '1', d: 'x' }])
    expect(found('/a/1/list/2')).toEqual(['f', { b: '1', f: '2' }])
  })
  it('goes back where a named segment leads nowhere', () => {
    expect(found('/a/1/c/2')).toEqual(['e', { b: '1', d: 'c', e: '2' }])
    expect(found('/a/1/list')).toEqual(['e', { b: '1', d: 'list' }])
  })
  it('takes one slash at the end and no empty parameter', () => {
    expect(found('/')).toEqual(['start', {}])
    expect(found('/a/1/c/')).toEqual(['c', { b: '1' }])
    for (const path of ['/a//c', '/a/1/', '/a/1/c//', '/b', '/a/1/x/y/z']) expect(found(path), path).toBeNull()
  })
  it.each(['/a/{b}.json', '/a/x{b}', '/a/{b?}/c'])('refuses %s', (path) => {
    expect(() => paths([[path, 1]])).toThrow('a parameter is a whole segment')
  })
  it('takes names that objects have for what they are', () => {
    expect(found('/a/__proto__/constructor')).toEqual(['e', { b: '__proto__', d: 'constructor' }])
    expect(found('/constructor')).toBeNull()
  })
})
