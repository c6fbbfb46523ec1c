import type { Row } from '../../store.js'
import type { Plan, Planned } from '../plan.js'
import { boundValues, decode } from '../record.js'
import type { Driver, Statement } from './driver.js'
import { isBusy } from './failure.js'
import { type Given, type Packed, pack, unpack } from './packed.js'

// To walk past so many rows is to read more of the file than is kept in memory.
const far = 50_000

/** A connection that runs planned statements, each prepared once. */
export class Connection {
  readonly #statements = new WeakMap<Plan, Statement>()
  #version: Statement | undefined
  /** The statements that have written something since `begin`; null: nobody knows which. */
  written: Plan[] | null = []
  constructor(
    readonly driver: Driver,
    readonly observe: ((sql: string) => void) | undefined,
  ) {}

  rows(planned: Planned): Row[] {
    const rows = this.#read(planned, planned.single ? one : all)
    if (planned.plan.decoders.length > 0) for (const row of rows) decode(planned.plan, row)
    return planned.backwards ? rows.reverse() : rows
  }

  /** The same rows, of which those may be from before that are as they were. To read all of a text takes as long as to read them one by one. */
  given(planned: Planned, before: Given | null): Given {
    const packed = before && this.driver.slow && !planned.single ? packedOf(planned.plan) : null
    const given = before && packed && this.#unpacked(packed, planned, before)
    if (given) return given
    const rows = this.rows(planned)
    // Where only this way has worked, the text is not asked for again, whichever page of the list it is.
    if (packed) packings.set(planned.plan, null)
    return { rows, bytes: null, lines: null }
  }

  #unpacked(packed: Packed, planned: Planned, before: Given): Given | null {
    try {
      const [row = []] = this.#read({ ...planned, plan: packed.plan }, one)
      return unpack(packed, row, planned, before)
    } catch (error) {
      // Whatever else it was, whoever reads the rows one by one meets it too, or there is nothing wrong with them.
      if (isBusy(error)) throw error
      return null
    }
  }

  #read(planned: Planned, use: (statement: Statement, values: readonly unknown[]) => unknown[][]): unknown[][] {
    const read = () => this.#use(planned, use)
    return (planned.skips ?? 0) < far ? read() : this.#mapped(read)
  }

  row(planned: Planned): Row | null {
    const row = this.#use(planned, (statement, values) => statement.one(values))
    return row === undefined ? null : decode(planned.plan, row)
  }

  run(planned: Planned): number {
    return this.#use(planned, (statement, values) => statement.run(values))
  }

  /** Another one whenever somebody else has changed the database: another connection, or another process. */
  version(): unknown {
    this.#version ??= this.driver.prepare('pragma data_version', false)
    return this.#version.one([])?.[0]
  }

  begin(): void {
    this.exec('begin immediate')
    this.written = []
  }

  exec(sql: string): void {
    this.observe?.(sql)
    this.driver.exec(sql)
  }

  /** Runs a statement of which nobody knows what it changes. */
  execute(sql: string): void {
    this.written = null
    this.exec(sql)
  }

  rollBack(): void {
    try {
      this.exec('rollback')
    } catch {
      // SQLite has rolled back by itself.
    }
  }

  /** Of a mapped file nothing is copied on the way, which takes a third of the time. No longer than that: it would hold memory, and a file that somebody cuts short could end the process at any time. */
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
    this.observe?.(plan.text)
    let statement = this.#statements.get(plan)
    if (statement === undefined) {
      statement = this.driver.prepare(plan.text, plan.writes)
      this.#statements.set(plan, statement)
    }
    if (plan.writes) this.written?.push(plan)
    try {
      return use(statement, boundValues(planned))
    } catch (error) {
      // libsql does not reset a statement that failed: it would run again with the old values.
      this.#statements.delete(plan)
      throw error
    }
  }
}

/** By the statement that gives the rows one by one; null: they cannot be packed. */
const packings = new WeakMap<Plan, Packed | null>()

function packedOf(plan: Plan): Packed | null {
  let packed = packings.get(plan)
  if (packed === undefined) {
    packed = pack(plan)
    packings.set(plan, packed)
  }
  return packed
}

const all = (statement: Statement, values: readonly unknown[]) => statement.all(values)

/** A driver does less where it need not look for a second row. */
const one = (statement: Statement, values: readonly unknown[]) => [statement.one(values) as unknown[]]
