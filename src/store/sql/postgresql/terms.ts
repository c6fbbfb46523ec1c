import { type Database, isPool } from './database.js'
import { isMisprepared, isOutdated, refusedSetting } from './failure.js'

const inTransactions = new Set(['statement_timeout', 'idle_in_transaction_session_timeout'])

/**
 * Adapts to a connection pooler. In transaction mode, PgBouncer gives each transaction another server connection. It refuses settings that
 * would outlive a transaction, and older or differently configured versions lose prepared statements. Nothing need be declared: what is
 * refused is left out from then on.
 */
export class Terms {
  /** Whether prepared statements survive on a connection. */
  prepared = true
  /** Settings for each transaction, since they were refused for the connection. */
  locals = ''
  /** The first statement on a new connection; null: none. */
  greeting: string | null = null
  /** Whether a spent connection is replaced; a single client has to go on. */
  readonly pooled: boolean
  readonly #settings: Record<string, unknown> | null
  readonly #left = new Set<string>()

  constructor({ client, borrowed }: Database) {
    this.pooled = isPool(client)
    // Settings of an application's own pool are not ours to drop.
    this.#settings = isPool(client) && !borrowed ? ((client.options as Record<string, unknown>) ?? null) : null
  }

  /** Whether to try again to connect, now without the setting that was refused. */
  yields(refusal: unknown): boolean {
    const name = refusedSetting(refusal)
    if (name === null || this.#settings === null) return false
    const value = this.#settings[name]
    // Another refused connection may have dropped it already.
    if (value === undefined) return this.#left.has(name)
    this.#settings[name] = undefined
    this.#left.add(name)
    if (inTransactions.has(name)) this.locals += `; set local ${name} = ${Number(value)}`
    // PgBouncer keeps these two for the client that set them.
    if (name === 'options') this.greeting = "set timezone = 'UTC'; set datestyle = 'ISO'"
    return true
  }

  /** Learns from the refusal of a statement. */
  hear(refusal: unknown): void {
    // A pool closes a connection with an outdated statement; a single client would keep it, so it stops preparing.
    if (isMisprepared(refusal) || (isOutdated(refusal) && !this.pooled)) this.prepared = false
  }
}
