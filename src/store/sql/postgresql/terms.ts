import { type Database, isPool } from './database.js'
import { isMisprepared, isOutdated, refusedSetting } from './failure.js'

const inTransactions = new Set(['statement_timeout', 'idle_in_transaction_session_timeout'])

/**
 * On what terms a database is spoken to. A pooler in transaction mode (PgBouncer) gives each transaction another connection of the server: it refuses settings that
 * would outlive one, and, where it is older or told so, does not find what was prepared before. Nobody need declare it: what is refused is left out from then on.
 */
export class Terms {
  /** Whether what is prepared on a connection is found there again. */
  prepared = true
  /** What each transaction sets for itself, since its connection was not allowed to. */
  locals = ''
  /** What a new connection is told before anything else; null: nothing. */
  greeting: string | null = null
  /** Whether another connection takes the place of one that is spent; the one client that there is goes on. */
  readonly pooled: boolean
  readonly #settings: Record<string, unknown> | null
  readonly #left = new Set<string>()

  constructor({ client, borrowed }: Database) {
    this.pooled = isPool(client)
    // What an application has set for its own pool is not ours to leave out.
    this.#settings = isPool(client) && !borrowed ? ((client.options as Record<string, unknown>) ?? null) : null
  }

  /** Whether a connection that was refused may be asked for again, now without the setting that it was refused for. */
  yields(refusal: unknown): boolean {
    const name = refusedSetting(refusal)
    if (name === null || this.#settings === null) return false
    const value = this.#settings[name]
    // Another connection that was refused for it may have left it out.
    if (value === undefined) return this.#left.has(name)
    this.#settings[name] = undefined
    this.#left.add(name)
    if (inTransactions.has(name)) this.locals += `; set local ${name} = ${Number(value)}`
    // A pooler keeps this one for whoever has set it.
    if (name === 'options') this.greeting = "set timezone = 'UTC'; set datestyle = 'ISO'"
    return true
  }

  /** Takes note of what a statement was refused for. */
  hear(refusal: unknown): void {
    // Of a pool, the connection with a statement that no longer fits its table is closed; the one client keeps it.
    if (isMisprepared(refusal) || (isOutdated(refusal) && !this.pooled)) this.prepared = false
  }
}
