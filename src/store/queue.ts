import { DaymarkError } from '../base/errors.js'
import { Line } from '../base/line.js'
import { Inside } from './inside.js'

/** How long a write waits for its turn by default, in milliseconds. */
export const patience = 5000

/** The 503 after waiting too long for others. Nothing is wrong with the database. */
export class BusyError extends DaymarkError {
  constructor(cause?: unknown) {
    super('unavailable', 'The database is busy; try again', { headers: { 'retry-after': '1' }, cause })
  }
}

export function waitedTooLong(cause?: unknown): BusyError {
  return new BusyError(cause)
}

/** The error for using a transaction after its end. */
export function hasEnded(): Error {
  return new Error('This transaction has ended: everything in it must be awaited before its function returns')
}

// The longest delay that setTimeout supports.
const longestTimer = 2 ** 31 - 1

/** Calls `late` at `until` (of `performance.now()`). */
export function atEnd(until: number, late: () => void): NodeJS.Timeout {
  return setTimeout(late, Math.min(Math.max(0, until - performance.now()), longestTimer))
}

/** A fair queue with one place or several. Waiting beyond `until` (of `performance.now()`) ends in a 503. */
export class Queue {
  #taken = 0
  readonly #waiting = new Line<() => void>()
  readonly #inside = new Inside()
  constructor(readonly places = 1) {}

  get free(): boolean {
    return this.#taken < this.places
  }

  /** Runs `work` as if outside of any turn, so that what it starts may ask for its own turn. */
  outside<T>(work: () => T): T {
    return this.#inside.leave(work)
  }

  /**
   * Runs `work` in its turn.
   *
   * @param trusted `work` never asks for a turn of its own, so it need not be tracked
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

  /** Resolves when it is its turn; null: that is now. Each `enter` needs a `leave`. */
  enter(until: number): Promise<void> | null {
    if (!this.free) return this.#turn(until)
    this.#taken++
    return null
  }

  /** Hands the place to the next in line without freeing it, so that nobody overtakes. */
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
