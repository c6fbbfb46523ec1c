import type { Table } from 'drizzle-orm'

// Shared by all factories of a table, so that no two of its rows in a test file have the same number.
const last = new WeakMap<Table, number>()

/** The number of a table's next row: 1, 2, 3 … */
export function nextNumber(table: Table): number {
  const number = (last.get(table) ?? 0) + 1
  last.set(table, number)
  return number
}

/** Continues after a number, if rows up to it exist already. */
export function passNumbers(table: Table, number: number): void {
  last.set(table, Math.max(last.get(table) ?? 0, number))
}
