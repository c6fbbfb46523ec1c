import assert from 'node:assert/strict'
import type { Condition } from '../../resource/condition/condition.js'
import { fill, keysBy, keysWhere, storeCase } from './case.js'
import { models } from './tables.js'

const { places } = models

const rows = [
  {
    id: 1,
    name: 'Oslo',
    people: 700,
    area: 1.5,
    open: true,
    seenAt: new Date('2026-01-01T00:00:00.500Z'),
    views: 9n,
    price: '9.5',
    code: 'a',
  },
  {
    id: 2,
    name: 'Bergen',
    people: 300,
    area: -2.25,
    open: false,
    seenAt: new Date('2026-01-02T00:00:00Z'),
    views: 10n,
    price: '10',
    code: 'B',
  },
  { id: 3, name: 'bergen', people: 300, area: null, open: false, seenAt: null, views: null, price: null, code: null },
  {
    id: 4,
    name: 'Ålesund',
    people: null,
    area: 0,
    open: true,
    seenAt: new Date('1969-07-20T20:17:40Z'),
    views: -1n,
    price: '-0.5',
    code: 'ab',
  },
]

const at = (op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', column: string, value: unknown): Condition => ({ op, column, value })
const not = (of: Condition): Condition => ({ op: 'not', of })
const some = (...all: Condition[]): Condition => ({ op: 'or', all })
const every = (...all: Condition[]): Condition => ({ op: 'and', all })
const among = (column: string, ...values: unknown[]): Condition => ({ op: 'in', column, values })

const conditions: readonly (readonly [Condition, readonly number[]])[] = [
  [every(), [1, 2, 3, 4]],
  [some(), []],
  [not(some()), [1, 2, 3, 4]],
  [at('eq', 'people', 300), [2, 3]],
  [at('ne', 'people', 300), [1, 4]],
  [at('eq', 'people', null), [4]],
  [at('ne', 'people', null), [1, 2, 3]],
  [at('gt', 'people', 300), [1]],
  [at('gte', 'people', 300), [1, 2, 3]],
  [at('lt', 'people', 700), [2, 3]],
  [at('lte', 'people', 700), [1, 2, 3]],
  [at('gt', 'people', null), []],
  [at('lte', 'people', null), []],
  [not(at('gt', 'people', 300)), [2, 3, 4]],
  [not(at('eq', 'people', 300)), [1, 4]],
  [not(at('ne', 'people', 300)), [2, 3]],
  [not(not(at('lt', 'people', 700))), [2, 3]],
  [not(some(at('eq', 'people', 700), at('lt', 'area', 0))), [3, 4]],
  [every(at('eq', 'people', 300), at('eq', 'open', false), some(at('eq', 'id', 3), at('eq', 'id', 1))), [3]],
  [at('eq', 'name', 'bergen'), [3]],
  [at('lt', 'area', 0), [2]],
  [at('gte', 'area', -0), [1, 4]],
  [at('eq', 'open', true), [1, 4]],
  [at('gt', 'seenAt', new Date('2026-01-01T00:00:00.499Z')), [1, 2]],
  [at('eq', 'seenAt', new Date('2026-01-01T00:00:00.500Z')), [1]],
  [at('lt', 'seenAt', new Date(0)), [4]],
  [at('gt', 'views', 9n), [2]],
  [at('lte', 'views', 9n), [1, 4]],
  [at('eq', 'views', 10n), [2]],
  [at('gt', 'price', '9.5'), [2]],
  [at('eq', 'price', '9.50'), [1]],
  [among('people'), []],
  [not(among('people')), [1, 2, 3, 4]],
  [among('people', 300, 5), [2, 3]],
  [among('people', 700, null), [1]],
  [not(among('people', 700)), [2, 3, 4]],
  [among('name', "it's", 'Bergen', '"', '\\'), [2]],
  [among('area', 0.1, -2.25, 1.5), [1, 2]],
  [among('open', true), [1, 4]],
  [among('seenAt', new Date('2026-01-02T00:00:00Z')), [2]],
  [among('views', 10n, -1n), [2, 4]],
  [among('price', '9.5', '10'), [1, 2]],
  [among('id', ...Array.from({ length: 5000 }, (_, index) => index + 3)), [3, 4]],
]

export const readCases = [
  storeCase('lists what meets a condition, by every operator', async (store) => {
    await fill(store, places, rows)
    for (const [where, ids] of conditions) {
      assert.deepEqual(
        await keysWhere(store, places, where),
        ids,
        JSON.stringify(where, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
      )
      assert.equal(await store.count(places, where), ids.length)
    }
  }),

  storeCase('gives the columns that are asked for, in their order, as Drizzle decodes them', async (store) => {
    await fill(store, places, rows)
    const columns = ['views', 'open', 'id', 'seenAt', 'area', 'name', 'price', 'status']
    assert.deepEqual(await store.list(places, { ...keysBy(places), columns, limit: 1 }), [
      [9n, true, 1, new Date('2026-01-01T00:00:00.500Z'), 1.5, 'Oslo', '9.5', 'draft'],
    ])
  }),

  storeCase('counts up to a cap', async (store) => {
    await fill(store, places, rows)
    assert.equal(await store.count(places, every(), 3), 3)
    assert.equal(await store.count(places, every(), 4), 4)
    assert.equal(await store.count(places, every(), 10), 4)
    assert.equal(await store.count(places, at('eq', 'people', 300), 1), 1)
  }),

  storeCase('finds a record by its key, where it also meets a condition', async (store) => {
    await fill(store, places, rows)
    assert.deepEqual(await store.find(places, 2, ['name', 'id']), ['Bergen', 2])
    assert.deepEqual(await store.find(places, 2, ['name'], at('eq', 'open', false)), ['Bergen'])
    assert.equal(await store.find(places, 2, ['name'], at('eq', 'open', true)), null)
    assert.equal(await store.find(places, 99, ['name']), null)
  }),

  storeCase('finds any number of records by their keys', async (store) => {
    const ids = Array.from({ length: 5000 }, (_, index) => index + 1)
    await fill(
      store,
      models.regions,
      ids.map((id) => ({ id, name: `Region ${id}` })),
    )
    const keys = [...ids.slice(10), 10_000, 11, 12]
    const found = await store.findMany(models.regions, keys, ['id', 'name'])
    assert.equal(found.length, 4990)
    assert.deepEqual(
      found.map(([id]) => id as number).sort((a, b) => a - b),
      ids.slice(10),
    )
    assert.deepEqual(await store.findMany(models.regions, keys, ['name'], at('lt', 'id', 12)), [['Region 11']])
    assert.deepEqual(await store.findMany(models.regions, [], ['name']), [])
  }),

  storeCase('refuses a column that does not exist, wherever it is named', async (store) => {
    await assert.rejects(store.list(places, keysBy(places, [], { columns: ['nope'] })), TypeError)
    await assert.rejects(store.list(places, keysBy(places, [{ column: '__proto__', direction: 'ASC' }])), TypeError)
    await assert.rejects(store.count(places, at('eq', 'nope', 1)), TypeError)
    await assert.rejects(store.count(places, { op: 'search', columns: ['nope'], words: [] }), TypeError)
  }),
]
