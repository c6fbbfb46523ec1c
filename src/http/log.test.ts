import { expect, test } from 'vitest'
import { brokenEntry, entryOf } from './log.js'

test('no entry has the token of a link to set a password, however the answer failed', () => {
  const path = '/admin/reset/abc'
  const of = { requestId: '1', method: 'POST', path }
  const request = { method: 'POST', url: `http://localhost${path}?token=1`, headers: new Headers() }
  const broken = brokenEntry(request, '1', { origin: null, proxies: 0, allowInsecure: false }, new Error('no'))
  expect([entryOf(of, new Error('no')).path, broken.path]).toEqual(['/admin/reset/…', '/admin/reset/…'])
})
