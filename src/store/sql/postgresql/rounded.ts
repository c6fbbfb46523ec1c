import type { Column } from 'drizzle-orm'

/** Whether a column stores more digits than Drizzle's numbers have. Rows are sorted by the rounded numbers, so its index does not serve. */
export function isRounded(column: Column): boolean {
  return column.columnType === 'PgNumericNumber' && ((column as { precision?: number }).precision ?? 16) > 15
}
