import { expect, test } from 'vitest'
import { bodyDigest } from './body-digest.js'

test('a mark is that of the fields, whatever the panel adds', () => {
  const form = (title: string, token: string) =>
    bodyDigest({ from: 'form', fields: new Map([['title', [title]]]), panel: new Map([['_token', [token]]]) })
  expect(form('a', 'x')).toBe(form('a', 'y'))
  expect(form('a', 'x')).not.toBe(form('b', 'x'))
})
