import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFormulas, withoutFormulas } from './formula.js'

const odd = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\uff1d', "'", '"', ';', '\t', '\r', '\n', ',', 'a', ' ') })

test('a text that a spreadsheet would run has an apostrophe in front', () => {
  expect(withoutFormulas('=1+1')).toBe("'=1+1")
  expect(withoutFormulas('a;=1')).toBe("a;'=1")
  expect(withoutFormulas("'=1")).toBe("''=1")
  expect(withoutFormulas('a = b')).toBe('a = b')
})

test('every text is what it was once its apostrophes are taken away again', () => {
  fc.assert(
    fc.property(fc.oneof(odd, fc.string()), (text) => {
      const safe = withoutFormulas(text)
      expect(withFormulas(safe)).toBe(text)
      expect(safe).not.toMatch(/(?:^|[;\t\r\n]"*)[=+\-@\uff1d\uff0b\uff0d\uff20]/)
    }),
    { numRuns: 2000 },
  )
})
