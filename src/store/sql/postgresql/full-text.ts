import { type SQL, sql } from 'drizzle-orm'
import type { FullText } from '../../../resource/model/full-text.js'
import type { Codec, Dialect, Mapped } from '../dialect.js'
import { written } from '../indexes.js'
import type { Planner } from '../plan.js'
import type { Connection } from './connection.js'

/** Searches a `tsvector` of the columns, which an index over the same expression serves. */
export const postgresqlFullText: Dialect['fullText'] = {
  // Quoted, so that no character has a special meaning.
  words: (_, words) => words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`).join(' & '),
  matches(table, columns, { columns: keys, language }, words) {
    const all = keys.map(table.column)
    const asked = sql`to_tsquery(${configuration(language)}, ${words})`
    const found = sql`${vector(all, language, ({ sql }) => sql)} @@ ${asked}`
    // If the user may not read all columns, the index finds candidates, and the readable columns decide.
    return columns.length === all.length ? found : sql`(${found} and ${vector(columns, language, ({ sql }) => sql)} @@ ${asked})`
  },
}

/** The statement that creates a resource's full-text index; null: it exists. */
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

// It must be a literal for an index to serve. The check at start-up allows only a name here.
function configuration(language: string): SQL {
  return sql.raw(`'${language}'`)
}
