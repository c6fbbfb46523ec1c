import { expect, test } from 'vitest'
import { lostNumber, parseStoredJson } from './stored-json.js'

const change = { other: 1 }
const same = (text: string) => JSON.parse(JSON.stringify(parseStoredJson(text)))

test.each([
  ['{"a":0.123456789012345678901,"b":1}', '0.123456789012345678901'],
  ['{"a":1e400}', '1e400'],
  ['{"a":-1e-400}', '-1e-400'],
  ['{"a":9007199254740993}', '9007199254740993'],
  ['{"a":{"b":[1,{"c":"]}"},12345678901234567890]}}', '12345678901234567890'],
  ['{"__proto__":{"a\\"b":3.00000000000000000001}}', '3.00000000000000000001'],
  ['[0.10000000000000000001]', '0.10000000000000000001'],
])('%s: a number that is still as it was shown is lost', (text, number) => {
  const stored = parseStoredJson(text)
  expect(lostNumber(stored, same(text))).toBe(number)
  expect(lostNumber(stored, stored)).toBe(number)
  expect(lostNumber(stored, change)).toBe(null)
})

test.each([
  '{"a":0.1,"b":1.50,"c":-0,"d":0.10000000000000001,"e":9007199254740991,"f":1e22,"g":"0.123456789012345678901"}',
  '{"a":100000000000000000000000,"b":1.7976931348623157e308,"c":5e-324,"d":2.2250738585072014E-308,"e":0.0000000000000000000}',
  '"12345678901234567890"',
  '12345678901234567890',
  'null',
])('%s: nothing is lost', (text) => {
  expect(lostNumber(parseStoredJson(text), same(text))).toBe(null)
})

test('another number in its place is meant, and so is none', () => {
  const stored = parseStoredJson('{"list":[0.123456789012345678901,2],"a":1e400}')
  expect(lostNumber(stored, { list: [2, 0.12345678901234568], a: 1 })).toBe('0.123456789012345678901')
  expect(lostNumber(stored, { list: [2], a: 1 })).toBe(null)
  expect(lostNumber(stored, { list: [0.1235, 2], a: null })).toBe('1e400')
  expect(lostNumber(stored, { list: [0.1235, 2] })).toBe(null)
  expect(lostNumber(stored, null)).toBe(null)
})
