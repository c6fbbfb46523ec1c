import type { Mapped } from '../dialect.js'
import type { Plan } from '../plan.js'
import type { Connection } from './connection.js'
import type { Connections } from './connections.js'
import { isBusy } from './failure.js'
import { folded, type Reach, reachOf } from './reach.js'

/** When a table was last changed. */
interface Times {
  /** When anything of it was. */
  any: number
  /** When rows came or went. */
  rows: number
}

/**
 * Knows when each table was last changed, in a time of its own that goes on with each change. That others have changed the database, in whichever process, SQLite says at once
 * (`PRAGMA data_version`), but not what. It says so of all connections but the one that is asked: the writing connection is, once there is one, and what that has changed itself is known
 * by its statements, since nothing but a trigger or a foreign key changes other tables besides.
 */
export class Changes {
  /** The time as it was when it was last asked for, or something was committed. */
  lastNow = 0
  /** When something was last changed of which nobody knows what it was. */
  #something = 0
  #asked: Connection | null = null
  #version: unknown
  /** As long as nobody else has changed anything, it is the same. */
  #reach: Reach | null = null
  /** What was committed since the time was last asked for, each statement once. */
  #committed: Plan[] = []
  readonly #tables = new Map<string, Times>()
  readonly #times = new Map<Mapped, Times>()
  constructor(readonly connections: Connections) {}

  /**
   * The time now: another one whenever anything may have changed. What is read after it has been asked for holds as long as `last` is not beyond it.
   *
   * @throws DaymarkError `unavailable` for a store that is closed, or a file that cannot be opened
   */
  now(): number {
    const same = this.#isAsBefore()
    if (!same) this.#reach = null
    if (!same || !this.#reached()) {
      this.#something = ++this.lastNow
      this.#committed = []
    }
    return this.lastNow
  }

  /** When what a statement reads was last changed, as far as that was known when the time was last asked for. */
  last({ table, rows }: Plan): number {
    if (this.#committed.length > 0) this.now()
    const times = this.#timesOf(table)
    return Math.max(this.#something, rows ? times.rows : times.any)
  }

  /** @param written what a transaction has written, once it is committed; null: nobody knows */
  committed(written: readonly Plan[] | null): void {
    if (written?.length === 0) return
    this.lastNow++
    if (written === null) this.#asked = null
    else for (const plan of written) if (!this.#committed.includes(plan)) this.#committed.push(plan)
  }

  /** Whether nobody else has changed anything since this was last asked, and nobody of ours what nobody knows. */
  #isAsBefore(): boolean {
    const [asked, version] = this.#ask()
    const same = asked !== null && asked === this.#asked && version === this.#version
    this.#asked = asked
    this.#version = version
    return same
  }

  #ask(): readonly [Connection | null, unknown] {
    try {
      const on = this.connections.teller()
      return [on, on.version()]
    } catch (error) {
      // Nobody can say now, so that nothing is known.
      if (isBusy(error)) return [null, undefined]
      throw error
    }
  }

  /** Sets the times of what was committed; false where that may be anything. */
  #reached(): boolean {
    if (this.#committed.length === 0) return true
    const known = this.#reach
    // The connection that writes may be in the midst of a change of the schema that is taken back.
    const reach = known ?? reachOf(this.connections.reader().driver)
    // Whoever gives a table a trigger, or takes one away, changes the database: it was the same when all this was written only if it is now.
    if (known === null && !this.#isAsBefore()) return false
    this.#reach = reach
    for (const { table, rows } of this.#committed) {
      const own = folded(table.model.name)
      const reached = reach.get(own)
      if (!reached) return false
      for (const name of reached) {
        const times = this.#named(name)
        times.any = this.lastNow
        // What is written elsewhere besides may be anything.
        if (rows || name !== own) times.rows = this.lastNow
      }
    }
    // What is no table, or no longer, may show any of them.
    for (const [name, times] of this.#tables) if (!reach.has(name)) times.any = times.rows = this.lastNow
    this.#committed = []
    return true
  }

  #timesOf(table: Mapped): Times {
    let times = this.#times.get(table)
    if (times === undefined) {
      times = this.#named(folded(table.model.name))
      this.#times.set(table, times)
    }
    return times
  }

  #named(name: string): Times {
    let times = this.#tables.get(name)
    if (times === undefined) {
      times = { any: 0, rows: 0 }
      this.#tables.set(name, times)
    }
    return times
  }
}
