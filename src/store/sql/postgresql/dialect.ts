import { sql } from 'drizzle-orm'
import { pgCore } from '../../../resource/pg-core.js'
import { variants } from '../../fold.js'
import type { Codec, Dialect, Pattern } from '../dialect.js'
import { nameOf } from '../name.js'
import { codecOf } from './codec.js'
import { postgresqlFullText } from './full-text.js'

/**
 * PostgreSQL as the shared statements need it. `drizzle` is the dialect of a user's Drizzle database, which knows its casing of names.
 *
 * @param loose columns whose collation knows no patterns: those are asked of their code points instead, which no index of their own serves
 */
export function postgresqlDialect(drizzle = new (pgCore().PgDialect)(), loose: ReadonlySet<Codec> = new Set()): Dialect {
  return {
    name: 'postgresql',
    write: (query) => drizzle.sqlToQuery(query),
    codec: (column, id) => codecOf(column, id, nameOf(drizzle, column)),
    // One bound value however many keys, so that the statement stays the same.
    among: (values) => ({ form: '', bind: [values] }),
    amongSql: (column, _, slot) => sql`${column} = any(${slot()})`,
    pattern,
    list: { one: (codec, value) => codec.equal([value]), has: hasOne },
    fullText: postgresqlFullText,
    matches: (codec, _, [expression]) =>
      loose.has(codec) ? sql`(${codec.sql}::text collate "C") ~ ${expression}` : sql`${codec.sql}::text ~ ${expression}`,
    orderBy(column, direction, nullable, reversed) {
      const ascending = (direction === 'ASC') !== reversed
      // NULL is the greatest value of an index: only where that is the wrong end does it take words.
      const nulls = !nullable || ascending !== reversed ? sql`` : reversed ? sql` nulls first` : sql` nulls last`
      return sql`${column} ${ascending ? sql`asc` : sql`desc`}${nulls}`
    },
  }
}

// The column as it stands, so that an index of it serves; json has no such question, jsonb has.
const hasOne: Dialect['list']['has'] = ({ column: { drizzle } }, one) =>
  drizzle.columnType === 'PgJson' ? sql`${drizzle}::jsonb @> ${one}::jsonb` : sql`${drizzle} @> ${one}`

const longestPattern = 5000

// A regular expression, because it knows classes: what ILIKE takes for the same letter depends on the server's locale.
function pattern(text: string, at: 'anywhere' | 'start' | 'whole'): Pattern | null {
  let expression = at === 'anywhere' ? '' : '^'
  for (const character of text) {
    const class_ = variants(character)
    expression += class_.length > 1 ? `[${class_.join('')}]` : character.replace(/[\\^$.|?*+()[\]{}]/, '\\$&')
  }
  if (at === 'whole') expression += '$'
  return expression.length < longestPattern ? { form: '', bind: [expression] } : null
}
