import { DaymarkError } from '../base/errors.js'
import { Line } from '../base/line.js'
import { Inside } from './inside.js'

/** How long a write waits for its turn unless it says otherwise, in milliseconds. */
export const patience = 5000

/** The 503 of who waited too long. */
export function waitedTooLong(cause?: unknown): DaymarkError {
  return new DaymarkError('unavailable', 'The database is busy; try again', { headers: { 'retry-after': '1' }, cause })
}

/** What whoever uses a transaction after its end is told. */
export function hasEnded(): Error {
  return new Error('This transaction has ended: everything in it must be awaited before its function returns')
}

// What setTimeout takes.
const longestTimer = 2 ** 31 - 1

/** Calls `late` when it is `until` (of `performance.now()`). */
export function atEnd(until: number, late: () => void): NodeJS.Timeout {
  return setTimeout(late, Math.min(Math.max(0, until - performance.now()), longestTimer))
}

/** One at a time, or as many as there are places, in the order of asking; who waits beyond `until` (of `performance.now()`) gets a 503. */
export class Queue {
  #taken = 0
  readonly #waiting = new Line<() => void>()
  readonly #inside = new Inside()
  constructor(readonly places = 1) {}

  get free(): boolean {
    return this.#taken < this.places
  }

  /** What is begun here may ask for a turn of its own, wherever this is called. */
  outside<T>(work: () => T): T {
    return this.#inside.leave(work)
  }

  /**
   * Runs `work` in its turn.
   *
   * @param trusted it asks for no turn of its own, so that nobody has to watch whether it does
   */
  async run<T>(work: () => Promise<T>, until: number, trusted = false): Promise<T> {
    this.#inside.refuse()
    const turn = this.enter(until)
    if (turn) await turn
    try {
      return await (trusted ? work() : this.#inside.run(work))
    } finally {
      this.leave()
    }
  }

  /** Fulfilled in its turn, or null where that is now: whoever has entered must leave. */
  enter(until: number): Promise<void> | null {
    if (!this.free) return this.#turn(until)
    this.#taken++
    return null
  }

  /** The place is handed over without ever being free, so that nobody overtakes. */
  leave(): void {
    const { first } = this.#waiting
    if (first) {
      this.#waiting.leave(first)
      first.one()
    } else this.#taken--
  }

  #turn(until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = this.#waiting.enter(() => {
        clearTimeout(timer)
        resolve()
      })
      const timer = atEnd(until, () => {
        this.#waiting.leave(place)
        reject(waitedTooLong())
      })
    })
  }
}
