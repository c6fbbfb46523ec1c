import { expect, test } from 'vitest'
import { remembered } from './remembered.js'

test('what was made is not made again, until there is too much of it', () => {
  const made: number[] = []
  const double = remembered((number: number) => {
    made.push(number)
    return number * 2
  }, 2)
  expect([1, 2, 1, 2].map(double)).toEqual([2, 4, 2, 4])
  expect(made).toEqual([1, 2])
  expect([3, 1, 3].map(double)).toEqual([6, 2, 6])
  expect(made).toEqual([1, 2, 3, 1])
})

test('what throws is made anew', () => {
  let calls = 0
  const first = remembered((name: string) => {
    calls++
    if (calls === 1) throw new Error('not yet')
    return name
  })
  expect(() => first('a')).toThrow('not yet')
  expect(first('a')).toBe('a')
})
