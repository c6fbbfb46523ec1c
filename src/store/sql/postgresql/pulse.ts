import { Line } from '../../../base/line.js'
import type { Client, Pool } from './driver.js'
import { isRefusal, unreachable } from './failure.js'

// Together well below 5 seconds, the longest that anybody should wait for a silent server.
const quiet = 1000
const patience = 2000
const tick = 200

interface Waiting {
  readonly since: number
  readonly giveUp: (error: Error) => void
}

/**
 * Tells a slow server from a dead one: if it has been silent for a while and somebody waits, another connection is opened. If that is
 * answered, the wait goes on, for as long as a statement may take; if not, it ends for all who have waited that long.
 */
export class Pulse {
  readonly #waiting = new Line<Waiting>()
  #heard = performance.now()
  #timer: NodeJS.Timeout | undefined
  #asking = false
  /** @param ask resolves to whether the server answers; null: there is no way to ask */
  constructor(readonly ask: (() => Promise<boolean>) | null) {}

  /**
   * Passes `answer` on, or rejects with a 503 if the server is silent.
   *
   * @param said whether the answer, when it comes, comes from the server
   */
  watch<T>(answer: Promise<T>, said = true): Promise<T> {
    if (this.ask === null) return answer
    return new Promise((resolve, reject) => {
      const place = this.#waiting.enter({ since: performance.now(), giveUp: reject })
      this.#timer ??= setInterval(() => void this.#look(), tick).unref()
      const ended = (heard: boolean) => {
        this.#waiting.leave(place)
        if (heard) this.#heard = performance.now()
      }
      answer.then(
        (value) => {
          ended(said)
          resolve(value)
        },
        (error) => {
          ended(isRefusal(error))
          reject(error)
        },
      )
    })
  }

  async #look(): Promise<void> {
    const { first } = this.#waiting
    if (!first) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    if (this.#asking || !this.ask) return
    const start = performance.now()
    if (start - Math.max(first.one.since, this.#heard) < quiet) return
    this.#asking = true
    // A client that cannot even be made is no answer.
    const answers = await this.ask().catch(() => false)
    this.#asking = false
    if (answers || this.#heard > start) {
      this.#heard = performance.now()
      return
    }
    for (let next = this.#waiting.first; next && next.one.since <= start; next = this.#waiting.first) {
      this.#waiting.leave(next)
      next.one.giveUp(unreachable(new Error('The server says nothing')))
    }
  }
}

/** Probes the server of a pool: whether it accepts a connection, or at least says why not; null: the pool does not show how it connects. */
export function asking({ Client, options }: Pool): (() => Promise<boolean>) | null {
  if (!Client || !options) return null
  return async () => {
    const client = new Client(options)
    client.on('error', () => {})
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, patience, false)
    })
    // A pooler accepts connections even without a server behind it, and reports that with 08P01. A full pooler uses the same code, but says
    // nothing of the server, so that counts as an answer.
    const connected = client
      .connect()
      .then(() => client.query('select 1'))
      .then(
        () => true,
        (error) => isRefusal(error) && (error.code !== '08P01' || /^no more connections/.test(error.message)),
      )
    const answers = await Promise.race([connected, late])
    clearTimeout(timer)
    leave(client, answers)
    return answers
  }
}

function leave(client: Client & { end(): Promise<void> }, politely: boolean): void {
  if (politely) client.end().catch(() => {})
  else client.connection?.stream?.destroy()
}
