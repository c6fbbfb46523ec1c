import { setTimeout as sleep } from 'node:timers/promises'
import type { Mapped } from '../dialect.js'
import { failure, isBusy } from './failure.js'

const longestPause = 160

/**
 * Retries with a pause of 5, 10, 20 … ms while another process locks the database, until `until` (of `performance.now()`). SQLite's own
 * busy timeout would block the event loop, and with it the work of ours that may hold the lock.
 */
export function whileBusy<T>(work: () => T, until: number, table: Mapped | null): T | Promise<T> {
  try {
    return work()
  } catch (error) {
    if (!isBusy(error)) throw failure(error, table)
    return again(work, until, table, error)
  }
}

async function again<T>(work: () => T, until: number, table: Mapped | null, first: unknown): Promise<T> {
  let error = first
  for (let pause = 5; ; pause = Math.min(pause * 2, longestPause)) {
    if (performance.now() + pause > until) throw failure(error, table)
    await sleep(pause)
    try {
      return work()
    } catch (thrown) {
      if (!isBusy(thrown)) throw failure(thrown, table)
      error = thrown
    }
  }
}
