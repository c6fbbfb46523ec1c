import type { Model } from '../../../resource/model/model.js'
import type { ListQuery, Position, Row } from '../../store.js'
import type { WrittenPage } from '../../written.js'
import { planList } from '../list.js'
import type { Planned, Planner } from '../plan.js'
import type { Changes } from './changes.js'
import { statementKey } from './statement-key.js'

// Skipping fewer rows takes about as long as finding one.
const near = 1000

// Two to four of each page.
const most = 1000

// The filters of a list are part of its name, and some name thousands of keys.
const longest = 1000

/** The key of a row that stands at a place of a list, counted from the end that it was read from. */
interface Landmark {
  readonly key: number
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

  /**
   * Whether walking to a page takes long enough, and its rows are found again: by an integer key, and nothing else. Beside a row of another
   * order, SQLite would first pass all rows that are the same in its first column.
   */
  serves(model: Model, { position, offset = 0, order }: ListQuery): boolean {
    if (position || offset <= near || order.length > 1 || order[0]?.column !== model.key.key || !model.key.primary) return false
    return this.planner.table(model).key.column.drizzle.columnType === 'SQLiteInteger'
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
    if (list.length > longest) return read(planned)
    const position = this.#beside(list, asked)
    const beside = position && planList(this.planner, model, { ...query, position, offset: 0, fromEnd: false })
    let page = read(beside ?? planned)
    // Somebody may have deleted the landmark before the page was read.
    if (beside && changes.now() !== at) page = read(planned)
    const column = query.columns.indexOf(model.key.key)
    for (const [place, row] of endsOf(page)) this.#keep(`${list} ${(query.offset ?? 0) + place}`, row[column], at)
    return page
  }

  #beside(list: string, { query: { offset = 0, limit, fromEnd = false }, planned, turns }: Asked): Position | null {
    const last = this.changes.last(planned.plan)
    const known = (place: number) => {
      const landmark = this.#known.get(`${list} ${place}`)
      return landmark && landmark.at >= last ? landmark : null
    }
    const before = known(offset - 1)
    if (before) return { values: [before.key], side: fromEnd ? 'before' : 'after' }
    const behind = turns ? known(offset + limit) : null
    return behind && { values: [behind.key], side: fromEnd ? 'after' : 'before' }
  }

  #keep(place: string, key: unknown, at: number): void {
    this.#known.delete(place)
    // Others are not read exactly.
    if (!Number.isSafeInteger(key)) return
    this.#known.set(place, { key: key as number, at })
    if (this.#known.size <= most) return
    const [oldest] = this.#known.keys()
    this.#known.delete(oldest as string)
  }
}

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
