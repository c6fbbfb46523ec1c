import type { Table } from 'drizzle-orm'

// However many factories a table has, no two of its rows in one test file have the same number.
const last = new WeakMap<Table, number>()

/** The number of the next row of a table: 1, 2, 3 … */
export function nextNumber(table: Table): number {
  const number = (last.get(table) ?? 0) + 1
  last.set(table, number)
  return number
}

/** Goes on behind a number, where the rows up to it were there before. */
export function passNumbers(table: Table, number: number): void {
  last.set(table, Math.max(last.get(table) ?? 0, number))
}
