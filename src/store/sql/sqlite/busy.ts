import { setTimeout as sleep } from 'node:timers/promises'
import type { Mapped } from '../dialect.js'
import { failure, isBusy } from './failure.js'

const longestPause = 160

/**
 * Retries with a pause of 5, 10, 20 … ms while another process locks the database, until `until` (of `performance.now()`). SQLite's own
 * busy timeout would block the event loop, and with it the work of ours that may hold the lock. The pauses vary, so that they never keep
 * step with somebody who locks it again and again.
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
    const time = pause * (0.5 + Math.random() / 2)
    if (performance.now() + time > until) throw failure(error, table)
    await sleep(time)
    try {
      return work()
    } catch (thrown) {
      if (!isBusy(thrown)) throw failure(thrown, table)
      error = thrown
    }
  }
}
