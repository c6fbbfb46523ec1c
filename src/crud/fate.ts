import { DaymarkError } from '../base/errors.js'

/** The outcome of the writes of an action or hook. One refused write fails all of it, even if the code catches the error. */
export interface Fate {
  refused: { readonly by: unknown } | null
  /** Whether anything was written. */
  wrote: boolean
}

export const newFate = (): Fate => ({ refused: null, wrote: false })

/** @throws DaymarkError the refusal of a write */
export function checkFate({ refused }: Fate): void {
  if (refused)
    throw refused.by instanceof DaymarkError ? refused.by : new Error('A write of an action or a hook failed', { cause: refused.by })
}
