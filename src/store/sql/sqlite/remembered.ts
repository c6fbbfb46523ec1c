import { Line, type Place } from '../../../base/line.js'
import type { Row } from '../../store.js'
import type { Planned } from '../plan.js'
import { boundValues } from '../record.js'
import type { Changes } from './changes.js'
import type { Connection } from './connection.js'
import type { Given } from './packed.js'

// A page has a hundred rows at most, and a few thousand of them are a few megabytes.
const mostRows = 200
const mostRowsInAll = 10_000

// A page that is another one each time is kept every 64 reads, to see whether it still is.
const mostChanges = 6

interface Known {
  /** When it was read, by `Changes`. */
  readonly at: number
  /** Null: they were read, and not kept yet. */
  readonly given: Given | null
  /** How many were read: what is not kept yet takes as much of the room as if it were, so that what comes again only after more than fits is never kept. 1 for what is too long to be kept at all. */
  readonly weight: number
  /** How often it was read since it was last kept. */
  readonly reads: number
  /** How often in a row what was kept turned out to be something else. */
  readonly changes: number
}

interface Entry {
  readonly key: string
  readonly known: Known
}

/**
 * What was last read on a connection, by statement and values, for as long as nobody has changed it, as far as `Changes` knows: that takes a tenth of the time of a page. Columns, filters and scope all stand in the statement, so whoever may not see something asks another one.
 *
 * Where somebody has changed it, the rows are read anew. Each that is as it was is given again, the very same, and with it all that others have made of it; where all of them
 * are, so is the page. What may come again is frozen: a page, or each row of one of which some have changed.
 *
 * A page is kept, and frozen, once it is asked for again. One of which most has changed waits for twice as many reads each time, unless it is asked for again while nothing
 * has changed: where each page is another one, the memory that they take is not worth what they would save. A count is kept at once.
 */
export class Remembered {
  readonly #known = new Map<string, Place<Entry>>()
  /** Those that were read longest ago stand first. */
  readonly #order = new Line<Entry>()
  #rows = 0
  constructor(readonly changes: Changes) {}

  /** @param seen where anything has changed was asked since this was asked for */
  rows(on: Connection, planned: Planned, seen: unknown): Row[] {
    // Before the rows are read: what is written in between makes them count as old.
    const at = seen === undefined ? this.changes.now() : this.changes.lastNow
    const key = `${planned.plan.id} ${boundValues(planned).map(textOf).join()}`
    const known = this.#known.get(key)?.one.known
    const before = known?.given ?? null
    const calm = known !== undefined && known.at >= this.changes.last(planned.plan)
    if (before && calm) return before.rows
    let given = on.given(planned, before)
    // Rows from before are frozen, and those of a page that has become too long to be kept are not.
    if (given.bytes && given.rows.length > mostRows) given = on.given(planned, null)
    const read = given.rows
    const weight = read.length > mostRows ? 1 : read.length + 1
    if (before && read.length <= mostRows && share(before.rows, read) * 2 >= read.length) {
      const same = before.rows.length === read.length && before.rows.every((row, i) => row === read[i])
      this.#keep(key, { at, given: same ? { ...given, rows: before.rows } : frozen(given), weight, reads: 0, changes: 0 })
      // The next one may be another page again: what is made of it as a whole is not worth keeping yet.
      return same ? before.rows : [...read]
    }
    const { reads = 0, changes = 0 } = known ?? {}
    if (read.length <= 1 || (read.length <= mostRows && !before && known && (calm || reads >= 2 ** changes)))
      this.#keep(key, { at, given: frozen(given), weight, reads: 0, changes })
    else this.#keep(key, { at, given: null, weight, reads: reads + 1, changes: before ? Math.min(changes + 1, mostChanges) : changes })
    return read
  }

  /** In the place of what was known of the same: a `Map` from which something is taken for each request is built anew all the time (see `Line`). */
  #keep(key: string, known: Known): void {
    const last = this.#known.get(key)
    if (last) this.#order.leave(last)
    this.#rows += known.weight - (last?.one.known.weight ?? 0)
    this.#known.set(key, this.#order.enter({ key, known }))
    for (let { first } = this.#order; first && this.#rows > mostRowsInAll; { first } = this.#order) {
      this.#order.leave(first)
      this.#known.delete(first.one.key)
      this.#rows -= first.one.known.weight
    }
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

function frozen(given: Given): Given {
  for (const row of given.rows) Object.freeze(row)
  Object.freeze(given.rows)
  return given
}

/**
 * Puts the rows from before in the place of those that nobody could tell from them, wherever they stand now: what others have made of a row, they find by it.
 *
 * @returns how many there were
 */
function share(before: readonly Row[], read: Row[]): number {
  if (read === before) return read.length
  let shift = 0
  let same = 0
  for (let i = 0; i < read.length; i++) {
    const row = read[i] as Row
    let at = i - shift
    if (!isSameRow(before[at], row)) {
      at = before.findIndex((one) => isSameRow(one, row))
      if (at < 0) continue
      shift = i - at
    }
    read[i] = before[at] as Row
    same++
  }
  return same
}

function isSameRow(one: Row | undefined, other: Row): boolean {
  if (one === undefined || one === other) return one === other
  for (let i = 0; i < other.length; i++) if (!isSame(one[i], other[i])) return false
  return true
}

/** An object other than a time counts as changed: JSON, or bytes that stand in a column of text. */
function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (one instanceof Date && other instanceof Date && Object.is(one.getTime(), other.getTime()))
}
