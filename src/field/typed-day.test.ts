import { expect, test } from 'vitest'
import { typedDay } from './typed-day.js'

test.each([
  ['de', '01.02.1990', '1990-02-01'],
  ['de-CH', '1.2.1990', '1990-02-01'],
  ['de', ' 01. 02. 1990 ', '1990-02-01'],
  ['fr', '01/02/1990', '1990-02-01'],
  ['pt-BR', '31/12/2026', '2026-12-31'],
  ['en-GB', '01/02/1990', '1990-02-01'],
  ['en-US', '01/02/1990', '1990-01-02'],
  ['sv', '1990-02-01', '1990-02-01'],
  ['nl', '01-02-1990', '1990-02-01'],
  ['ar-EG', '01/02/1990', '01/02/1990'],
])('in %s, %s is %s', (locale, text, day) => {
  expect(typedDay(text, locale)).toBe(day)
})

test.each([
  // English alone may be that of either side of the ocean.
  ['en', '01/02/1990'],
  ['de', '01.02.90'],
  ['de', '01/02/1990'],
  ['de', '01.02.1990 10:00'],
  [undefined, '01.02.1990'],
  ['de', ''],
])('in %s, "%s" stays as it is', (locale, text) => {
  expect(typedDay(text, locale)).toBe(text)
})

test('a day that there is not is no other day', () => {
  expect(typedDay('31.02.1990', 'de')).toBe('1990-02-31')
})
