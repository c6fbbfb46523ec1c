import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { memoryStore } from '../../store/memory.js'
import { type Job, type JobStore, jobStore, memoryJobs } from '../../store/panel/jobs.js'
import { waitedTooLong } from '../../store/queue.js'
import type { Waiting } from '../../store/store.js'
import { makeJobs } from './jobs.js'

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
  ...more,
})

async function found(kept: Job, read: Partial<JobStore> = {}) {
  const store = memoryJobs()
  await store.create(kept)
  return (await makeJobs({ ...store, ...read }, () => {}).find('a'))?.state
}

test('a job of another container, whose host has the same name and its process the same number, is not taken for dead', async () => {
  const there = `${hostname()} 00000000-0000-0000-0000-000000000000 pid:[4026530000]`
  expect(await found(job({ host: there }))).toBe('running')
  expect(await found(job({ host: there, beatAt: new Date(Date.now() - 61_000) }))).toBe('interrupted')
})

test.runIf(process.platform === 'linux')('nor is one of which nothing but a name is known', async () => {
  expect(await found(job({}))).toBe('running')
})

test('one that has said that it runs since it was read, or has ended, stays what it is', async () => {
  const silent = { beatAt: new Date(Date.now() - 61_000) }
  expect(await found(job({}), { find: async () => job(silent) })).toBe('running')
  expect(await found(job({ ...silent, state: 'done' }), { find: async () => job(silent) })).toBe('done')
})

const plan = { userId: 'ada', resourceUri: 'things', handlerUri: 'touch', label: 'Touch', total: 3 }
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
  const jobs = makeJobs(store, (_, thrown) => failures.push(thrown))
  const { id } = await jobs.start(plan, {
    async step(done) {
      if (done === 1) expect((await jobs.find(id))?.done).toBe(1)
      return stepTo(done)
    },
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
  const { id } = await jobs.start(plan, { step: stepTo })
  await expect.poll(async () => (await jobs.find(id))?.state).toBe('done')
  expect([tries, (await store.find(id))?.state]).toEqual([1, 'running'])
  expect(await jobs.cancel(id)).toMatchObject({ state: 'done', cancelling: false })
  await expect.poll(async () => (await store.find(id))?.state, { timeout: 5000 }).toBe('done')
  expect(await jobs.find(id)).toMatchObject({ state: 'done', done: 3 })
})

test('what a job writes of itself waits as long as its batches do', async () => {
  const waits: (Waiting | undefined)[] = []
  const memory = memoryStore()
  const kept = jobStore(async () => ({
    ...memory,
    transaction(fn, waiting) {
      waits.push(waiting)
      return memory.transaction(fn, waiting)
    },
  }))
  const jobs = makeJobs(kept, () => {})
  const begun = performance.now()
  const { id } = await jobs.start({ ...plan, total: 1 }, { step: async () => ({ done: 1, more: false, said: null }) })
  await expect.poll(async () => (await kept.find(id))?.state).toBe('done')
  expect(waits.slice(1).map((waiting) => (waiting?.until ?? 0) - begun > 50_000)).toEqual([true, true])
})
