import assert from 'node:assert/strict'
import type { Condition } from '../../resource/condition/condition.js'
import { fill, keysWhere, refused, refusedReference, storeCase } from './case.js'
import { models } from './tables.js'

const { places, regions, flakes, slugs } = models
const all: Condition = { op: 'and', all: [] }
const peopleIs = (value: unknown): Condition => ({ op: 'eq', column: 'people', value })

export const writeCases = [
  storeCase('create gives the key, made by the database or given', async (store) => {
    assert.deepEqual(await fill(store, regions, [{ name: 'North' }, { id: 40, name: 'South' }, { name: 'East' }]), [1, 40, 41])
    const key = 2n ** 60n + 1n
    assert.deepEqual(await fill(store, flakes, [{ id: key, name: 'big' }, { id: 5n }]), [key, 5n])
    assert.deepEqual(await store.find(flakes, key, ['id', 'name']), [key, 'big'])
    const slug = `it's "50%" /?&\\ ü😀`
    assert.deepEqual(await fill(store, slugs, [{ slug, name: 'odd' }]), [slug])
    assert.deepEqual(await store.findMany(slugs, [slug, 'none'], ['slug', 'name']), [[slug, 'odd']])
  }),

  storeCase('create fills in the defaults of the schema, where nothing is given', async (store) => {
    const defaults = ['open', 'status', 'madeBy', 'changes', 'code']
    await fill(store, places, [{ name: 'a' }, { name: 'b', open: false, status: '', madeBy: null, changes: 1 }])
    assert.deepEqual(await store.find(places, 1, defaults), [true, 'draft', 'the schema', 7, null])
    assert.deepEqual(await store.find(places, 2, defaults), [false, '', null, 1, null])
  }),

  storeCase('create with nothing given is refused for what is required, and only for that', async (store) => {
    await refused(
      store.transaction((tx) => tx.create(places, {})),
      'invalid',
      ['name'],
    )
    await refused(
      store.transaction((tx) => tx.create(slugs, {})),
      'invalid',
      ['slug'],
    )
    await refused(
      store.transaction((tx) => tx.create(places, { name: null })),
      'invalid',
      ['name'],
    )
    assert.equal(await store.count(places, all), 0)
  }),

  storeCase('update changes what is given and says how many records that were', async (store) => {
    await fill(store, places, [
      { name: 'a', people: 1, changes: 0, code: 'x' },
      { name: 'b', people: 1, changes: 0 },
    ])
    await store.transaction(async (tx) => {
      assert.equal(await tx.update(places, 1, { people: 2, code: null }), 1)
      assert.equal(await tx.update(places, 99, { people: 2 }), 0)
      assert.equal(await tx.update(places, 2, { people: 3 }, peopleIs(2)), 0)
      assert.equal(await tx.update(places, 2, { people: 3, changes: 4 }, peopleIs(1)), 1)
      assert.equal(await tx.update(places, 2, { id: 20 }), 1)
    })
    assert.deepEqual(await store.find(places, 1, ['people', 'code', 'name', 'changes', 'madeBy']), [2, null, 'a', 7, 'the schema'])
    assert.deepEqual(await store.find(places, 20, ['people', 'changes', 'name']), [3, 7, 'b'])
    assert.equal(await store.find(places, 2, ['id']), null)
  }),

  storeCase('update with nothing to set changes nothing and still says how many', async (store) => {
    await fill(store, regions, [{ name: 'North' }])
    await store.transaction(async (tx) => {
      assert.equal(await tx.update(regions, 1, {}), 1)
      assert.equal(await tx.update(regions, 1, {}, { op: 'eq', column: 'name', value: 'South' }), 0)
      assert.equal(await tx.update(regions, 2, {}), 0)
    })
    assert.deepEqual(await store.find(regions, 1, ['name']), ['North'])
  }),

  storeCase('delete and deleteMany say how many records that were', async (store) => {
    await fill(
      store,
      places,
      [1, 2, 3, 1, 2, 3].map((people) => ({ name: 'x', people })),
    )
    await store.transaction(async (tx) => {
      assert.equal(await tx.delete(places, 99), 0)
      assert.equal(await tx.delete(places, 1, peopleIs(2)), 0)
      assert.equal(await tx.delete(places, 1, peopleIs(1)), 1)
      assert.equal(await tx.delete(places, 1), 0)
      assert.equal(await tx.deleteMany(places, []), 0)
      assert.equal(await tx.deleteMany(places, [1, 2, 3, 3, 99], peopleIs(2)), 1)
      assert.equal(
        await tx.deleteMany(
          places,
          Array.from({ length: 5000 }, (_, index) => index + 3),
        ),
        4,
      )
    })
    assert.equal(await store.count(places, all), 0)
  }),

  storeCase('a unique value that is taken is a conflict that names its columns', async (store) => {
    await fill(store, regions, [{ name: 'North' }, { name: 'South' }])
    await fill(store, places, [
      { name: 'a', code: 'x', regionId: 1, slot: 1 },
      { name: 'b', code: null, regionId: 1, slot: 2 },
      { name: 'c', code: null, regionId: null, slot: 2 },
    ])
    await refused(
      store.transaction((tx) => tx.create(regions, { name: 'North' })),
      'conflict',
      ['name'],
    )
    await refused(
      store.transaction((tx) => tx.create(regions, { id: 2, name: 'West' })),
      'conflict',
      ['id'],
    )
    await refused(
      store.transaction((tx) => tx.update(regions, 2, { name: 'North' })),
      'conflict',
      ['name'],
    )
    await refused(
      store.transaction((tx) => tx.update(regions, 2, { id: 1 })),
      'conflict',
      ['id'],
    )
    await refused(
      store.transaction((tx) => tx.update(places, 2, { code: 'x' })),
      'conflict',
      ['code'],
    )
    await refused(
      store.transaction((tx) => tx.create(places, { name: 'd', regionId: 1, slot: 2 })),
      'conflict',
      ['regionId', 'slot'],
    )
    await refused(
      store.transaction((tx) => tx.update(places, 2, { slot: 1 })),
      'conflict',
      ['regionId', 'slot'],
    )
    await store.transaction(async (tx) => {
      assert.equal(await tx.update(places, 1, { code: 'x', slot: 1 }), 1)
      await tx.create(places, { name: 'e', regionId: null, slot: 2 })
    })
    assert.deepEqual(await keysWhere(store, places, all), [1, 2, 3, 4])
  }),

  storeCase('a reference to nothing is a conflict, and so is a delete of what is referred to', async (store) => {
    await fill(store, regions, [{ name: 'North' }, { name: 'South' }])
    await fill(store, places, [
      { name: 'a', regionId: 1 },
      { name: 'b', parentId: 1 },
    ])
    await refusedReference(
      store.transaction((tx) => tx.create(places, { name: 'c', regionId: 99 })),
      'regionId',
    )
    await refusedReference(
      store.transaction((tx) => tx.update(places, 1, { regionId: 99 })),
      'regionId',
    )
    await refused(
      store.transaction((tx) => tx.delete(regions, 1)),
      'conflict',
      [],
    )
    await refused(
      store.transaction((tx) => tx.deleteMany(regions, [2, 1])),
      'conflict',
      [],
    )
    await refused(
      store.transaction((tx) => tx.update(regions, 1, { id: 9 })),
      'conflict',
      [],
    )
    await refused(
      store.transaction((tx) => tx.delete(places, 1)),
      'conflict',
      [],
    )
    assert.deepEqual([await store.count(regions, all), await store.count(places, all)], [2, 2])
    await store.transaction(async (tx) => {
      assert.equal(await tx.deleteMany(places, [1, 2]), 2)
      assert.equal(await tx.delete(regions, 1), 1)
    })
  }),

  storeCase('refuses to set a column that does not exist', async (store) => {
    await refused(
      store.transaction((tx) => tx.create(places, { name: 'a', nope: 1 })),
      'invalid',
      ['nope'],
    )
    await refused(
      store.transaction((tx) => tx.create(places, JSON.parse('{ "name": "a", "__proto__": 1 }'))),
      'invalid',
      ['__proto__'],
    )
    assert.equal(await store.count(places, all), 0)
  }),
]
