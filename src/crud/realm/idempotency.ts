import { DaymarkError } from '../../base/errors.js'

/** How to answer a form that is sent again under the same key. */
export interface RepeatOptions<T> {
  /** Whether the answer can be given twice, to a duplicate that was sent while the first was still running. */
  shares?(outcome: T): boolean
  /** Whether to keep the answer in memory after it was given. */
  keeps?(outcome: T): boolean
  /** What to keep instead of the answer, and how to restore it: a record may be large. */
  readonly small?: { of(outcome: T): unknown; again(kept: unknown): Promise<T> }
  /** What to say if the duplicate has other values: the form was already done with the first ones. */
  said(outcome: T): string
}

/** Makes forms idempotent by a one-time key: a second call with the key gets the result of the first, and waits for it if need be. */
export interface Idempotency {
  /**
   * @param sent tells the form's values from others
   * @throws UsedKeyError if the first call had other values, or its answer cannot be given twice
   */
  run<T>(key: string, sent: string, make: () => Promise<T>, again: RepeatOptions<T>): Promise<T>
}

/** Refuses a form whose key is used up. Nothing was done; the form needs a new key. */
export class UsedKeyError extends DaymarkError {
  constructor(message: string) {
    super('conflict', message)
  }
}

interface Made {
  readonly sent: string
  /** Null once `kept` replaces it. */
  outcome: Promise<unknown> | null
  kept: unknown
  readonly until: number
}

/**
 * Remembers results in memory, by key. A refused call is forgotten, so that the corrected form can be sent again.
 *
 * @param most keys remembered; the oldest go first
 * @param lifetime milliseconds
 */
export function makeIdempotency({ most = 10_000, lifetime = 3_600_000 } = {}): Idempotency {
  const made = new Map<string, Made>()
  async function run<T>(key: string, sent: string, make: () => Promise<T>, again: RepeatOptions<T>): Promise<T> {
    const now = Date.now()
    const known = made.get(key)
    if (known && known.until > now) {
      const outcome = known.outcome as Promise<T> | null
      if (known.sent !== sent && outcome) {
        // The user may correct and resend a form before the refusal of the first has arrived.
        const refused = await outcome.then(
          () => false,
          () => true,
        )
        if (refused) return run(key, sent, make, again)
      }
      const first = await (outcome ?? (again.small as NonNullable<RepeatOptions<T>['small']>).again(known.kept))
      if (known.sent !== sent || again.shares?.(first) === false) throw new UsedKeyError(again.said(first))
      return first
    }
    for (const [old, { until }] of made) {
      if (until > now && made.size < most) break
      made.delete(old)
    }
    const outcome = make()
    const mine: Made = { sent, outcome, kept: null, until: now + lifetime }
    made.set(key, mine)
    const forget = () => {
      if (made.get(key) === mine) made.delete(key)
    }
    try {
      const first = await outcome
      if (again.keeps?.(first) === false) forget()
      else if (again.small) {
        mine.kept = again.small.of(first)
        mine.outcome = null
      }
      return first
    } catch (thrown) {
      forget()
      throw thrown
    }
  }
  return { run }
}
