import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFiner, majorNumber, majorText, minorDigits, minorNumber, minorText } from './minor.js'

const digits = fc.constantFrom(0, 2, 3, 4)

test.each([
  ['1234', 2, '12.34'],
  ['5', 2, '0.05'],
  ['-5', 2, '-0.05'],
  ['-1234567', 3, '-1234.567'],
  ['0', 2, '0.00'],
  ['1234', 0, '1234'],
  ['9007199254740991', 2, '90071992547409.91'],
  ['9223372036854775807', 2, '92233720368547758.07'],
  ['1234.5', 2, '12.345'],
])('%s of the smallest units, of %i digits, are %s, and back', (minor, digits, major) => {
  expect([majorText(minor, digits), minorText(major, digits)]).toEqual([major, minor])
})

test.each([
  [1.005, 3, 1005],
  [0.07, 2, 7],
  [4.35, 2, 435],
  [1.1, 2, 110],
  [-19.99, 2, -1999],
  [1e21, 2, 1e23],
  [9999999999999.99, 2, 999999999999999],
])('%d, of %i digits, is %d of the smallest units', (amount, digits, minor) => {
  expect(minorNumber(amount, digits)).toBe(minor)
})

test('what is finer than the smallest unit is told, whatever rounding would make of it', () => {
  const finer = (amount: number | string, of = 2) => isFiner(amount, of)
  expect([1.005, 0.1 + 0.2, '12.345', '0.001', 1e-9].map((one) => finer(one))).toEqual([true, true, true, true, true])
  expect([1.05, '12.340', '12', -0.01, 1e21, '1.000'].map((one) => finer(one))).toEqual([false, false, false, false, false, false])
  expect([finer(1.005, 3), finer(1.5, 0), finer(2, 0)]).toEqual([false, true, false])
})

test('a million zeros before the last digit take no time', () => {
  const begun = performance.now()
  expect(isFiner(`0.${'0'.repeat(1_000_000)}1`, 2)).toBe(true)
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('numbers of up to fifteen digits come back as they are, by doubles as by texts', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(1e15 - 1), max: 1e15 - 1 }), digits, (minor, of) => {
      const major = majorNumber(minor, of)
      expect(major).toBe(Number(majorText(String(minor), of)))
      expect([minorNumber(major, of), isFiner(major, of)]).toEqual([minor, false])
    }),
  )
})

test('whole numbers of any size come back as texts', () => {
  fc.assert(
    fc.property(fc.bigInt(), digits, (minor, of) => {
      expect(BigInt(minorText(majorText(String(minor), of), of))).toBe(minor)
    }),
  )
})

test('an amount has the digits of its currency', () => {
  expect(['EUR', 'JPY', 'KWD'].map((currency) => minorDigits({ currency, minor: true }))).toEqual([2, 0, 3])
  expect([minorDigits({ currency: 'EUR', minor: false }), minorDigits({})]).toEqual([null, null])
})
