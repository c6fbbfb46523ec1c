import type { Row } from '../../store.js'
import type { Planned } from '../plan.js'
import { boundValues } from '../record.js'
import type { Connection } from './connection.js'

// A page has a hundred rows at most, and a few thousand of them are a few megabytes.
const mostRows = 200
const mostRowsInAll = 10_000

// A page that is another one each time is kept every 64 reads, to see whether it still is.
const mostChanges = 6

interface Known {
  readonly version: unknown
  /** Null: they were read, and not kept yet. */
  readonly rows: Row[] | null
  /** How many were read: what is not kept yet takes as much of the room as if it were, so that what comes again only after more than fits is never kept. */
  readonly weight: number
  /** How often it was read since it was last kept. */
  readonly reads: number
  /** How often in a row what was kept turned out to be something else. */
  readonly changes: number
}

/**
 * What was last read on a connection, by statement and values, for as long as nobody has changed the database: SQLite says so itself, whoever it was and in whichever
 * process, in a tenth of the time of a page. Columns, filters and scope all stand in the statement, so whoever may not see something asks another one.
 *
 * Where somebody has changed it, the rows are read anew; where that was something else, so that the very same are read, those from before are given again, and with
 * them all that others have made of them.
 *
 * A page is kept, and frozen, once it is asked for again. One that has changed waits for twice as many reads each time, unless it is asked for again while nothing has
 * changed: where each page is another one, the memory that they take is not worth what they would save. A count is kept at once.
 */
export class Remembered {
  readonly #known = new Map<string, Known>()
  #rows = 0

  /** @param version asked before the rows are read: what is written in between makes them count as old */
  rows(on: Connection, planned: Planned, version: unknown = on.version()): Row[] {
    const key = `${planned.plan.id} ${boundValues(planned).map(textOf).join()}`
    const known = this.#known.get(key)
    const before = known?.rows
    const calm = known?.version === version
    if (before && calm) return before
    const read = on.rows(planned)
    if (known) this.#forget(key, known)
    const weight = read.length > mostRows ? 1 : read.length + 1
    if (before && areSame(before, read)) {
      this.#keep(key, { version, rows: before, weight, reads: 0, changes: 0 })
      return before
    }
    const { reads = 0, changes = 0 } = known ?? {}
    if (read.length <= 1 || (read.length <= mostRows && !before && known && (calm || reads >= 2 ** changes)))
      this.#keep(key, { version, rows: Object.freeze(read) as Row[], weight, reads: 0, changes })
    else this.#keep(key, { version, rows: null, weight, reads: reads + 1, changes: before ? Math.min(changes + 1, mostChanges) : changes })
    return read
  }

  #keep(key: string, known: Known): void {
    this.#known.set(key, known)
    this.#rows += known.weight
    for (const [oldest, one] of this.#known) {
      if (this.#rows <= mostRowsInAll) break
      this.#forget(oldest, one)
    }
  }

  #forget(key: string, known: Known): void {
    if (this.#known.delete(key)) this.#rows -= known.weight
  }
}

/** A bound value as a part of a key: no two of them have the same. */
function textOf(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : Buffer.isBuffer(value)
      ? `x${value.toString('hex')}`
      : `${typeof value} ${String(value)}`
}

/** Whether nobody could tell two reads of one statement apart. */
function areSame(one: readonly Row[], other: readonly Row[]): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) {
    const [row, like] = [one[i] as Row, other[i] as Row]
    for (let j = 0; j < row.length; j++) if (!isSame(row[j], like[j])) return false
  }
  return true
}

/** An object other than a time counts as changed: JSON, or bytes that stand in a column of text. */
function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (one instanceof Date && other instanceof Date && Object.is(one.getTime(), other.getTime()))
}
