import { expect, test } from 'vitest'
import { bytesText, minutesText } from './number.js'

test.each([
  ['en', 1, '1 byte'],
  ['en', 500, '500 bytes'],
  ['de', 500, '500 Byte'],
  ['en', 1500, '1.5 kB'],
  ['de', 1500, '1,5 kB'],
  ['en', 1_048_576, '1 MB'],
  ['en', 2_300_000, '2.3 MB'],
  ['de', 20_000_000, '20 MB'],
  // What is larger than a limit is larger than what is said of it.
  ['en', 999_999, '999.9 kB'],
  ['en', 1_990_000, '1.9 MB'],
  ['en', 2_000_000_000_000, '2,000 GB'],
])('in %s, %d bytes are %s', (locale, bytes, said) => expect(bytesText(locale, bytes).replaceAll('\u00a0', ' ')).toBe(said))

test.each([
  ['en', 1, '1 minute'],
  ['en', 15, '15 minutes'],
  ['de', 1, '1 Minute'],
  ['fr', 15, '15 minutes'],
])('in %s, %d minutes are %s', (locale, minutes, said) => expect(minutesText(locale, minutes).replaceAll('\u00a0', ' ')).toBe(said))
