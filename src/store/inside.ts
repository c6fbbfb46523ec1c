import { AsyncLocalStorage } from 'node:async_hooks'

/** Tracks what runs inside a transaction, where another transaction of the same store would wait for itself. */
export class Inside {
  readonly #running = new AsyncLocalStorage<{ ended: boolean }>()
  #count = 0

  async run<T>(work: () => Promise<T>): Promise<T> {
    const mine = { ended: false }
    this.#count++
    try {
      return await this.#running.run(mine, work)
    } finally {
      mine.ended = true
      // While AsyncLocalStorage is enabled, every promise of the process pays for it.
      if (--this.#count === 0) this.#running.disable()
    }
  }

  /** Runs work that is not part of the transaction from which it is started. */
  leave<T>(work: () => T): T {
    return this.#running.exit(work)
  }

  /** @throws Error inside a transaction */
  refuse(): void {
    if (this.#running.getStore()?.ended === false) {
      throw new Error(
        'Inside a transaction only the store that it was given can be used: this call would wait for its own transaction to end',
      )
    }
  }
}
