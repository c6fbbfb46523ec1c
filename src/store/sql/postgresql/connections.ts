import { DaymarkError } from '../../../base/errors.js'
import { atEnd, Queue, waitedTooLong } from '../../queue.js'
import type { Watch } from '../watch.js'
import { Connection } from './connection.js'
import { type Database, isPool } from './database.js'
import type { Client, Pool, PooledClient } from './driver.js'
import { unreachable } from './failure.js'
import { asking, Pulse } from './pulse.js'
import { Terms } from './terms.js'

/** The connections of a store. Each is lent for a piece of work and always returned. */
export class Connections {
  readonly #known = new WeakMap<Client, Connection>()
  #lent = 0
  #allBack: (() => void) | undefined
  readonly #turns = new Queue()
  // For work that may wait for other transactions' locks.
  readonly #writers: Queue
  readonly #pulse: Pulse
  readonly #terms: Terms
  #closing: Promise<void> | undefined
  constructor(
    readonly database: Database,
    readonly watch: Watch | undefined,
  ) {
    this.#pulse = new Pulse(isPool(database.client) ? asking(database.client) : null)
    this.#terms = new Terms(database)
    this.#writers = new Queue(placesOfWriters(database.client))
    // Without a listener, an idle connection that breaks would crash the process.
    database.client.on('error', ignore)
    // A new connection may break before the caller receives it.
    if (isPool(database.client)) database.client.on('connect', hear)
  }

  /**
   * Runs work on a connection. Waiting for one beyond `until` (of `performance.now()`) ends in a 503.
   *
   * @param writes whether it may wait for other transactions' locks. However many writers of a pool wait for one row, some connections stay
   * free for readers
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
      // With a free connection there is no wait to limit.
      return await (free ? asked : Promise.race([this.#pulse.watch(asked, false), late()]))
    } catch (error) {
      // The connection may still arrive later: return it.
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
      connection = new Connection(client, this.#pulse, this.#terms, this.watch)
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
    // Our own pool keeps its listeners: a server that shuts down may still send to it.
    if (isPool(client) && !borrowed) return client.end()
    client.off('error', ignore)
    if (isPool(client)) client.off('connect', hear)
  }
}

// The default of node-postgres.
const connectionsOfPool = 10

/** How many connections writers may hold: a fifth, but at least one, is reserved for readers, unless there is only one. */
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

/**
 * Listens once per client, however many stores share the pool, and never stops: the server may still send to a client that the pool has let
 * go, and an unheard error would crash the process.
 */
function hear(client: Client): void {
  if (heard.has(client)) return
  heard.add(client)
  client.on('error', ignore)
}

// The running statement reports the error, or the next one does.
function ignore(): void {}
