import { type Driver, isRounded, type Statement, withNumbers } from '../driver.js'

/** The part of `node:sqlite` that we use. Its own types are newer than the oldest Node that we support. */
export interface NodeClient {
  prepare(sql: string): NodeStatement
  exec(sql: string): void
  close(): void
}

interface NodeStatement {
  setReturnArrays(on: boolean): void
  setReadBigInts(on: boolean): void
  all(...values: readonly unknown[]): unknown[][]
  get(...values: readonly unknown[]): unknown[] | undefined
  run(...values: readonly unknown[]): { readonly changes: number | bigint }
}

export function nodeSqlite(client: NodeClient): Driver {
  return {
    slow: false,
    prepare: (sql, writes) => statement(client.prepare(sql), writes),
    exec: (sql) => client.exec(sql),
    close: () => client.close(),
  }
}

function statement(prepared: NodeStatement, writes: boolean): Statement {
  prepared.setReturnArrays(true)
  // A write must not run twice to get exact integers, so it reads bigints from the start.
  prepared.setReadBigInts(writes)
  return {
    all: (values) => exactly(() => prepared.all(...values.map(bound))),
    one: (values) => exactly(() => [prepared.get(...values.map(bound))].filter((row) => row !== undefined))[0],
    run: (values) => Number(prepared.run(...values.map(bound)).changes),
  }

  // node:sqlite throws for integers beyond 2^53 unless it reads all integers as bigints. Only the smallest 64-bit integer gets through, as
  // a number.
  function exactly(read: () => unknown[][]): unknown[][] {
    if (writes) return read().map(withNumbers)
    try {
      const rows = read()
      if (!rows.some(isRounded)) return rows
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_OUT_OF_RANGE') throw error
    }
    prepared.setReadBigInts(true)
    try {
      return read().map(withNumbers)
    } finally {
      prepared.setReadBigInts(false)
    }
  }
}

// Node 22 may bind an empty Uint8Array as NULL, but not an empty view of a larger buffer.
const noBytes = new Uint8Array(new ArrayBuffer(1), 0, 0)

function bound(value: unknown): unknown {
  return value instanceof Uint8Array && value.byteLength === 0 ? noBytes : value
}
