import { type SQL, sql } from 'drizzle-orm'
import type { Column } from '../../resource/model/model.js'

/** Drizzle's writer of SQL text. */
interface Writer {
  sqlToQuery(query: SQL): { readonly sql: string }
  readonly casing?: { cachedTables?: object }
}

/**
 * The name of a column in the database. Only Drizzle's writer knows the casing, so the name is taken from what it writes, after the last
 * dot.
 */
export function nameOf(writer: Writer, column: Column): string {
  // It keeps the names of a table's columns by the table's name alone, and has none for those of another declaration of the same table,
  // unless it forgets that it has seen one. What it has kept, it keeps.
  if (writer.casing?.cachedTables) writer.casing.cachedTables = {}
  const [quoted] = /"(?:[^"]|"")*"$/.exec(writer.sqlToQuery(sql`${column.drizzle}`).sql) as RegExpExecArray
  return quoted.slice(1, -1).replaceAll('""', '"')
}
