import type { Column } from 'drizzle-orm'

/** Whether a column keeps more digits than the numbers have that Drizzle makes of it: rows are sorted by those, which is not the order of an index. */
export function isRounded(column: Column): boolean {
  return column.columnType === 'PgNumericNumber' && ((column as { precision?: number }).precision ?? 16) > 15
}
