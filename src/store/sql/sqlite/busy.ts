import { setTimeout as sleep } from 'node:timers/promises'
import type { Mapped } from '../dialect.js'
import { failure, isBusy } from './failure.js'

const longestPause = 160

/**
 * Tries again while another process holds the database, after 5, 10, 20 … ms, until `until` (of `performance.now()`).
 * SQLite's own busy timeout would hold the whole process, and with it whatever could end the wait.
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
