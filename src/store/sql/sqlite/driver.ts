/** A connection as the store uses it: what better-sqlite3, libsql and node:sqlite have in common. All of it is synchronous. */
export interface Driver {
  /** Each value takes it so long that a text of all of them is read sooner. */
  readonly slow: boolean
  prepare(sql: string, writes: boolean): Statement
  exec(sql: string): void
  close(): void
}

/** A prepared statement. Rows are arrays; an integer beyond 2^53 is a bigint, never a rounded number. Nothing stays open after a call. */
export interface Statement {
  all(values: readonly unknown[]): unknown[][]
  /** The first row of a statement that has at most one. */
  one(values: readonly unknown[]): unknown[] | undefined
  /** Runs a statement that gives no rows, and says how many it changed. */
  run(values: readonly unknown[]): number
}

/** Whether a driver may have rounded an integer of this row. */
export function isRounded(row: readonly unknown[]): boolean {
  for (const value of row)
    if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)) return true
  return false
}

/** Rows read with bigints for all integers → numbers where they fit. */
export function withNumbers(row: unknown[]): unknown[] {
  for (let index = 0; index < row.length; index++) {
    const value = row[index]
    if (typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) row[index] = Number(value)
  }
  return row
}
