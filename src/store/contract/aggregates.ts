import assert from 'node:assert/strict'
import { always, type Condition } from '../../resource/condition/condition.js'
import type { Aggregation, Store } from '../store.js'
import { fill, storeCase } from './case.js'
import { models } from './tables.js'

const { places } = models

const at = (text: string) => new Date(text)
const rows = [
  {
    id: 1,
    name: 'Oslo',
    people: 700,
    area: 1.5,
    open: true,
    status: 'live',
    seenAt: at('2026-01-01T00:00:00.500Z'),
    price: '9.5',
    views: 9n,
  },
  {
    id: 2,
    name: 'Bergen',
    people: 300,
    area: -2.25,
    open: false,
    status: 'live',
    seenAt: at('2026-01-02T00:00:00Z'),
    price: '10',
    views: 10n,
  },
  { id: 3, name: 'bergen', people: 300, area: null, open: false, status: 'draft', seenAt: null, price: null },
  { id: 4, name: 'Ålesund', people: null, area: 0, open: true, status: 'old', seenAt: at('1969-07-20T20:17:40Z'), price: '-0.5' },
  { id: 5, name: 'Moss', people: 50, area: 4, open: true, status: 'live', seenAt: at('2026-01-03T23:59:59.999Z'), price: '1' },
]

const one = (op: 'eq' | 'gte', column: string, value: unknown): Condition => ({ op, column, value })

async function numbers(store: Store, asked: Partial<Aggregation>): Promise<readonly (readonly unknown[])[]> {
  const aggregation: Aggregation = { of: 'count', column: null, where: always, by: [], order: 'group', limit: 100, ...asked }
  return (await store.aggregate(places, aggregation)).map(({ by, value }) => [...by, value])
}

const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'].map((day) => at(`${day}T00:00:00Z`))

export const aggregateCases = [
  storeCase('computes one number over all records that meet a condition', async (store) => {
    await fill(store, places, rows)
    assert.deepEqual(await numbers(store, {}), [[5]])
    assert.deepEqual(await numbers(store, { column: 'people' }), [[4]])
    assert.deepEqual(await numbers(store, { of: 'sum', column: 'people' }), [[1350]])
    assert.deepEqual(await numbers(store, { of: 'sum', column: 'area', where: one('eq', 'open', true) }), [[5.5]])
    assert.deepEqual(await numbers(store, { of: 'average', column: 'people' }), [[337.5]])
    assert.deepEqual(await numbers(store, { of: 'smallest', column: 'area' }), [[-2.25]])
    assert.deepEqual(await numbers(store, { of: 'largest', column: 'price' }), [[10]])
    assert.deepEqual(await numbers(store, { of: 'sum', column: 'views' }), [[19]])
  }),

  storeCase('has no number for records without a value, and counts none as 0', async (store) => {
    await fill(store, places, rows)
    const where = one('eq', 'id', 3)
    for (const of of ['sum', 'average', 'smallest', 'largest'] as const)
      assert.deepEqual(await numbers(store, { of, column: 'views', where }), [[null]])
    assert.deepEqual(await numbers(store, { column: 'views', where }), [[0]])
    assert.deepEqual(await numbers(store, { where: one('eq', 'id', 99) }), [[0]])
  }),

  storeCase('groups by the values of a column, null included, as Drizzle decodes them', async (store) => {
    await fill(store, places, rows)
    const by = (column: string) => [{ column }]
    assert.deepEqual(await numbers(store, { by: by('people') }), [
      [50, 1],
      [300, 2],
      [700, 1],
      [null, 1],
    ])
    assert.deepEqual(await numbers(store, { by: by('open'), of: 'sum', column: 'people' }), [
      [false, 600],
      [true, 750],
    ])
    assert.deepEqual(await numbers(store, { by: by('seenAt'), where: one('gte', 'people', 300) }), [
      [at('2026-01-01T00:00:00.500Z'), 1],
      [at('2026-01-02T00:00:00Z'), 1],
      [null, 1],
    ])
    assert.deepEqual(await numbers(store, { by: by('status'), where: one('eq', 'id', 99) }), [])
  }),

  storeCase('orders groups by their number or their value, and returns the first ones', async (store) => {
    await fill(store, places, rows)
    const by = [{ column: 'status' }]
    assert.deepEqual(await numbers(store, { by, order: 'value' }), [
      ['live', 3],
      ['draft', 1],
      ['old', 1],
    ])
    assert.deepEqual(await numbers(store, { by, order: 'group' }), [
      ['draft', 1],
      ['live', 3],
      ['old', 1],
    ])
    assert.deepEqual(await numbers(store, { by, order: 'value', limit: 2 }), [
      ['live', 3],
      ['draft', 1],
    ])
    assert.deepEqual(await numbers(store, { by, order: 'value', of: 'sum', column: 'people' }), [
      ['live', 1050],
      ['draft', 300],
      ['old', null],
    ])
  }),

  storeCase('groups by the intervals between bounds', async (store) => {
    await fill(store, places, rows)
    assert.deepEqual(await numbers(store, { by: [{ column: 'seenAt', bounds: days }] }), [
      [0, 1],
      [1, 1],
      [2, 1],
    ])
    assert.deepEqual(await numbers(store, { by: [{ column: 'seenAt', bounds: days.slice(0, 2) }] }), [[0, 1]])
    // An empty interval, as where a clock skips an hour.
    const [first, second, third] = days as [Date, Date, Date]
    assert.deepEqual(await numbers(store, { by: [{ column: 'seenAt', bounds: [first, second, second, third] }] }), [
      [0, 1],
      [2, 1],
    ])
    assert.deepEqual(await numbers(store, { by: [{ column: 'people', bounds: [0, 300, 700] }], of: 'sum', column: 'people' }), [
      [0, 50],
      [1, 600],
    ])
    const many = Array.from({ length: 367 }, (_, index) => index * 2 - 10)
    assert.deepEqual(await numbers(store, { by: [{ column: 'people', bounds: many }] }), [
      [30, 1],
      [155, 2],
      [355, 1],
    ])
  }),

  storeCase('groups by several at once', async (store) => {
    await fill(store, places, rows)
    const by = [{ column: 'seenAt', bounds: days }, { column: 'status' }, { column: 'open' }]
    assert.deepEqual(await numbers(store, { by, of: 'sum', column: 'people', where: one('eq', 'status', 'live') }), [
      [0, 'live', true, 700],
      [1, 'live', false, 300],
      [2, 'live', true, 50],
    ])
  }),

  storeCase('refuses to group by a column that does not exist', async (store) => {
    await assert.rejects(numbers(store, { by: [{ column: 'nope' }] }), TypeError)
    await assert.rejects(numbers(store, { of: 'sum', column: 'nope' }), TypeError)
  }),
]
