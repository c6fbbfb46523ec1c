import { expect, test } from 'vitest'
import { postgresqlDialect } from './dialect.js'

const pattern = (text: string, at: 'anywhere' | 'start') => postgresqlDialect().pattern(text, at)?.bind[0]

test('a pattern takes every character for itself, and every letter in either case', () => {
  expect(pattern('a.b*', 'anywhere')).toBe('[aA]\\.[bB]\\*')
  expect(pattern('***:%_', 'start')).toBe('^\\*\\*\\*:%_')
  expect(pattern('\\d[^1]{2}', 'anywhere')).toBe('\\\\[dD]\\[\\^1\\]\\{2\\}')
  expect(pattern('', 'anywhere')).toBe('')
})

test('a text that is too long has no pattern', () => {
  expect(pattern('1'.repeat(4999), 'anywhere')).toHaveLength(4999)
  expect(pattern('1'.repeat(5000), 'anywhere')).toBeUndefined()
})
