import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Reply } from '../../face/face.js'
import { asset, assetUrl } from './assets.js'

const place = { mount: '', prefix: { panel: 'admin', resource: 'resource', page: 'page' } }
const [hash, file] = assetUrl(place, 'daymark.css').split('/').slice(-2) as [string, string]
const body = (accept: string) => (asset(hash, file, accept) as Reply).body as Uint8Array
const plain = Buffer.from(body('')).toString()

test('a style sheet says the same in each encoding', () => {
  expect(brotliDecompressSync(body('gzip, deflate, br')).toString()).toBe(plain)
  expect(gunzipSync(body('gzip')).toString()).toBe(plain)
})

test('an encoding that is refused is not sent', () => {
  expect(asset(hash, file, 'br;q=0, gzip;q=0.0, identity')?.headers).not.toHaveProperty('content-encoding')
  expect(asset(hash, file, 'br;q=0.5')?.headers['content-encoding']).toBe('br')
  expect(asset(hash, file, 'broken')?.headers).not.toHaveProperty('content-encoding')
})

test('it never changes under its address', () => {
  expect(asset(hash, file, '')?.headers['cache-control']).toContain('immutable')
  expect(asset('000000000000', file, '')).toBeNull()
  expect(asset(hash, '../manifest.json', '')).toBeNull()
  expect(asset(hash, 'manifest.json', '')).toBeNull()
})

test('the style sheet is small, and asks no other host for anything', () => {
  expect(body('br').length).toBeLessThan(20_000)
  expect(plain).not.toMatch(/url\(|@import|https?:/)
})
