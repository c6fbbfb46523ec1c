import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { DaymarkError } from '../../base/errors.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Reads, Store, Writes } from '../store.js'
import { fill, refused, storeCase, turnCase } from './case.js'
import { models } from './tables.js'

const { places, regions } = models
const all: Condition = { op: 'and', all: [] }

export const transactionCases = [
  storeCase('what the function throws rolls everything back and is thrown on', async (store) => {
    await fill(store, regions, [{ name: 'North' }, { name: 'South' }])
    const thrown = new Error('no')
    const work = store.transaction(async (tx) => {
      await tx.create(regions, { name: 'East' })
      await tx.update(regions, 1, { name: 'Nord' })
      await tx.delete(regions, 2)
      throw thrown
    })
    await assert.rejects(work, (error) => error === thrown)
    assert.deepEqual(await store.findMany(regions, [1, 2, 3], ['name']), [['North'], ['South']])
    await fill(store, regions, [{ name: 'East' }, { name: 'Nord' }])
  }),

  storeCase('gives what the function gives; inside, what was written is read', async (store) => {
    const seen = await store.transaction(async (tx) => {
      const id = await tx.create(regions, { name: 'North' })
      await tx.update(regions, id, { name: 'Nord' })
      return [await tx.find(regions, id, ['name']), await tx.count(regions, all), await tx.findMany(regions, [id], ['id'])]
    })
    assert.deepEqual(seen, [['Nord'], 1, [[1]]])
  }),

  storeCase('what nobody waits for is taken back with all else, however soon the function throws', async (store) => {
    const thrown = new Error('no')
    const atOnce = store.transaction(async (tx) => {
      tx.create(regions, { name: 'North' }).catch(() => {})
      throw thrown
    })
    await assert.rejects(atOnce, (error) => error === thrown)
    const beside = store.transaction((tx) => Promise.all([tx.create(regions, { name: 'South' }), Promise.reject(thrown)]))
    await assert.rejects(beside, (error) => error === thrown)
    const read = store.transaction(async (tx) => {
      await tx.count(regions, all)
      tx.create(regions, { name: 'East' }).catch(() => {})
      throw thrown
    })
    await assert.rejects(read, (error) => error === thrown)
    // Any write still in flight arrives before this one.
    await fill(store, regions, [{ name: 'West' }])
    assert.equal(await store.count(regions, all), 1)
  }),

  storeCase('what is asked for at once is done in that order', async (store) => {
    await fill(store, regions, [{ name: 'North' }])
    const seen = await store.transaction(async (tx) => {
      const asked = [
        tx.find(regions, 1, ['name']),
        tx.update(regions, 1, { name: 'Nord' }),
        tx.find(regions, 1, ['name']),
        tx.create(regions, { name: 'South' }),
        tx.count(regions, all),
        tx.delete(regions, 1),
        tx.find(regions, 1, ['name']),
      ]
      return Promise.all(asked)
    })
    assert.deepEqual(seen, [['North'], 1, ['Nord'], 2, 2, 1, null])
    const refusing = store.transaction(async (tx) => {
      const asked = [tx.update(regions, 2, { name: 'Nord' }), tx.create(regions, { name: 'Nord' }), tx.find(regions, 2, ['name'])]
      const [, second, third] = await Promise.allSettled(asked)
      assert.deepEqual([second?.status, third?.status], ['rejected', 'rejected'])
    })
    await refused(refusing, 'conflict', ['name'])
    assert.deepEqual(await store.find(regions, 2, ['name']), ['South'])
  }),

  storeCase('what the database refused makes the whole transaction fail, even where it is caught', async (store) => {
    await fill(store, regions, [{ name: 'North' }])
    const work = store.transaction(async (tx) => {
      await tx.create(regions, { name: 'South' })
      await tx.create(regions, { name: 'North' }).catch(() => {})
      await tx.create(regions, { name: 'East' }).catch(() => {})
    })
    await refused(work, 'conflict', ['name'])
    assert.equal(await store.count(regions, all), 1)
    await fill(store, regions, [{ name: 'South' }])
  }),

  storeCase('of 20 updates under one condition, at the same time, exactly one happens', async (store) => {
    await fill(store, places, [{ name: 'x', people: 0 }])
    const changed = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.transaction(async (tx) => {
          await tx.find(places, 1, ['people'])
          return tx.update(places, 1, { people: index + 1 }, { op: 'eq', column: 'people', value: 0 })
        }),
      ),
    )
    assert.deepEqual(changed.filter((count) => count === 1).length, 1)
    assert.deepEqual(await store.find(places, 1, ['people']), [changed.indexOf(1) + 1])
  }),

  storeCase('reads outside never see what is not committed', async (store) => {
    await fill(store, places, [{ name: 'x', people: 1 }])
    const seen: unknown[] = []
    const { began, end, done } = held(store, (tx) => tx.update(places, 1, { people: 2 }))
    await began
    const reading = store.find(places, 1, ['people']).then((row) => seen.push(row?.[0]))
    await sleep(20)
    assert.notDeepEqual(seen, [2])
    end()
    await Promise.all([done, reading])
    assert.deepEqual(await store.find(places, 1, ['people']), [2])

    const {
      began: again,
      end: fail,
      done: failed,
    } = held(store, async (tx) => {
      await tx.update(places, 1, { people: 3 })
      return Promise.reject.bind(Promise, new Error('no'))
    })
    await again
    const meanwhile = store.find(places, 1, ['people'])
    fail()
    await assert.rejects(failed)
    assert.deepEqual(await meanwhile, [2])
  }),

  turnCase('writers take turns in the order of asking', async (store) => {
    const order: number[] = []
    const turn = (index: number) =>
      store.transaction(async (tx) => {
        order.push(index)
        await tx.create(regions, { name: `${index}` })
        await sleep(1)
        order.push(index)
      })
    await Promise.all(Array.from({ length: 10 }, (_, index) => turn(index)))
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, index) => Math.floor(index / 2)),
    )
  }),

  turnCase('a writer whose wait is over gets a 503, and the rest goes on', async (store) => {
    const { began, end, done } = held(store, (tx) => tx.create(regions, { name: 'North' }))
    await began
    const start = performance.now()
    let ran = false
    const late = store.transaction(
      async () => {
        ran = true
      },
      { until: start + 50 },
    )
    await assert.rejects(
      late,
      (error) => error instanceof DaymarkError && error.code === 'unavailable' && Number(error.headers['retry-after']) > 0,
    )
    assert.ok(performance.now() - start < 1000)
    const next = fill(store, regions, [{ name: 'South' }])
    end()
    await Promise.all([done, next])
    assert.equal(ran, false)
    assert.equal(await store.count(regions, all), 2)
  }),

  storeCase('a transaction cannot be used after its end', async (store) => {
    let kept: (Reads & Writes) | undefined
    await store.transaction(async (tx) => {
      kept = tx
    })
    const tx = kept as Reads & Writes
    await assert.rejects(tx.create(regions, { name: 'North' }))
    await assert.rejects(tx.count(regions, all))
    assert.equal(await store.count(regions, all), 0)
  }),

  storeCase('a transaction inside a transaction is refused, and not waited for', async (store) => {
    const nested = store.transaction(() => store.transaction(async () => 1, { until: performance.now() + 200 }))
    await assert.rejects(nested)
    await fill(store, regions, [{ name: 'North' }])
  }),

  storeCase('what a transaction set going may write after its end', async (store) => {
    const later = await store.transaction(async (tx) => {
      await tx.create(regions, { name: 'North' })
      return { writing: sleep(20).then(() => fill(store, regions, [{ name: 'South' }])) }
    })
    await later.writing
    assert.equal(await store.count(regions, all), 2)
  }),

  {
    name: 'close waits for the write in flight, may be repeated, and ends all use',
    async run(open: () => Store | Promise<Store>) {
      const store = await open()
      const { began, end, done } = held(store, (tx) => tx.create(regions, { name: 'North' }))
      await began
      let closed = false
      const closing = store.close().then(() => {
        closed = true
      })
      await sleep(20)
      assert.equal(closed, false)
      end()
      await Promise.all([done, closing])
      await store.close()
      await assert.rejects(store.count(regions, all))
      await assert.rejects(store.transaction(async () => 1))
    },
  },
]

/** A transaction that does its work and stays open until `end` is called. A function that `work` returns runs at the end. */
function held(store: Store, work: (tx: Reads & Writes) => Promise<unknown>) {
  let begin = () => {}
  let end = () => {}
  const began = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ending = new Promise<void>((resolve) => {
    end = resolve
  })
  const done = store.transaction(async (tx) => {
    const last = await work(tx)
    begin()
    await ending
    if (typeof last === 'function') await last()
  })
  return { began, end: () => end(), done }
}
