import assert from 'node:assert/strict'
import type { Condition } from '../../resource/condition/condition.js'
import type { ListQuery, Order, Store } from '../store.js'
import { fill, keysBy, storeCase } from './case.js'
import { models } from './tables.js'

const { places } = models

// Every combination of values, with ties and nulls.
const rows = [null, -3, 0, 12].flatMap((people) =>
  [null, 0.5, 0.25].flatMap((area) =>
    [null, 'a', 'B'].flatMap((madeBy) =>
      [true, false].map((open) => ({
        name: `${people} ${area}`,
        people,
        area,
        madeBy,
        open,
        views: people === null ? null : BigInt(people),
        seenAt: people === null ? null : new Date(people),
      })),
    ),
  ),
)

const by = (column: string, direction: Order['direction']): Order => ({ column, direction })

const orders: readonly (readonly Order[])[] = [
  [by('id', 'ASC')],
  [by('id', 'DESC')],
  [by('name', 'ASC'), by('id', 'ASC')],
  [by('name', 'DESC'), by('id', 'DESC')],
  [by('open', 'DESC'), by('id', 'ASC')],
  [by('people', 'ASC'), by('id', 'ASC')],
  [by('people', 'DESC'), by('id', 'ASC')],
  [by('people', 'ASC'), by('id', 'DESC')],
  [by('people', 'DESC'), by('id', 'DESC')],
  [by('views', 'ASC'), by('id', 'ASC')],
  [by('seenAt', 'DESC'), by('id', 'ASC')],
  [by('people', 'ASC'), by('area', 'DESC'), by('madeBy', 'ASC'), by('id', 'DESC')],
  [by('madeBy', 'DESC'), by('open', 'ASC'), by('area', 'ASC'), by('people', 'DESC'), by('id', 'ASC')],
]

export const positionCases = [
  storeCase('orders by several columns in mixed directions, nulls last in both', async (store) => {
    await fill(store, places, [
      { id: 1, name: 'a', people: null, area: 1 },
      { id: 2, name: 'b', people: 5, area: null },
      { id: 3, name: 'c', people: 5, area: 2 },
      { id: 4, name: 'd', people: 9, area: 2 },
      { id: 5, name: 'e', people: null, area: null },
      { id: 6, name: 'f', people: 5, area: 3 },
    ])
    const ids = async (...order: Order[]) => (await store.list(places, keysBy(places, order))).map(([id]) => id)
    assert.deepEqual(await ids(by('people', 'ASC')), [2, 3, 6, 4, 1, 5])
    assert.deepEqual(await ids(by('people', 'DESC')), [4, 2, 3, 6, 1, 5])
    assert.deepEqual(await ids(by('people', 'ASC'), by('area', 'DESC')), [6, 3, 2, 4, 1, 5])
    assert.deepEqual(await ids(by('people', 'DESC'), by('area', 'ASC')), [4, 3, 6, 2, 1, 5])
    assert.deepEqual(await ids(by('area', 'DESC'), by('id', 'DESC')), [6, 4, 3, 1, 5, 2])
  }),

  storeCase('orders big integers as numbers', async (store) => {
    await fill(
      store,
      places,
      [9n, 10n, -2n, 2n ** 62n, -(2n ** 63n), null].map((views, index) => ({ id: index + 1, name: 'x', views })),
    )
    const ids = (await store.list(places, keysBy(places, [by('views', 'ASC')]))).map(([id]) => id)
    assert.deepEqual(ids, [5, 3, 1, 2, 4, 6])
  }),

  storeCase('skips by offset', async (store) => {
    await fill(store, places, rows)
    const all = await store.list(places, keysBy(places, [by('people', 'ASC')]))
    for (const offset of [0, 1, 10, rows.length - 1, rows.length, 500]) {
      assert.deepEqual(await store.list(places, keysBy(places, [by('people', 'ASC')], { limit: 7, offset })), all.slice(offset, offset + 7))
    }
  }),

  storeCase('counts an offset from the end, and gives the rows in the order of the list', async (store) => {
    await fill(store, places, rows)
    const all = await store.list(places, keysBy(places, [by('people', 'DESC')]))
    for (const offset of [0, 1, 10, rows.length - 3, rows.length, 500]) {
      const page = await store.list(places, keysBy(places, [by('people', 'DESC')], { limit: 7, offset, fromEnd: true }))
      assert.deepEqual(page, all.slice(Math.max(0, rows.length - offset - 7), Math.max(0, rows.length - offset)))
    }
  }),

  storeCase('walks by position over every row exactly once, forwards and backwards', async (store) => {
    await fill(store, places, rows)
    for (const order of orders) {
      for (const limit of [1, 7, rows.length + 1]) await walk(store, order, { op: 'and', all: [] }, limit, rows.length)
      await walk(
        store,
        order,
        {
          op: 'or',
          all: [
            { op: 'ne', column: 'people', value: 0 },
            { op: 'eq', column: 'open', value: true },
          ],
        },
        4,
        63,
      )
    }
  }),

  storeCase('a position need not be a row that is there', async (store) => {
    await fill(
      store,
      places,
      [10, 20, null].map((people, index) => ({ id: index + 1, name: 'x', people })),
    )
    const from = async (side: 'after' | 'before', ...values: unknown[]) =>
      (await store.list(places, keysBy(places, [by('people', 'ASC')], { position: { side, values } }))).map(([id]) => id)
    assert.deepEqual(await from('after', 15, 99), [2, 3])
    assert.deepEqual(await from('before', 15, 99), [1])
    assert.deepEqual(await from('after', null, 3), [])
    assert.deepEqual(await from('after', null, 2), [3])
    assert.deepEqual(await from('before', null, 3), [1, 2])
    assert.deepEqual(await from('before', 10, 1), [])
  }),
]

async function walk(store: Store, order: readonly Order[], where: Condition, limit: number, expected: number): Promise<void> {
  const columns = [...new Set([...order.map((step) => step.column), 'id'])]
  const query: ListQuery = { columns, where, order, limit }
  const all = await store.list(places, { ...query, limit: 1000 })
  assert.equal(all.length, expected)
  const positionOf = (row: readonly unknown[]) => order.map((step) => row[columns.indexOf(step.column)])
  const said = JSON.stringify({ order, limit })

  let walked: (readonly unknown[])[] = []
  for (let page = await store.list(places, query); page.length > 0; ) {
    walked.push(...page)
    page = await store.list(places, { ...query, position: { side: 'after', values: positionOf(page.at(-1) as unknown[]) } })
  }
  assert.deepEqual(walked, all, said)

  walked = all.slice(-1)
  for (;;) {
    const page = await store.list(places, { ...query, position: { side: 'before', values: positionOf(walked[0] as unknown[]) } })
    if (page.length === 0) break
    walked.unshift(...page)
  }
  assert.deepEqual(walked, all, said)
}
