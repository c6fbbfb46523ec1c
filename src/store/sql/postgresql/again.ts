import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from './failure.js'

const longestPause = 160

/**
 * Retries with a pause of about 5, 10, 20 … ms while PostgreSQL refuses for a passing reason, such as a deadlock, until `until` (of
 * `performance.now()`).
 */
export async function whilePassing<T>(work: () => Promise<T>, until: number): Promise<T> {
  for (let pause = 5; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() + pause > until) throw error
    }
    // Jitter, so that not all retry at the same time.
    await sleep(pause * (0.5 + Math.random()))
  }
}
