import { DaymarkError } from '../base/errors.js'

/** What became of the writes of an action or a hook: one that was refused takes all of it back, whatever is made of the refusal. */
export interface Fate {
  refused: { readonly by: unknown } | null
  /** Whether anything was written. */
  wrote: boolean
}

export const newFate = (): Fate => ({ refused: null, wrote: false })

/** @throws DaymarkError what a write was refused with */
export function checkFate({ refused }: Fate): void {
  if (refused)
    throw refused.by instanceof DaymarkError ? refused.by : new Error('A write of an action or a hook failed', { cause: refused.by })
}
