import type { Model } from '../../../resource/model.js'
import type { ListQuery, Row } from '../../store.js'
import type { WrittenPage } from '../../written.js'
import type { Mapped } from '../dialect.js'
import { planList } from '../list.js'
import type { Beside } from '../order.js'
import type { Planned, Planner } from '../plan.js'
import type { Changes } from './changes.js'
import { statementKey } from './statement-key.js'

// Skipping fewer rows takes about as long as finding one.
const near = 1000

// Two or three of each page.
const most = 1000

/** A row that stands at a place of a list, counted from the end that it was read from. */
interface Landmark extends Pick<Beside, 'key' | 'has'> {
  /** When it stood there, on the clock of `Changes`. */
  readonly at: number
}

/** A page far into a list, by its number. */
interface Asked {
  readonly model: Model
  readonly query: ListQuery
  readonly planned: Planned
  /** Whether it may be read in the other direction: then its last row is read first. */
  readonly turns: boolean
}

/** Rows that were read, each with its place among them, counted as the page is. */
type Ends = Iterable<readonly [place: number, Row]>

/**
 * Remembers which rows the pages far into a list began and ended with, so that the next page and the one before are found as those of a
 * cursor are, without walking past all rows before them: as long as nothing has changed, such a row stands where it stood.
 */
export class Landmarks {
  /** The oldest first. */
  readonly #known = new Map<string, Landmark>()
  constructor(
    readonly planner: Planner,
    readonly changes: Changes,
  ) {}

  /** Whether walking to a page takes long enough, and its rows can be found again: by a key that is read exactly, and plain values. */
  serves(model: Model, { position, offset = 0, order }: ListQuery): boolean {
    if (position || offset <= near) return false
    const table = this.planner.table(model)
    if (!model.key.primary || table.key.column.drizzle.columnType !== 'SQLiteInteger') return false
    return order.every(({ column, along }) => !along && plainTypes.has(table.column(column).column.drizzle.columnType))
  }

  /**
   * Reads a page, from beside a landmark if there is one.
   *
   * @param read reads the rows of a statement, or writes them
   * @param endsOf those of its rows that other pages may begin or end beside
   */
  page<T>(asked: Asked, read: (planned: Planned) => T, endsOf: (page: T) => Ends): T {
    const { changes } = this
    const { model, query, planned } = asked
    const at = query.seen === undefined ? changes.now() : changes.lastNow
    // But for how many rows it skips and returns, the statement is the list, from one of its ends.
    const list = statementKey(planned.plan, planned.values.slice(0, -2))
    const beside = this.#beside(list, asked)
    let page = read(beside ? planList(this.planner, model, query, beside) : planned)
    // Somebody may have deleted the landmark before the page was read.
    if (beside && changes.now() !== at) page = read(planned)
    const table = this.planner.table(model)
    for (const [place, row] of endsOf(page)) this.#keep(`${list} ${(query.offset ?? 0) + place}`, landmarkOf(table, query, row, at))
    return page
  }

  #beside(list: string, { query: { offset = 0, limit, fromEnd = false }, planned, turns }: Asked): Beside | null {
    const last = this.changes.last(planned.plan)
    const known = (place: number) => {
      const landmark = this.#known.get(`${list} ${place}`)
      return landmark && landmark.at >= last ? landmark : null
    }
    const before = known(offset - 1)
    if (before) return { ...before, side: fromEnd ? 'before' : 'after' }
    const behind = turns ? known(offset + limit) : null
    return behind && { ...behind, side: fromEnd ? 'after' : 'before' }
  }

  #keep(place: string, landmark: Landmark | null): void {
    this.#known.delete(place)
    if (landmark === null) return
    this.#known.set(place, landmark)
    if (this.#known.size <= most) return
    const [oldest] = this.#known.keys()
    this.#known.delete(oldest as string)
  }
}

/** Columns whose values are null only where the stored ones are. */
const plainTypes: ReadonlySet<string> = new Set([
  'SQLiteText',
  'SQLiteInteger',
  'SQLiteReal',
  'SQLiteBoolean',
  'SQLiteTimestamp',
  'SQLiteNumeric',
  'SQLiteNumericNumber',
])

/** Where one row more is read to see whether there is a next page, that page begins with it, and the one before ends with the second. */
export function endsOf(rows: readonly Row[], { fromEnd = false }: ListQuery): Ends {
  const last = rows.length - 1
  return [...new Set([0, 1, last - 1, last])].flatMap((index) => {
    const row = rows[index]
    return row ? [[fromEnd ? last - index : index, row] as const] : []
  })
}

/** The same, of a page that the database wrote. */
export function endsOfWritten(page: WrittenPage | null, { fromEnd = false }: ListQuery): Ends {
  const ends = page?.ends()
  if (!page || !ends) return []
  const [first, last] = fromEnd ? ends.toReversed() : ends
  return [
    [0, first as Row],
    [page.count - 1, last as Row],
  ]
}

/** Null: what was read of the row does not tell. */
function landmarkOf(table: Mapped, { columns, order }: ListQuery, row: Row, at: number): Landmark | null {
  const valueAt = (column: string) => row[columns.indexOf(column)]
  const key = valueAt(table.model.key.key)
  if (!Number.isSafeInteger(key)) return null
  const values = order.map(({ column }) => valueAt(column))
  return values.includes(undefined) ? null : { key, has: values.map((value) => value !== null), at }
}
