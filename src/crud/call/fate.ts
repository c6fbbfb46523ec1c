import { setImmediate } from 'node:timers/promises'
import { DaymarkError } from '../../base/errors.js'
import { isLater } from '../../base/later.js'

/** The outcome of the writes of an action or hook. One refused write fails all of it, even if the code catches the error. */
export interface Fate {
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

export const newFate = (): Fate => ({ refused: null, wrote: false, pending: new Map(), over: false, forgotten: null })

/**
 * Begins a read or write of an action or hook.
 *
 * @param write what it writes; null: it reads
 */
export function begun<T>(fate: Fate, write: string | null, work: () => Promise<T>): Promise<T> {
  if (fate.over) fate.forgotten ??= write
  const working = work()
  fate.pending.set(working, write)
  const end = () => void fate.pending.delete(working)
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
export async function fated<T>(fate: Fate, run: () => T): Promise<Awaited<T>> {
  const said = await toTheEnd(fate, run)
  if (fate.forgotten !== null) throw new Error(`A write was not awaited: ${fate.forgotten}`)
  return said
}

async function toTheEnd<T>(fate: Fate, run: () => T): Promise<Awaited<T>> {
  let left = false
  try {
    const running = run()
    // Code that awaits nothing has left all of it, however soon that ends.
    left = !isLater(running) && fate.pending.size > 0
    if (left) forget(fate)
    const said = await running
    forget(fate)
    if (fate.forgotten === null) checkRefused(fate)
    return said
  } finally {
    fate.over = true
    for (; left || fate.pending.size > 0; left = false) {
      await Promise.allSettled(fate.pending.keys())
      // What follows on it in code that nobody awaits begins by then.
      await setImmediate()
    }
  }
}

function forget(fate: Fate): void {
  for (const write of fate.pending.values()) fate.forgotten ??= write
}

function checkRefused({ refused }: Fate): void {
  if (refused)
    throw refused.by instanceof DaymarkError ? refused.by : new Error('A write of an action or a hook failed', { cause: refused.by })
}
