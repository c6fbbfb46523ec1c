import { DaymarkError } from '../../../base/errors.js'
import { atEnd, Queue, waitedTooLong } from '../../queue.js'
import { Connection } from './connection.js'
import { type Database, isPool } from './database.js'
import type { Client, Pool, PooledClient } from './driver.js'
import { unreachable } from './failure.js'
import { asking, Pulse } from './pulse.js'
import { Terms } from './terms.js'

/** The connections of a store: each is lent for a piece of work, and comes back whatever happens. */
export class Connections {
  readonly #known = new WeakMap<Client, Connection>()
  #lent = 0
  #allBack: (() => void) | undefined
  readonly #turns = new Queue()
  // Those whose work may wait for others' locks.
  readonly #writers: Queue
  readonly #pulse: Pulse
  readonly #terms: Terms
  #closing: Promise<void> | undefined
  constructor(
    readonly database: Database,
    readonly observe: ((sql: string) => void) | undefined,
  ) {
    this.#pulse = new Pulse(isPool(database.client) ? asking(database.client) : null)
    this.#terms = new Terms(database)
    this.#writers = new Queue(placesOfWriters(database.client))
    // Without a listener, a connection that breaks while nobody uses it would end the process.
    database.client.on('error', ignore)
    // A new one may break before whoever asked for it gets it.
    if (isPool(database.client)) database.client.on('connect', hear)
  }

  /**
   * Does some work with a connection; who waits for one beyond `until` (of `performance.now()`) gets a 503.
   *
   * @param writes it may wait for others' locks: however many of a pool's wait for one row, some connections are left to those who read
   */
  async lend<T>(work: (connection: Connection) => Promise<T>, until: number, writes = false): Promise<T> {
    if (this.#closing) throw new DaymarkError('unavailable', 'The store is closed')
    const { client } = this.database
    const lending = isPool(client)
      ? this.#lendOf(client, work, until, writes ? this.#writers : null)
      : this.#turns.run(() => work(this.#connection(client)), until)
    this.#lent++
    try {
      return await lending
    } finally {
      if (--this.#lent === 0) this.#allBack?.()
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #lendOf<T>(pool: Pool, work: (connection: Connection) => Promise<T>, until: number, places: Queue | null): Promise<T> {
    const client = await this.#clientOf(pool, until, places)
    const connection = this.#connection(client)
    try {
      return await work(connection)
    } finally {
      client.release(connection.spent)
      places?.leave()
    }
  }

  async #clientOf(pool: Pool, until: number, places: Queue | null): Promise<PooledClient> {
    const free = pool.idleCount > pool.waitingCount && (places?.free ?? true)
    const asked = places === null ? connected(pool, this.#terms) : inPlace(places, () => connected(pool, this.#terms), until)
    let timer: NodeJS.Timeout | undefined
    const late = () =>
      new Promise<never>((_, reject) => {
        timer = atEnd(until, () => reject(waitedTooLong()))
      })
    try {
      // Nobody waits for one that is free.
      return await (free ? asked : Promise.race([this.#pulse.watch(asked, false), late()]))
    } catch (error) {
      // It may still come, when nobody waits for it any more.
      asked.then(
        (client) => {
          client.release()
          places?.leave()
        },
        () => {},
      )
      throw error instanceof DaymarkError ? error : unreachable(error)
    } finally {
      clearTimeout(timer)
    }
  }

  #connection(client: Client): Connection {
    let connection = this.#known.get(client)
    if (connection === undefined) {
      connection = new Connection(client, this.#pulse, this.#terms, this.observe)
      this.#known.set(client, connection)
      if (client !== this.database.client) hear(client)
    }
    return connection
  }

  async #close(): Promise<void> {
    if (this.#lent > 0)
      await new Promise<void>((resolve) => {
        this.#allBack = resolve
      })
    const { client, borrowed } = this.database
    // A pool of ours keeps its listeners: a server that stops may still speak to it.
    if (isPool(client) && !borrowed) return client.end()
    client.off('error', ignore)
    if (isPool(client)) client.off('connect', hear)
  }
}

// As many as node-postgres makes of a pool that does not say how many.
const connectionsOfPool = 10

/** All connections but a fifth of them, and one at the least, as long as one is left for writers. */
function placesOfWriters(client: Pool | Client): number {
  const { max } = ((isPool(client) && client.options) || {}) as { max?: unknown }
  const all = typeof max === 'number' ? max : connectionsOfPool
  return Math.max(1, all - Math.max(1, Math.floor(all / 5)))
}

async function inPlace<T>(places: Queue, work: () => Promise<T>, until: number): Promise<T> {
  await places.enter(until)
  try {
    return await work()
  } catch (error) {
    places.leave()
    throw error
  }
}

const mostRefusals = 4

async function connected(pool: Pool, terms: Terms): Promise<PooledClient> {
  for (let refusals = 0; ; refusals++) {
    try {
      return await pool.connect()
    } catch (error) {
      if (refusals === mostRefusals || !terms.yields(error)) throw error
    }
  }
}

const heard = new WeakSet<Client>()

/** For good, and once however many stores share the pool: the server may still speak to a client that the pool has let go, and nobody would be listening. */
function hear(client: Client): void {
  if (heard.has(client)) return
  heard.add(client)
  client.on('error', ignore)
}

// The statement that was running says it, or the next one does.
function ignore(): void {}
