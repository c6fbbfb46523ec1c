/** A connection: what better-sqlite3, libsql and node:sqlite have in common. All calls are synchronous. */
export interface Driver {
  /** Whether returning values one by one costs so much that one text of all rows is faster. */
  readonly slow: boolean
  prepare(sql: string, writes: boolean): Statement
  exec(sql: string): void
  close(): void
}

/** A prepared statement. Rows are arrays; integers beyond 2^53 are bigints, never rounded. No cursor stays open after a call. */
export interface Statement {
  all(values: readonly unknown[]): unknown[][]
  /** The first row of a statement that has at most one. */
  one(values: readonly unknown[]): unknown[] | undefined
  /** Runs a statement that returns no rows, and returns how many rows it changed. */
  run(values: readonly unknown[]): number
}

/** Whether the driver may have rounded an integer of this row. */
export function isRounded(row: readonly unknown[]): boolean {
  for (const value of row)
    if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)) return true
  return false
}

/** Turns the bigints of a row that was read with `safeIntegers` into numbers, where they fit. */
export function withNumbers(row: unknown[]): unknown[] {
  for (let index = 0; index < row.length; index++) {
    const value = row[index]
    if (typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) row[index] = Number(value)
  }
  return row
}
