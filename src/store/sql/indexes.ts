import { sql } from 'drizzle-orm'
import type { Mapped } from './dialect.js'
import type { Planner } from './plan.js'
import type { Index, Indexes } from './sql-store.js'

/** The table as SQL names it, with its schema. */
export function written({ dialect }: Planner, { model }: Mapped): string {
  return dialect.write(sql`${model.table}`).sql
}

/** The indexes of a table, with the database's names; null: a view has none. */
export function describe(planner: Planner, table: Mapped, all: readonly Index[] | null): Indexes | null {
  return all && { all, table: written(planner, table), nameOf: (column) => table.column(column.key).name }
}
