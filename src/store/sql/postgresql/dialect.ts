import { type SQL, sql } from 'drizzle-orm'
import type { Column } from '../../../resource/model/model.js'
import { pgCore } from '../../../resource/model/pg-core.js'
import { variants } from '../../fold.js'
import type { Codec, Dialect, Pattern } from '../dialect.js'
import { nameOf } from '../name.js'
import { codecOf } from './codec.js'
import { postgresqlFullText } from './full-text.js'
import { keptName } from './kept-name.js'

/**
 * The PostgreSQL dialect. `drizzle` is the dialect of a user's Drizzle database, which knows the casing of its names.
 *
 * @param loose what was learned of columns: those whose collation is nondeterministic and so refuses patterns are matched under collation
 * "C", which no index of theirs serves; those whose type has no order are compared as texts
 */
export function postgresqlDialect(
  drizzle = new (pgCore().PgDialect)(),
  loose: { readonly columns: ReadonlySet<Column>; readonly unordered: ReadonlySet<Column> } = { columns: new Set(), unordered: new Set() },
): Dialect {
  return {
    name: 'postgresql',
    write: (query) => drizzle.sqlToQuery(query),
    codec(column, id, as) {
      const asText = loose.unordered.has(column) ? sql`${as ?? column.drizzle}::text` : as
      return codecOf(column, id, keptName(nameOf(drizzle, column)), asText)
    },
    // One bound array for any number of keys keeps the statement text, and so the prepared statement, the same.
    among: (values) => ({ form: '', bind: [values] }),
    amongSql: (column, _, slot) => sql`${column} = any(${slot()})`,
    pattern,
    list: { one: (codec, value) => codec.equal([value]), has: hasOne, named: hasNamed },
    texts: { of: (codec, from) => sql`array(select ${codec.sql}::text ${from})`, read: (value) => value as string[] },
    numbers: { sum: sumOf, average: averageOf },
    fullText: postgresqlFullText,
    matches: (codec, _, [expression]) =>
      loose.columns.has(codec.column) ? sql`(${codec.sql}::text collate "C") ~ ${expression}` : sql`${codec.sql}::text ~ ${expression}`,
    orderBy(column, direction, nullable, reversed) {
      const ascending = (direction === 'ASC') !== reversed
      // PostgreSQL sorts NULL last. It is spelled out only if that is the wrong end, so that a plain index serves otherwise.
      const nulls = !nullable || ascending !== reversed ? sql`` : reversed ? sql` nulls first` : sql` nulls last`
      return sql`${column} ${ascending ? sql`asc` : sql`desc`}${nulls}`
    },
  }
}

// The bare column, so that its index serves. json has no `@>`, only jsonb has.
const hasOne: Dialect['list']['has'] = ({ column: { drizzle }, bare }, one) =>
  drizzle.columnType === 'PgJson' ? sql`${bare}::jsonb @> ${one}::jsonb` : sql`${bare} @> ${one}`

const hasNamed: Dialect['list']['named'] = ({ bare }, one) =>
  sql`${one}::text = any(regexp_split_to_array(regexp_replace(${bare}, '^\\s+|\\s+$', '', 'g'), '\\s*,\\s*'))`

// Doubles are added as decimals, whose sum is the same in any order. Where nothing is added, 0 has as many digits as the column has.
function sumOf({ column: { type, scale }, sql: value }: Codec): SQL {
  if (type === 'numeric' || type === 'bigint') return sql`coalesce(sum(${value}), ${sql.raw(zero(scale ?? 0))})`
  return asDouble(sql`coalesce(sum(${exactly(type, value)}), 0)`)
}

const zero = (digits: number) => (digits > 0 ? `0.${'0'.repeat(digits)}` : '0')

const averageOf = ({ column: { type }, sql: value }: Codec): SQL => asDouble(sql`avg(${exactly(type, value)})`)

// PostgreSQL refuses to convert what is beyond the doubles, or too near to 0, and would refuse the whole list with it.
const asDouble = (value: SQL): SQL =>
  sql`case when abs(${value}) < 1e-300 then 0 when abs(${value}) <= ${largest} then (${value})::float8 else (sign(${value}) * ${largest})::float8 end`

const largest = sql.raw(String(Number.MAX_VALUE))

const exactly = (type: Codec['column']['type'], value: SQL): SQL => (type === 'real' ? sql`${value}::numeric` : value)

const longestPattern = 5000

// A regular expression has character classes, whereas what ILIKE folds depends on the server's locale.
function pattern(text: string, at: 'anywhere' | 'start' | 'whole'): Pattern | null {
  let expression = at === 'anywhere' ? '' : '^'
  for (const character of text) {
    const class_ = variants(character)
    expression += class_.length > 1 ? `[${class_.join('')}]` : character.replace(/[\\^$.|?*+()[\]{}]/, '\\$&')
  }
  if (at === 'whole') expression += '$'
  return expression.length < longestPattern ? { form: '', bind: [expression] } : null
}
