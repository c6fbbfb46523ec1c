import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from './failure.js'

const longestPause = 160

/** Does the work again while PostgreSQL refuses it for what passes, as for the sake of others, after about 5, 10, 20 … ms, until `until` (of `performance.now()`). */
export async function whilePassing<T>(work: () => Promise<T>, until: number): Promise<T> {
  for (let pause = 5; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() + pause > until) throw error
    }
    // Not all at the same time.
    await sleep(pause * (0.5 + Math.random()))
  }
}
