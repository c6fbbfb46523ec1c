import { customType, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { type Column, modelOf } from './model.js'
import { encode } from './value.js'

const custom = (toDriver: (value: unknown) => unknown) => customType<{ data: unknown }>({ dataType: () => 'blob', toDriver })()

function column(toDriver: (value: unknown) => unknown): Column {
  return modelOf(sqliteTable('customs', { id: integer().primaryKey(), own: custom(toDriver) })).columns.get('own') as Column
}

describe('what a custom type gives to the driver', () => {
  test.each([
    ['true', true, 1],
    ['false', false, 0],
    ['null', null, null],
    ['a number', 1.5, 1.5],
    ['a bigint', 2n ** 63n - 1n, 2n ** 63n - 1n],
    ['text', 'ü', 'ü'],
    ['bytes, as a Buffer', new Uint8Array([1, 2]), Buffer.from([1, 2])],
  ])('%s', (_, bound, expected) => {
    const encoded = encode(
      column(() => bound),
      'x',
    )
    expect(encoded).toEqual(expected)
    expect(Buffer.isBuffer(encoded)).toBe(Buffer.isBuffer(expected))
  })

  test.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a bigint beyond 64 bits', 2n ** 63n],
    ['undefined', undefined],
    ['an object', {}],
    ['a Date', new Date()],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['NUL', 'a\0b'],
    ['half a pair', '\udfff'],
  ])('%s is refused', (_, bound) => {
    expect(() =>
      encode(
        column(() => bound),
        'x',
      ),
    ).toThrow(expect.objectContaining({ code: 'invalid', errors: new Map([['own', [expect.any(String)]]]) }))
  })

  test('an encoder that throws refuses', () => {
    const fails = column(() => {
      throw new Error('secret')
    })
    expect(() => encode(fails, 'x')).toThrow(expect.objectContaining({ code: 'invalid', message: 'Cannot be stored' }))
  })
})

test('an integer column takes what 64 bits hold', () => {
  const { key } = modelOf(sqliteTable('ints', { id: integer().primaryKey(), name: text() }))
  expect(encode(key, 2n ** 60n)).toBe(2n ** 60n)
  expect(() => encode(key, 2n ** 64n)).toThrow('Is too big')
})

test('JSON that is too deep to be written is refused', () => {
  const { columns } = modelOf(sqliteTable('jsons', { id: integer().primaryKey(), data: text({ mode: 'json' }) }))
  let deep: unknown = []
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(() => encode(columns.get('data') as Column, deep)).toThrow(expect.objectContaining({ code: 'invalid' }))
})
