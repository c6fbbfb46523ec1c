import { type SQL, sql } from 'drizzle-orm'
import type { FullText } from '../../../resource/full-text.js'
import type { Codec, Dialect, Mapped } from '../dialect.js'
import { written } from '../indexes.js'
import type { Planner } from '../plan.js'
import type { Connection } from './connection.js'

/** Words are found in a `tsvector` of the columns, which an index over the same expression serves. */
export const postgresqlFullText: Dialect['fullText'] = {
  // Each in quotes: within them nothing has a meaning of its own.
  words: (_, words) => words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`).join(' & '),
  matches(table, columns, { columns: keys, language }, words) {
    const all = keys.map(table.column)
    const asked = sql`to_tsquery(${configuration(language)}, ${words})`
    const found = sql`${vector(all, language, ({ sql }) => sql)} @@ ${asked}`
    // Who may not read all of the columns is served by the same index, and then by those alone.
    return columns.length === all.length ? found : sql`(${found} and ${vector(columns, language, ({ sql }) => sql)} @@ ${asked})`
  },
}

/** The statement that makes the index of a resource's words; null: there is one. */
export async function missingTsvector(connection: Connection, planner: Planner, table: Mapped, of: FullText): Promise<string | null> {
  const expression = planner.dialect.write(vector(of.columns.map(table.column), of.language, ({ name }) => sql.identifier(name))).sql
  const on = written(planner, table)
  await connection.exec('begin; set local enable_seqscan = off')
  try {
    const plan = await connection.ask(`explain select 1 from ${on} where ${expression} @@ to_tsquery('${of.language}', $1)`, ['word:*'])
    if (plan.some(([line]) => /Cond:.*@@/.test(String(line)))) return null
  } finally {
    await connection.exec('rollback')
  }
  return `create index ${planner.dialect.write(sql`${sql.identifier(of.table)}`).sql} on ${on} using gin (${expression})`
}

function vector(columns: readonly Codec[], language: string, nameOf: (column: Codec) => SQL | ReturnType<typeof sql.identifier>): SQL {
  const texts = columns.map((column) => sql`coalesce(${nameOf(column)}, '')`)
  return sql`to_tsvector(${configuration(language)}, ${sql.join(texts, sql` || ' ' || `)})`
}

// A constant, or no index would serve it. The start-up check lets nothing pass but a name.
function configuration(language: string): SQL {
  return sql.raw(`'${language}'`)
}
