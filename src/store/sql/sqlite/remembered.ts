import { Line, type Place } from '../../../base/line.js'
import type { Row } from '../../store.js'
import type { WrittenField, WrittenPage } from '../../written.js'
import type { Planned } from '../plan.js'
import { boundValues } from '../record.js'
import type { Changes } from './changes.js'
import type { Connection } from './connection.js'
import type { Given } from './packed.js'
import { statementKey } from './statement-key.js'

// A page has at most a hundred rows by default, and a few thousand rows are a few megabytes.
const mostRows = 200
const mostRowsInAll = 10_000

// A chart of a year has 365 days, in several series. Groups have two or three values, where rows of a table may have dozens.
const mostGroups = 2000
const groupsInRow = 5

// A page that differs each time is cached only every 2^6 = 64 reads, to see whether it still does.
const mostChanges = 6

interface Known {
  /** When it was read, on the clock of `Changes`. */
  readonly at: number
  /** Null: they were read but not cached yet. */
  readonly given: Given | null
  /**
   * Its share of the room. A page that is not cached yet counts as if it were, so that one that recurs only after the room has filled up is
   * never cached.
   */
  readonly weight: number
  /** How often it was read since it was last cached. */
  readonly reads: number
  /** How often in a row the cached page proved to be outdated. */
  readonly changes: number
}

interface Entry {
  readonly key: string
  readonly known: Known
}

/**
 * Caches rows by statement and values, for as long as `Changes` knows of no change: that takes a tenth of a page's time. Columns, filters
 * and scope are part of the statement, so a user never gets an entry that they may not see.
 *
 * After a change, the rows are read again. Unchanged rows keep their identity, and so does an unchanged page, so that what others derived
 * from them stays valid. What may be returned again is frozen: a page, or each unchanged row of a changed page.
 *
 * A page is cached when it is asked for a second time, a count at once. If most of a page has changed, it waits for twice as many reads
 * each time, unless it is asked for again without a change: constantly changing pages are not worth their memory.
 */
export class Remembered {
  readonly #known = new Map<string, Place<Entry>>()
  /** Least recently read first. */
  readonly #order = new Line<Entry>()
  #rows = 0
  constructor(readonly changes: Changes) {}

  /** A page as JSON, if `rows` would neither have it nor cache it now: else null. */
  written(on: Connection, planned: Planned, seen: unknown, fields: readonly WrittenField[], most: number): WrittenPage | null {
    const { at, key, known, calm } = this.#find(planned, seen)
    const { given = null, reads = 0, changes = 0 } = known ?? {}
    if (given || (known && known.weight !== tooLong && (calm || reads >= 2 ** changes))) return null
    const page = on.json(planned, fields, most)
    if (page) this.#keep(key, { at, given: null, weight: weightOf(page.count), reads: reads + 1, changes })
    return page
  }

  rows(on: Connection, planned: Planned, seen: unknown): Row[] {
    const { at, key, known, calm } = this.#find(planned, seen)
    const before = known?.given ?? null
    if (before && calm) return before.rows
    let given = on.given(planned, before)
    // Reused rows are frozen, but a page too long to cache is returned unfrozen, so it is read again without them.
    if (given.bytes && given.rows.length > mostRows) given = on.given(planned, null)
    const read = given.rows
    const weight = planned.grouped ? weightOfGroups(read.length) : weightOf(read.length)
    const { reads = 0, changes = 0 } = known ?? {}
    if (before && read.length <= mostRows && share(before.rows, read) * 2 >= read.length) {
      const same = before.rows.length === read.length && before.rows.every((row, i) => row === read[i])
      this.#keep(key, { at, given: same ? { ...given, rows: before.rows } : frozen(given), weight, reads: 0, changes: 0 })
      // The next read may differ again, so the page as a whole gets no lasting identity yet.
      return same ? before.rows : [...read]
    }
    if (read.length <= 1 || (weight !== tooLong && !before && known && (calm || reads >= 2 ** changes)))
      this.#keep(key, { at, given: frozen(given), weight, reads: 0, changes })
    else this.#keep(key, { at, given: null, weight, reads: reads + 1, changes: before ? Math.min(changes + 1, mostChanges) : changes })
    return read
  }

  /** @param seen set if `Changes` was asked since the request came, so that it need not be asked again */
  #find(planned: Planned, seen: unknown) {
    // Read the clock before the rows: a write in between must make them count as outdated.
    const at = seen === undefined ? this.changes.now() : this.changes.lastNow
    const key = statementKey(planned.plan, boundValues(planned))
    const known = this.#known.get(key)?.one.known
    return { at, key, known, calm: known !== undefined && known.at >= this.changes.last(planned.plan) }
  }

  /**
   * Replaces the entry of the same key in place. A `Map` from which each request deletes an entry is rehashed all the time (see `Line`).
   */
  #keep(key: string, known: Known): void {
    const last = this.#known.get(key)
    if (last) this.#order.leave(last)
    const entry = { key, known }
    this.#rows += roomOf(entry) - (last ? roomOf(last.one) : 0)
    this.#known.set(key, this.#order.enter(entry))
    for (let { first } = this.#order; first && this.#rows > mostRowsInAll; { first } = this.#order) {
      this.#order.leave(first)
      this.#known.delete(first.one.key)
      this.#rows -= roomOf(first.one)
    }
  }
}

/** The share of the room that a page takes which is too long to cache. */
const tooLong = 0.5
const weightOf = (rows: number) => (rows > mostRows ? tooLong : rows + 1)
const weightOfGroups = (groups: number) => (groups > mostGroups ? tooLong : Math.ceil(groups / groupsInRow) + 1)

/** The room that an entry takes, in rows. Its key holds all values of its statement, which may be thousands: each 500 characters are as a row. */
const roomOf = ({ key, known }: Entry) => known.weight + Math.floor(key.length / 500)

function frozen(given: Given): Given {
  for (const row of given.rows) Object.freeze(row)
  Object.freeze(given.rows)
  return given
}

/**
 * Replaces each row that equals one of `before` with that very row, wherever it stands: what was derived from a row is found by its
 * identity.
 *
 * @returns how many were replaced
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

/** Objects other than dates (JSON, or bytes in a text column) always count as changed. */
function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (one instanceof Date && other instanceof Date && Object.is(one.getTime(), other.getTime()))
}
