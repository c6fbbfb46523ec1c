import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { Codec, Dialect, Mapped } from './dialect.js'

/** A table in a query of its own for each row of others, by the name that it has there. */
export interface Inside {
  readonly alias: SQL
  readonly table: Mapped
}

/**
 * The rows around it may be of the same table, or of one of the same name in another schema: so it has another name than these.
 *
 * @param around the key of the rows around it
 */
export function inside(around: Codec, table: Mapped, dialect: Dialect): Inside {
  const isTaken = getTableName(around.column.drizzle.table).toLowerCase() === 'related'
  const alias = sql`${sql.identifier(isTaken ? 'others' : 'related')}`
  const codecs = new Map(
    [...table.codecs].map(
      ([key, { column, id, name }]) => [key, dialect.codec(column, id, sql`${alias}.${sql.identifier(name)}`)] as const,
    ),
  )
  const column = (key: string) => codecs.get(key) ?? table.column(key)
  return { alias, table: { ...table, codecs, column, key: column(table.model.key.key) } }
}
