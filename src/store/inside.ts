import { AsyncLocalStorage } from 'node:async_hooks'

/** Knows what runs inside a transaction: in there, asking for another one would be to wait for oneself. */
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
      // While it follows anybody, every promise of the process pays for it.
      if (--this.#count === 0) this.#running.disable()
    }
  }

  /** Does something that is none of a transaction's own, though it was begun in one. */
  leave<T>(work: () => T): T {
    return this.#running.exit(work)
  }

  /** @throws Error inside */
  refuse(): void {
    if (this.#running.getStore()?.ended === false) {
      throw new Error(
        'Inside a transaction only the store that it was given can be used: this call would wait for its own transaction to end',
      )
    }
  }
}
