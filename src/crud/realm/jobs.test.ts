import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryStore } from '../../store/memory.js'
import { type Job, type JobStore, jobStore, memoryJobs } from '../../store/panel/jobs.js'
import { waitedTooLong } from '../../store/queue.js'
import type { Waiting } from '../../store/store.js'
import { makeJobs } from './jobs.js'
import { hostOf } from './liveness.js'

const job = (more: Partial<Job>): Job => ({
  id: 'a',
  userId: 'ada',
  resourceUri: 'things',
  handlerUri: 'touch',
  label: 'Touch',
  state: 'running',
  done: 0,
  total: 9,
  cancelling: false,
  said: null,
  host: hostname(),
  pid: process.pid,
  boot: 'another one',
  createdAt: new Date(),
  beatAt: new Date(),
  endedAt: null,
  ifInterrupted: null,
  ...more,
})

afterEach(() => vi.useRealTimers())

/** What is said of a job that is looked at twice, half a minute apart. */
async function found(kept: Job, read: Partial<JobStore> = {}) {
  vi.useFakeTimers()
  const store = memoryJobs()
  await store.create(kept)
  const jobs = makeJobs({ ...store, ...read }, () => {})
  await jobs.find('a')
  vi.advanceTimersByTime(30_000)
  return (await jobs.find('a'))?.state
}

test('a job of another container, whose host has the same name and its process the same number, is not taken for dead', async () => {
  const there = `${hostname()} 00000000-0000-0000-0000-000000000000 pid:[4026530000]`
  expect(await found(job({ host: there }))).toBe('running')
})

describe('of one elsewhere that is silent by the clock', () => {
  const looked = async () => {
    vi.useFakeTimers()
    const store = memoryJobs()
    await store.create(job({ host: 'another', beatAt: new Date(Date.now() - 61_000) }))
    const jobs = makeJobs(store, () => {})
    const state = async () => (await jobs.find('a'))?.state
    expect(await state()).toBe('running')
    return { store, state }
  }

  test('its page says that it was interrupted only if it still is half a minute later', async () => {
    const { state } = await looked()
    vi.advanceTimersByTime(29_000)
    expect(await state()).toBe('running')
    vi.advanceTimersByTime(1000)
    expect(await state()).toBe('interrupted')
  })

  test('its page leaves one be that reports by a clock which is late', async () => {
    const { state, store } = await looked()
    for (let i = 0; i < 12; i++) {
      vi.advanceTimersByTime(10_000)
      await store.change('a', { beatAt: new Date(Date.now() - 61_000) })
      expect(await state()).toBe('running')
    }
  })
})

test.runIf(process.platform === 'linux')('nor is one of which nothing but a name is known', async () => {
  expect(await found(job({}))).toBe('running')
})

test('one that has said that it runs since it was read, or has ended, stays what it is', async () => {
  const silent = { beatAt: new Date(Date.now() - 61_000) }
  expect(await found(job({}), { find: async () => job(silent) })).toBe('running')
  expect(await found(job({ ...silent, state: 'done', endedAt: new Date() }), { find: async () => job(silent) })).toBe('done')
})

const plan = { userId: 'ada', resourceUri: 'things', handlerUri: 'touch', label: 'Touch', total: 3 }
const told = () => ({ text: 'Ended' })
const stepTo = async (done: number) => ({ done: 1, more: done < 2, said: null })

/** A store that is busy when it is asked to write some changes. */
function busy(isBusy: (to: Parameters<JobStore['change']>[1]) => boolean) {
  const store = memoryJobs()
  const changes: Parameters<JobStore['change']>[1][] = []
  const change: JobStore['change'] = async (id, to, how) => {
    if (isBusy(to)) throw waitedTooLong()
    changes.push(to)
    return store.change(id, to, how)
  }
  return { store: { ...store, change }, changes }
}

test('progress that the database is too busy to write is written with the next', async () => {
  const failures: unknown[] = []
  const { store, changes } = busy(({ done }) => done === 1)
  const jobs = makeJobs(store, (thrown) => failures.push(thrown))
  const { id } = await jobs.start(plan, {
    async step(done) {
      if (done === 1) expect((await jobs.find(id))?.done).toBe(1)
      return stepTo(done)
    },
    told,
  })
  await expect.poll(async () => (await jobs.find(id))?.state).toBe('done')
  await jobs.close()
  expect(changes.map(({ done, state }) => [done, state])).toEqual([
    [2, undefined],
    [3, undefined],
    [3, 'done'],
  ])
  expect(failures).toEqual([])
})

test('a job has ended as it did while the database is too busy to write that, and it is written then', async () => {
  let tries = 0
  const { store } = busy(({ state }) => state === 'done' && tries++ < 1)
  const jobs = makeJobs(store, () => {})
  const { id } = await jobs.start(plan, { step: stepTo, told })
  await expect.poll(async () => (await jobs.find(id))?.state).toBe('done')
  expect([tries, (await store.find(id))?.state]).toEqual([1, 'running'])
  expect(await jobs.cancel(id)).toMatchObject({ state: 'done', cancelling: false })
  await expect.poll(async () => (await store.find(id))?.state, { timeout: 5000 }).toBe('done')
  expect(await jobs.find(id)).toMatchObject({ state: 'done', done: 3 })
})

test('what a job writes of itself waits as long as its batches do', async () => {
  const waits: (Waiting | undefined)[] = []
  const memory = memoryStore()
  const kept = jobStore(
    async () => ({
      ...memory,
      transaction(fn, waiting) {
        waits.push(waiting)
        return memory.transaction(fn, waiting)
      },
    }),
    'admin',
  )
  const jobs = makeJobs(kept, () => {})
  const begun = performance.now()
  const { id } = await jobs.start({ ...plan, total: 1 }, { step: async () => ({ done: 1, more: false, said: null }), told })
  await expect.poll(async () => (await kept.find(id))?.state).toBe('done')
  expect(waits.slice(1).map((waiting) => (waiting?.until ?? 0) - begun > 50_000)).toEqual([true, true])
})

test('a job that counts as interrupted meanwhile goes no further, and stays so', async () => {
  const store = memoryJobs()
  const done: number[] = []
  const jobs = makeJobs(store, () => {})
  const step = async (at: number) => {
    done.push(at)
    await store.change(id, { state: 'interrupted', endedAt: new Date() })
    return stepTo(at)
  }
  const { id } = await jobs.start(plan, { step, told })
  await expect.poll(async () => (await jobs.find(id))?.state).toBe('interrupted')
  await jobs.close()
  expect([done, (await store.find(id))?.state]).toEqual([[0], 'interrupted'])
})

describe('jobs of others are watched', () => {
  const watched = async (kept: Job, change: Partial<JobStore> = {}) => {
    vi.useFakeTimers()
    const store = memoryJobs()
    await store.create(kept)
    const failures: unknown[] = []
    const jobs = makeJobs({ ...store, ...change }, (thrown) => failures.push(thrown), { add: async () => {} })
    jobs.watch()
    await vi.advanceTimersByTimeAsync(0)
    return { store, failures, state: async () => (await store.find('a'))?.state, close: jobs.close }
  }
  const silent = () => job({ host: 'another', beatAt: new Date(Date.now() - 61_000) })

  test('silent from one look to the next, one is interrupted', async () => {
    const { state } = await watched(silent())
    expect(await state()).toBe('running')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await state()).toBe('interrupted')
  })

  test('one that has reported in between is not', async () => {
    const { state, store } = await watched(silent())
    await store.change('a', { beatAt: new Date(Date.now() - 60_500) })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await state()).toBe('running')
  })

  test('nor is one that could not report, since the database was away', async () => {
    let looks = 0
    const kept = silent()
    const running = async () => {
      if (++looks === 2) throw waitedTooLong()
      return [kept]
    }
    const { state, failures, close } = await watched(kept, { running })
    await vi.advanceTimersByTimeAsync(120_000)
    expect([looks, await state(), failures]).toEqual([3, 'running', []])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await state()).toBe('interrupted')
    await close()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(looks).toBe(4)
  })

  test('what goes wrong is reported, and the next is looked at', async () => {
    const gone = { host: hostOf(), pid: spawnSync(process.execPath, ['--version']).pid }
    const change = async (id: string) => {
      if (id === 'a') throw new Error('No disk')
      changed.push(id)
      return null
    }
    const changed: string[] = []
    const running = async () => [job(gone), job({ ...gone, id: 'b' })]
    const { failures } = await watched(job(gone), { change, running })
    expect([failures, changed]).toEqual([[new Error('No disk')], ['b']])
  })
})
