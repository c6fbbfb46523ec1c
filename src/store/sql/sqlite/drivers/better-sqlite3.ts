import { type Driver, isRounded, type Statement, withNumbers } from '../driver.js'

/** What better-sqlite3 and libsql have in common. */
export interface Client {
  prepare(sql: string): ClientStatement
  exec(sql: string): unknown
  close(): unknown
  /** Only libsql has this. */
  readonly sync?: unknown
}

interface ClientStatement {
  readonly reader: boolean
  raw(): this
  safeIntegers(on: boolean): this
  all(values: readonly unknown[]): unknown[]
  get(values: readonly unknown[]): unknown
  run(values: readonly unknown[]): { readonly changes: number }
}

/** better-sqlite3, and libsql, which has the same interface. */
export function betterSqlite3(client: Client): Driver {
  return {
    // libsql creates each value by calls from Rust, about 200 ns apiece.
    slow: typeof client.sync === 'function',
    prepare: (sql, writes) => statement(client.prepare(sql), writes),
    exec: (sql) => void client.exec(sql),
    close: () => void client.close(),
  }
}

function statement(prepared: ClientStatement, writes: boolean): Statement {
  if (prepared.reader) prepared.raw()
  // A write must not run twice to get exact integers, so it reads bigints from the start.
  if (writes && prepared.reader) prepared.safeIntegers(true)
  return {
    all(values) {
      const rows = prepared.all(values) as unknown[][]
      if (writes) return rows.map(withNumbers)
      return rows.some(isRounded) ? exactly(() => prepared.all(values) as unknown[][]).map(withNumbers) : rows
    },
    one(values) {
      const row = prepared.get(values) as unknown[] | undefined
      if (row === undefined) return undefined
      if (writes) return withNumbers(row)
      return isRounded(row) ? withNumbers(exactly(() => prepared.get(values) as unknown[])) : row
    },
    run: (values) => prepared.run(values).changes,
  }

  function exactly<T>(read: () => T): T {
    prepared.safeIntegers(true)
    try {
      return read()
    } finally {
      prepared.safeIntegers(false)
    }
  }
}
