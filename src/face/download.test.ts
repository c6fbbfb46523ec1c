import fc from 'fast-check'
import { expect, test } from 'vitest'
import { downloadReply } from './download.js'

test('a file has its name in ASCII and as it is', () => {
  const { headers } = downloadReply({ name: 'Städte "2026".csv', type: 'text/csv', body: '' })
  expect(headers['content-disposition']).toBe(`attachment; filename="St_dte _2026_.csv"; filename*=UTF-8''St%C3%A4dte%20%222026%22.csv`)
  expect(headers['content-security-policy']).toContain('sandbox')
})

test('no name breaks out of its header, and each can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const value = downloadReply({ name, type: 'text/csv', body: '' }).headers['content-disposition'] ?? ''
      const [, plain = '', encoded = ''] = /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(value) ?? [
        'no',
      ]
      expect(value).toMatch(/^attachment; filename="/)
      expect(plain).not.toMatch(/["\\]/)
      expect(decodeURIComponent(encoded)).toBe(name.toWellFormed())
    }),
  )
})
