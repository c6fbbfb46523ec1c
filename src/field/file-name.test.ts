import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extensionOf, fileName, safeFileName } from './file-name.js'

test.each([
  ['Contract.PDF', 'pdf'],
  ['a.tar.gz', 'gz'],
  ['.htaccess', ''],
  ['..txt', ''],
  ['none', ''],
  ['dot.', ''],
])('the extension of %s is "%s"', (name, extension) => {
  expect(extensionOf(name)).toBe(extension)
})

test.each([
  ['', 'file'],
  ['...', 'file'],
  ['.pdf', 'pdf'],
  ['a.b.PDF', 'a.b.pdf'],
  ['  two  words \t.txt', 'two words.txt'],
  ['a\u0000\u202eb.txt', 'ab.txt'],
  ['e\u0301.png', 'é.png'],
  ['C:\\dir\\x.png', 'x.png'],
  ['/etc/passwd', 'passwd'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(96)}.pdf`],
  [`x.${'y'.repeat(300)}`, `x.${'y'.repeat(98)}`],
  [`${'x'.repeat(99)}.${'y'.repeat(20)}`, 'x'.repeat(99)],
])('%j becomes %j', (given, name) => {
  expect(safeFileName(given)).toBe(name)
})

// In the square of its length, these take a minute.
test('a name of any length is made safe in the time of its length', () => {
  const run = 200_000
  const began = performance.now()
  for (const part of ['.', ' ', '. ', '\n', '/', 'a.', '.a'])
    expect(safeFileName(`a${part.repeat(run / part.length)}b`).length).toBeLessThanOrEqual(255)
  expect(performance.now() - began).toBeLessThan(5000)
})

test('whatever a name is, what is stored is a name of one segment, within its length, and stays itself', () => {
  const odd = fc.constantFrom('.', '/', '\n', '\u2028', '\\', '%', ' ', '"', '\u0000', '\u202e', '\ud800', 'ä', '😀', 'a', 'pdf')
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(odd, { maxLength: 200 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(names, fc.integer({ min: 41, max: 255 }), (given, most) => {
      const name = safeFileName(given, most)
      expect(name).toMatch(/^[^./\\\s%"\p{Cc}][^/\\%"\p{Cc}]*$/u)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(Math.min(most, 100))
      expect(name.isWellFormed()).toBe(true)
      expect(fileName(`x/${name}`)).toBe(name)
      expect(safeFileName(name, most)).toBe(name)
      expect(encodeURIComponent(name)).toBeTruthy()
    }),
  )
})
