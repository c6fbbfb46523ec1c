import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownNumber, typedNumber } from './number-text.js'

test.each([
  ['1,5', '1.5'],
  [' -0,25 ', '-0.25'],
  ['1.234,5', '1234.5'],
  ['1.234.567', '1234567'],
  ['1\u202f234,5', '1234.5'],
  ['1 234', '1234'],
  // Not grouped by threes, so the point must be decimal.
  ['1.5', '1.5'],
  ['0.123', '0.123'],
  ['1234.567', '1234.567'],
  ['1,5e-7', '1.5e-7'],
  // Ambiguous, or no number.
  ['1.234', null],
  ['-12.345', null],
  ['1,234,5', '1,234,5'],
  ['1.2,3', '1.2,3'],
  ['1 2', '1 2'],
  ['abc', 'abc'],
])('where 1,5 is one and a half, %j is %j', (typed, number) => {
  expect(typedNumber(typed, 'de-DE', false)).toBe(number)
})

test('a column of whole numbers leaves no doubt what a point is', () => {
  expect(typedNumber('1.234', 'de', true)).toBe('1234')
  expect(typedNumber('-12.345.678', 'de', true)).toBe('-12345678')
})

test.each([
  ['en', '1,000', '1000'],
  ['en', '120,000', '120000'],
  ['en-GB', ' -1,000.05 ', '-1000.05'],
  ['en-US', '12,345,678', '12345678'],
  ['ja', '1,234', '1234'],
  ['de-CH', '1’234.5', '1234.5'],
  ['de-CH', "1'234.5", '1234.5'],
  // Not in groups of three, or not as the locale groups.
  ['en', '1,00', '1,00'],
  ['en', '1,0000', '1,0000'],
  ['en', '0,123', '0,123'],
  ['en', '1234,567', '1234,567'],
  ['en', '1,234,5', '1,234,5'],
  ['en', '1.234,567', '1.234,567'],
  ['en', '1.000.000', '1.000.000'],
  ['en', '1,234e5', '1,234e5'],
  ['de-CH', '1,234', '1,234'],
  ['de-CH', '1’234,567', '1’234,567'],
])('where 1.5 is one and a half, in %s %j is %j', (locale, typed, number) => {
  for (const whole of [true, false]) expect(typedNumber(typed, locale, whole)).toBe(number)
})

test.each(['en', 'en-GB', 'de-CH', undefined, 'ar-EG'])('in %s a number stays as it is typed', (locale) => {
  for (const text of ['1.234', '1,5', '1.5']) expect(typedNumber(text, locale, false)).toBe(text)
  expect(shownNumber('1.5', locale)).toBe('1.5')
})

test('what a control shows means what is stored, in any locale', () => {
  const locales = fc.constantFrom('de', 'de-AT', 'fr', 'es', 'pl', 'pt-BR', 'ru', 'en', 'ja', undefined)
  fc.assert(
    fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()), locales, (number, locale) => {
      const shown = shownNumber(String(number), locale)
      expect(typedNumber(shown, locale, Number.isInteger(number))).toBe(String(number))
    }),
  )
})
