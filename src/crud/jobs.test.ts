import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { type Job, type JobStore, memoryJobs } from '../store/panel/jobs.js'
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
