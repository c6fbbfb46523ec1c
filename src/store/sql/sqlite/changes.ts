import type { Mapped } from '../dialect.js'
import type { Plan } from '../plan.js'
import type { Connection } from './connection.js'
import type { Connections } from './connections.js'
import { isBusy } from './failure.js'
import { folded, type Reach, reachOf } from './reach.js'

/** When a table was last changed. */
interface Times {
  /** When any row or value of it last changed. */
  any: number
  /** When a row was last inserted or deleted. */
  rows: number
  /** When values of unknown columns were last changed. */
  values: number
  /** When values of a column were last changed, where it is known which. */
  readonly columns: Map<string, number>
}

/**
 * Tracks when each table last changed, on a logical clock that ticks with each change. `PRAGMA data_version` tells that any process has
 * changed the database, but not what, and it leaves out changes by the connection that is asked. So the writing connection is asked, if
 * there is one; its own changes are known from its statements, plus the tables that foreign keys lead to. A trigger makes them unknown.
 */
export class Changes {
  /** The clock when it was last read, or when something was last committed. */
  lastNow = 0
  /** The last change whose tables are unknown. */
  #something = 0
  #asked: Connection | null = null
  #version: unknown
  /** Cached while nobody else changes the database, since that could change the schema. */
  #reach: Reach | null = null
  /** The statements that were committed since the clock was last read, without duplicates. */
  #committed: Plan[] = []
  readonly #tables = new Map<string, Times>()
  readonly #times = new Map<Mapped, Times>()
  constructor(readonly connections: Connections) {}

  /**
   * Reads the clock: it differs whenever anything may have changed. Rows read afterwards are valid as long as `last` is not later than it.
   *
   * @throws DaymarkError `unavailable` if the store is closed or the file cannot be opened
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

  /** When the data that a statement reads last changed, as far as was known when the clock was last read. */
  last(plan: Plan): number {
    if (this.#committed.length > 0) this.now()
    const { table, others } = plan
    const about = columnsOf(plan)
    const times = this.#timesOf(table)
    if (about === null) return others.reduce((last, one) => Math.max(last, this.#timesOf(one).any), Math.max(this.#something, times.any))
    let last = Math.max(this.#something, times.rows, about.length > 0 ? times.values : 0)
    for (const name of about) last = Math.max(last, times.columns.get(name) ?? 0)
    return last
  }

  /** @param written the writing statements of a transaction that was committed; null: unknown */
  committed(written: readonly Plan[] | null): void {
    if (written?.length === 0) return
    this.lastNow++
    if (written === null) this.#asked = null
    else for (const plan of written) if (!this.#committed.includes(plan)) this.#committed.push(plan)
  }

  /** Whether nothing unknown has happened since the last call: no change by others, and no statement of ours with unknown effects. */
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
      // The version cannot be read while the database is locked, so assume that anything has changed.
      if (isBusy(error)) return [null, undefined]
      throw error
    }
  }

  /** Sets the times of the tables that were committed to; `false`: the writes may have changed anything. */
  #reached(): boolean {
    if (this.#committed.length === 0) return true
    const known = this.#reach
    // Read with the reader: the writer may be inside a transaction that changes the schema and is rolled back.
    const reach = known ?? reachOf(this.connections.reader().driver)
    // Adding or dropping a trigger changes `data_version`. If it is unchanged now, the schema was already this one when the statements ran.
    if (known === null && !this.#isAsBefore()) return false
    this.#reach = reach
    for (const plan of this.#committed) {
      const own = folded(plan.table.model.name)
      const about = columnsOf(plan)
      const reached = reach.get(own)
      if (!reached) return false
      for (const name of reached.tables) {
        const times = this.#named(name)
        times.any = this.lastNow
        // In the other tables that are reached, rows may have been inserted or deleted, too.
        if (about === null || name !== own) times.rows = this.lastNow
        else if (reached.more) times.values = this.lastNow
        else for (const column of about) times.columns.set(column, this.lastNow)
      }
    }
    // A view, or a table that was dropped meanwhile, may depend on any of these tables.
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
      times = { any: 0, rows: 0, values: 0, columns: new Map() }
      this.#tables.set(name, times)
    }
    return times
  }
}

// SQLite's names of an integer primary key, beside its own.
const rowids: ReadonlySet<string> = new Set(['rowid', 'oid', '_rowid_'])

const columns = new WeakMap<Plan, readonly string[] | null>()

/** The columns that a statement is about, as SQLite compares their names; null: all, or a column that has another name, too. */
function columnsOf(plan: Plan): readonly string[] | null {
  let found = columns.get(plan)
  if (found === undefined) {
    const names = plan.about?.map(folded) ?? null
    found = names?.some((name) => rowids.has(name)) ? null : names
    columns.set(plan, found)
  }
  return found
}
