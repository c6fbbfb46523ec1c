import { Illegible } from '../../../field/illegible.js'
import type { Row } from '../../store.js'
import type { WrittenField, WrittenPage } from '../../written.js'
import type { Plan, Planned } from '../plan.js'
import { boundValues, decode } from '../record.js'
import type { Watch } from '../watch.js'
import type { Driver, Statement } from './driver.js'
import { isBusy } from './failure.js'
import { type Given, type Packed, pack, unpack } from './packed.js'
import { apart, writings, writtenPage } from './written.js'

// Skipping this many rows reads more of the file than the page cache holds. Counting as many reads a few hundred pages, which are no longer
// cached: a table is counted again because somebody has written.
const far = 50_000

/** A connection that runs planned statements and prepares each once. */
export class Connection {
  readonly #statements = new WeakMap<Plan, Statement>()
  /** The last counts of whole tables. */
  readonly #counts = new WeakMap<Plan, number>()
  #version: Statement | undefined
  /** The writing statements since `begin`; null: unknown. */
  written: Plan[] | null = []
  constructor(
    readonly driver: Driver,
    readonly watch: Watch | undefined,
  ) {}

  rows(planned: Planned): Row[] {
    const rows = this.#read(planned, planned.single ? one : all)
    if (planned.plan.decoders.length > 0) for (const row of rows) decode(planned.plan, row)
    for (const row of rows) withoutBytes(planned.plan, row)
    return planned.backwards ? rows.reverse() : rows
  }

  /**
   * Reads rows, reusing unchanged ones of `before`. Without `before` they are read one by one: parsing a packed text in full takes as long.
   */
  given(planned: Planned, before: Given | null): Given {
    const packed = before && this.driver.slow && !planned.single && !planned.grouped ? packedOf(planned.plan) : null
    const given = before && packed && this.#unpacked(packed, planned, before)
    if (given) return given
    const rows = this.rows(planned)
    // If only reading one by one worked, don't try the packed text again for any page of this list.
    if (packed) packings.set(planned.plan, null)
    return { rows, bytes: null, lines: null }
  }

  /** Reads rows as JSON; null: this driver or these values are better read as rows. */
  json(planned: Planned, fields: readonly WrittenField[], most: number): WrittenPage | null {
    const { plan } = planned
    const writing = this.driver.slow ? writings.of(plan, fields, apart) : null
    if (writing === null) return null
    const page = unlessFailed(() => {
      const [row = []] = this.#read({ ...planned, plan: writing }, one)
      return writtenPage(row, planned, fields, most)
    })
    if (page === null) writings.giveUp(plan, fields)
    return page
  }

  #unpacked(packed: Packed, planned: Planned, before: Given): Given | null {
    return unlessFailed(() => {
      const [row = []] = this.#read({ ...planned, plan: packed.plan }, one)
      return unpack(packed, row, planned, before)
    })
  }

  #read(planned: Planned, use: (statement: Statement, values: readonly unknown[]) => unknown[][]): unknown[][] {
    const { plan, whole } = planned
    // A table that was not counted yet may be a large one.
    const passed = whole ? (this.#counts.get(plan) ?? far) : (planned.skips ?? 0)
    const read = () => this.#use(planned, use)
    const rows = passed < far ? read() : this.#mapped(read)
    if (whole) this.#counts.set(plan, Number(rows[0]?.[0]))
    return rows
  }

  row(planned: Planned): Row | null {
    const row = this.#use(planned, (statement, values) => statement.one(values))
    return row === undefined ? null : withoutBytes(planned.plan, decode(planned.plan, row))
  }

  run(planned: Planned): number {
    return this.#use(planned, (statement, values) => statement.run(values))
  }

  /** Differs whenever another connection or process has changed the database. */
  version(): unknown {
    this.#version ??= this.driver.prepare('pragma data_version', false)
    return this.#version.one([])?.[0]
  }

  begin(): void {
    this.exec('begin immediate')
    this.written = []
  }

  exec(sql: string): void {
    const done = this.watch?.(sql)
    try {
      this.driver.exec(sql)
    } finally {
      done?.()
    }
  }

  /** Runs a statement whose changes are unknown. */
  execute(sql: string): void {
    this.written = null
    this.exec(sql)
  }

  rollBack(): void {
    try {
      this.exec('rollback')
    } catch {
      // SQLite has already rolled back by itself.
    }
  }

  /**
   * Memory-maps the file while `read` runs: without copying, it takes a third of the time. Not longer, since the mapping holds memory, and
   * if somebody truncates a mapped file, the process crashes.
   */
  #mapped<T>(read: () => T): T {
    this.driver.exec('pragma mmap_size = 1073741824')
    try {
      return read()
    } finally {
      this.driver.exec('pragma mmap_size = 0')
    }
  }

  #use<T>(planned: Planned, use: (statement: Statement, values: readonly unknown[]) => T): T {
    const { plan } = planned
    const done = this.watch?.(plan.text)
    try {
      let statement = this.#statements.get(plan)
      if (statement === undefined) {
        statement = this.driver.prepare(plan.text, plan.writes)
        this.#statements.set(plan, statement)
      }
      if (plan.writes) this.written?.push(plan)
      return use(statement, boundValues(planned))
    } catch (error) {
      // libsql does not reset a statement that failed: it would run again with its old values.
      this.#statements.delete(plan)
      throw error
    } finally {
      done?.()
    }
  }
}

/** The packed form of each plan; null: it cannot be packed. */
const packings = new WeakMap<Plan, Packed | null>()

function packedOf(plan: Plan): Packed | null {
  let packed = packings.get(plan)
  if (packed === undefined) {
    packed = pack(plan)
    packings.set(plan, packed)
  }
  return packed
}

/** Any error but that of a busy database either recurs when the rows are read one by one, or concerns only their text. */
function unlessFailed<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch (error) {
    if (isBusy(error)) throw error
    return null
  }
}

// Of those whose values are taken as they are; the others are decoded.
const plainTypes: ReadonlySet<string> = new Set(['SQLiteText', 'SQLiteInteger', 'SQLiteReal'])

/** Which of a plan's columns hold texts and numbers, but for the key. */
const plains = new WeakMap<Plan, readonly number[]>()

function plainsOf(plan: Plan): readonly number[] {
  let found = plains.get(plan)
  if (found === undefined) {
    const { columns, table } = plan
    found = columns.flatMap((codec, index) =>
      !codec.decode && plainTypes.has(codec.column.drizzle.columnType) && codec !== table.key ? [index] : [],
    )
    plains.set(plan, found)
  }
  return found
}

/** Replaces bytes in columns of texts and numbers, in place: others may have stored them, and they are neither. Packed rows never have any. */
function withoutBytes(plan: Plan, row: Row): Row {
  for (const index of plainsOf(plan)) {
    const value = row[index]
    // Whatever the driver makes of bytes is the only object that it gives.
    if (typeof value === 'object' && value !== null) (row as unknown[])[index] = new Illegible(value)
  }
  return row
}

const all = (statement: Statement, values: readonly unknown[]) => statement.all(values)

/** Faster than `all`: the driver does not look for a second row. */
const one = (statement: Statement, values: readonly unknown[]) => [statement.one(values) as unknown[]]
