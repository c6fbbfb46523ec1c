import type { Row } from '../../store.js'
import type { Planned } from '../plan.js'
import { boundValues } from '../record.js'
import type { Connection } from './connection.js'

// A page has a hundred rows at most, and a few thousand of them are a few megabytes.
const mostRows = 200
const mostRowsInAll = 10_000

interface Known {
  readonly version: unknown
  /** Null: they were read, and not kept yet. */
  readonly rows: Row[] | null
}

/**
 * What was last read on a connection, by statement and values, for as long as nobody has changed the database: SQLite says so itself, whoever it was and in whichever
 * process, in a tenth of the time of a page. Columns, filters and scope all stand in the statement, so whoever may not see something asks another one.
 *
 * A page is kept, and frozen, once it is asked for again while nothing has changed: where each is asked for once, as where data changes all the time, the memory that they
 * take is not worth what they would save. A count is kept at once.
 */
export class Remembered {
  readonly #known = new Map<string, Known>()
  #rows = 0

  /** @param version asked before the rows are read: what is written in between makes them count as old */
  rows(on: Connection, planned: Planned, version: unknown = on.version()): Row[] {
    const key = `${planned.plan.id} ${boundValues(planned).map(textOf).join()}`
    const known = this.#known.get(key)
    const same = known !== undefined && known.version === version
    if (same && known.rows) return known.rows
    const rows = on.rows(planned)
    if (known) this.#forget(key, known)
    if (rows.length <= 1 || (same && rows.length <= mostRows)) this.#keep(key, { version, rows: Object.freeze(rows) as Row[] })
    else this.#keep(key, { version, rows: null })
    return rows
  }

  #keep(key: string, known: Known): void {
    this.#known.set(key, known)
    this.#rows += weight(known)
    for (const [oldest, one] of this.#known) {
      if (this.#rows <= mostRowsInAll) break
      this.#forget(oldest, one)
    }
  }

  #forget(key: string, known: Known): void {
    if (this.#known.delete(key)) this.#rows -= weight(known)
  }
}

const weight = ({ rows }: Known) => (rows?.length ?? 0) + 1

/** A bound value as a part of a key: no two of them have the same. */
function textOf(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : Buffer.isBuffer(value)
      ? `x${value.toString('hex')}`
      : `${typeof value} ${String(value)}`
}
