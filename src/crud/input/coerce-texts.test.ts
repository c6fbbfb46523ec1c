import { expect, test } from 'vitest'
import { coerceTexts } from './coerce-texts.js'

test.each([
  ['5', { type: 'integer' }, 5],
  ['-1.5e3', { type: 'number' }, -1500],
  ['1e+21', { type: 'number' }, 1e21],
  ['9007199254740993', { type: 'number' }, '9007199254740993'],
  ['-9007199254740991', { type: 'integer' }, -9_007_199_254_740_991],
  ['', { type: 'number' }, ''],
  [' 5', { type: 'number' }, ' 5'],
  ['NaN', { type: 'number' }, 'NaN'],
  ['5', { type: ['number', 'null'] }, 5],
  ['5', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 5],
  ['5', { type: 'string' }, '5'],
  ['5', { anyOf: [{ type: 'number' }, { type: 'string' }] }, '5'],
  ['5', { enum: ['5', 5] }, '5'],
  ['5', undefined, '5'],
  ['true', { type: 'boolean' }, true],
  ['false', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, false],
  ['on', { type: 'boolean' }, 'on'],
  ['5', { type: 'array' }, ['5']],
  ['5', { type: 'array', items: { type: 'number' } }, [5]],
  ['5', { anyOf: [{ type: 'array' }, { type: 'string' }] }, '5'],
])('"%s" by %o is %o', (text, schema, value) => {
  expect(coerceTexts([text], schema)).toEqual(value)
})

test('several texts are a list', () => {
  expect(coerceTexts(['1', '2'], { type: 'number' })).toEqual(['1', '2'])
  expect(coerceTexts(['1', '2'], { type: 'array', items: { type: 'number' } })).toEqual([1, 2])
})
