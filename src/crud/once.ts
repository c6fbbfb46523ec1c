import { DaymarkError } from '../base/errors.js'

/** What became of a form that is sent again under the same key. */
export interface Again<T> {
  /** Whether the same answer can be given a second time, to whoever sent the same while it was made. */
  shares?(outcome: T): boolean
  /** Whether it is worth its memory once it was given. */
  keeps?(outcome: T): boolean
  /** What is kept in its place once it was given, and how it comes of that again: a record may be large. */
  readonly small?: { of(outcome: T): unknown; again(kept: unknown): Promise<T> }
  /** What to say where it was sent with other values: it has been done with those of the first time. */
  said(outcome: T): string
}

/** Runs what a one-time key stands for once: a second call with the key gets what the first one got, waiting for it where it still runs. */
export interface Once {
  /**
   * @param sent what the key was sent with, as `sentMark` says it
   * @throws SentBeforeError where it has been done with something else, or its answer cannot be given twice
   */
  run<T>(key: string, sent: string, make: () => Promise<T>, again: Again<T>): Promise<T>
}

/** Refuses what is sent under a key that has been used up. Nothing was done, and the form needs another key to do it. */
export class SentBeforeError extends DaymarkError {
  constructor(message: string) {
    super('conflict', message)
  }
}

interface Made {
  readonly sent: string
  /** Null once what is small was kept in its place. */
  outcome: Promise<unknown> | null
  kept: unknown
  readonly until: number
}

/**
 * Remembers by key, in memory. What is refused is forgotten, so that a mended form goes through.
 *
 * @param most keys remembered; the oldest go first
 * @param lifetime milliseconds
 */
export function makeOnce({ most = 10_000, lifetime = 3_600_000 } = {}): Once {
  const made = new Map<string, Made>()
  async function run<T>(key: string, sent: string, make: () => Promise<T>, again: Again<T>): Promise<T> {
    const now = Date.now()
    const known = made.get(key)
    if (known && known.until > now) {
      const outcome = known.outcome as Promise<T> | null
      if (known.sent !== sent && outcome) {
        // A form that was refused is mended and sent again, perhaps before the first answer was there.
        const refused = await outcome.then(
          () => false,
          () => true,
        )
        if (refused) return run(key, sent, make, again)
      }
      const first = await (outcome ?? (again.small as NonNullable<Again<T>['small']>).again(known.kept))
      if (known.sent !== sent || again.shares?.(first) === false) throw new SentBeforeError(again.said(first))
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
