import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linkedText } from './linked-text.js'

/** What the links of a text lead to. */
const links = (text: string) => [...String(linkedText(text)).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => plain(href ?? ''))
const plain = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name as string] ?? '')

test.each([
  ['See https://example.com/a.', ['https://example.com/a']],
  ['HTTP://EXAMPLE.COM, and https://example.com/?q=a&b=c!', ['HTTP://EXAMPLE.COM', 'https://example.com/?q=a&b=c']],
  ['(as https://example.com/Berlin_(film)), too', ['https://example.com/Berlin_(film)']],
  ['[here](https://example.com/a)', ['https://example.com/a']],
  ['**https://example.com/a**', ['https://example.com/a']],
  ['“https://example.com/a” and «https://example.com/b»', ['https://example.com/a', 'https://example.com/b']],
  ['https://example.com/…', ['https://example.com/']],
  ['https://[::1]:3000/a', ['https://[::1]:3000/a']],
  // It would look as if it led elsewhere.
  ['https://example.com/\u202emoc.evil//:sptth', ['https://example.com/']],
  ['javascript:alert(1) data:text/html,x mailto:a@example.com //example.com example.com', []],
  ['http:// http://. https://) http://[ https://a%zz', []],
  ['<https://example.com/"onclick="alert(1)>', ['https://example.com/']],
])('%s', (text, leadsTo) => {
  expect(links(text)).toEqual(leadsTo)
})

test('says exactly what was written, whatever that is, and links only to the web', () => {
  const part = fc.constantFrom(
    'http://',
    'https://',
    'HTTPS://',
    'a.b',
    '/',
    '(',
    ')',
    '.',
    ',',
    '?',
    '&amp;',
    '<b>',
    '"',
    "'",
    '“',
    '\n',
    ' ',
    '😀',
    '\u202e',
  )
  const any = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(any, (text) => {
      expect(plain(String(linkedText(text)))).toBe(text)
      for (const href of links(text)) expect(new URL(href).protocol).toMatch(/^https?:$/)
    }),
    { numRuns: 1000 },
  )
})

// By a square of its length, one would take minutes, and the test its time.
test.each(['.', ')', '.)', '....)', '(', '()', 'http://.', 'http://(', '*', '_.'])('takes no longer for many of %s', (hostile) => {
  const text = `http://a(${hostile.repeat(200_000 / hostile.length)}x`
  expect(plain(String(linkedText(text)))).toBe(text)
})
