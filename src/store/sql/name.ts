import { type SQL, sql } from 'drizzle-orm'
import type { Column } from '../../resource/model.js'

/** SQLite compares names case-insensitively, for ASCII letters only. */
export const folded = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * The name of a column in the database. Only Drizzle's writer knows the casing, so the name is taken from what it writes, after the last
 * dot.
 */
export function nameOf(writer: { sqlToQuery(query: SQL): { readonly sql: string } }, column: Column): string {
  const [quoted] = /"(?:[^"]|"")*"$/.exec(writer.sqlToQuery(sql`${column.drizzle}`).sql) as RegExpExecArray
  return quoted.slice(1, -1).replaceAll('""', '"')
}
