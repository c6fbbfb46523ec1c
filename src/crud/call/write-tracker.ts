import { setImmediate } from 'node:timers/promises'
import { DaymarkError } from '../../base/errors.js'
import { isLater } from '../../base/later.js'

/** The outcome of the writes of an action or hook. One refused write fails all of it, even if the code catches the error. */
export interface WriteTracker {
  refused: { readonly by: unknown } | null
  /** Whether anything was written. */
  wrote: boolean
  /** The reads and writes that have not ended, writes by what they do. */
  readonly pending: Map<Promise<unknown>, string | null>
  /** Whether the code has returned. */
  over: boolean
  /** A write that it did not await. */
  forgotten: string | null
}

export const newWriteTracker = (): WriteTracker => ({ refused: null, wrote: false, pending: new Map(), over: false, forgotten: null })

/**
 * Begins a read or write of an action or hook.
 *
 * @param write what it writes; null: it reads
 */
export function track<T>(tracker: WriteTracker, write: string | null, work: () => Promise<T>): Promise<T> {
  if (tracker.over) tracker.forgotten ??= write
  const working = work()
  tracker.pending.set(working, write)
  const end = () => void tracker.pending.delete(working)
  // Where nobody awaits it, a rejection would end the process.
  working.then(end, end)
  return working
}

/**
 * Runs an action or hook, and ends what it has begun: a write that it does not await would be lost with the transaction, or stand without
 * what is noted of it.
 *
 * @throws DaymarkError the refusal of a write; Error for a write that it did not await
 */
export async function runTracked<T>(tracker: WriteTracker, run: () => T): Promise<Awaited<T>> {
  const said = await toTheEnd(tracker, run)
  if (tracker.forgotten !== null) throw new Error(`A write was not awaited: ${tracker.forgotten}`)
  return said
}

async function toTheEnd<T>(tracker: WriteTracker, run: () => T): Promise<Awaited<T>> {
  let left = false
  try {
    const running = run()
    // Code that awaits nothing has left all of it, however soon that ends.
    left = !isLater(running) && tracker.pending.size > 0
    if (left) forget(tracker)
    const said = await running
    forget(tracker)
    if (tracker.forgotten === null) checkRefused(tracker)
    return said
  } finally {
    tracker.over = true
    for (; left || tracker.pending.size > 0; left = false) {
      await Promise.allSettled(tracker.pending.keys())
      // What follows on it in code that nobody awaits begins by then.
      await setImmediate()
    }
  }
}

function forget(tracker: WriteTracker): void {
  for (const write of tracker.pending.values()) tracker.forgotten ??= write
}

function checkRefused({ refused }: WriteTracker): void {
  if (refused)
    throw refused.by instanceof DaymarkError ? refused.by : new Error('A write of an action or a hook failed', { cause: refused.by })
}
