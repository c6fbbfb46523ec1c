import { type SQL, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { variants } from '../../fold.js'
import type { Among, Codec, Dialect, Pattern } from '../dialect.js'
import { nameOf } from '../name.js'
import { codecOf } from './codec.js'
import { sqliteFullText } from './full-text.js'

/** The SQLite dialect. `drizzle` is the dialect of a user's Drizzle database, which knows the casing of its names. */
export function sqliteDialect(drizzle = new SQLiteSyncDialect()): Dialect {
  return {
    name: 'sqlite',
    write: (query) => drizzle.sqlToQuery(query),
    codec: (column, id, as) => codecOf(column, id, nameOf(drizzle, column), as),
    among,
    amongSql,
    pattern,
    list: { one: (_, value) => value, has: hasOne, named: hasNamed },
    texts: {
      of: (codec, from) => sql`(select json_group_array(cast(${codec.sql} as text)) filter (where ${isKey(codec)}) ${from})`,
      read: (value) => JSON.parse(value as string) as string[],
    },
    numbers: { sum: sumOf, average: averageOf },
    fullText: sqliteFullText,
    matches,
    orderBy(column, direction, nullable, reversed) {
      const ascending = (direction === 'ASC') !== reversed
      // SQLite sorts NULL first. It is spelled out only if that is the wrong end, so that a plain index serves otherwise.
      const nulls = !nullable || ascending === reversed ? sql`` : reversed ? sql` nulls first` : sql` nulls last`
      return sql`${column} ${ascending ? sql`asc` : sql`desc`}${nulls}`
    },
  }
}

// SQLite allows 32,766 parameters in a statement. This is the largest power of two below that.
const mostMarks = 16_384

// One bound value for any number of keys keeps the statement text, and so the prepared statement, the same. JSON carries integers and text
// exactly, but SQLite may misread a fraction.
function among(values: readonly unknown[]): Among | null {
  if (values.every((value) => typeof value === 'string' || typeof value === 'bigint' || Number.isSafeInteger(value))) {
    return { form: 'j', bind: [`[${values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : value)).join()}]`] }
  }
  if (values.every((value) => Buffer.isBuffer(value)))
    return { form: 'h', bind: [JSON.stringify(values.map((value) => value.toString('hex')))] }
  const marks = 2 ** Math.ceil(Math.log2(values.length))
  return marks > mostMarks ? null : { form: `p${marks}`, bind: [...values, ...Array(marks - values.length).fill(values[0])] }
}

// In the schema of temporary tables, where none of the user's has this name.
const jsonEach = sql.raw('temp.json_each')

const amongSql: Dialect['amongSql'] = (column, form, slot) => {
  if (form === 'j') return sql`${column} in (select value from ${jsonEach}(${slot()}))`
  if (form === 'h') return sql`${column} in (select unhex(value) from ${jsonEach}(${slot()}))`
  const slots = Array.from({ length: Number(form.slice(1)) }, slot)
  return sql`${column} in (${sql.join(slots, sql`, `)})`
}

// A column may hold any value, whatever its type. Bytes that are no text would end the process, as `pack` says.
function isKey({ column, sql: value, sortable }: Codec): SQL {
  const { columnType } = column.drizzle
  if (columnType === 'SQLiteBigInt') return sql`cast(${value} as text) = cast(${sortable} as text)`
  return columnType === 'SQLiteInteger' ? sql`typeof(${value}) = 'integer'` : sql`typeof(${value}) <> 'blob'`
}

// A value that is not a JSON array counts as an empty list. The types are checked because `json_each` reads `true` as 1.
const hasOne: Dialect['list']['has'] = ({ sql: column }, one) => {
  const json = sql`cast(${column} as text)`
  const list = sql`case json_type(case when json_valid(${json}) then ${json} end) when 'array' then ${json} else '[]' end`
  return sql`exists (select 1 from ${jsonEach}(${list}) as daymark_list where atom = ${one} and type not in ('true', 'false'))`
}

// Each comma becomes one between two JSON texts.
const hasNamed: Dialect['list']['named'] = ({ sql: column }, one) => {
  const list = sql`'[' || replace(json_quote(cast(${column} as text)), ',', '","') || ']'`
  return sql`exists (select 1 from ${jsonEach}(${list}) as daymark_list where trim(value, char(9, 10, 13, 32)) = ${one})`
}

// A sum of integers that overflows would be an error, so they are added as doubles. Those that may be too large for one are added in halves,
// which become a double only where no integer has room for the sum. Of fractions, 15 digits are those that people wrote. Infinity, which `printf`
// writes as what is read as 0, is the largest double.
function sumOf({ column: { type }, sortable: value }: Codec): SQL {
  if (type === 'integer') return sql`coalesce(sum(${value} * 1.0), 0)`
  if (type === 'bigint') return sql`coalesce(sum(${value} / 4294967296) * 4294967296 + sum(${value} % 4294967296), 0)`
  return sql`cast(${digits(sql`coalesce(sum(${value} * 1.0), 0)`)} as ${sql.raw(type === 'numeric' ? 'numeric' : 'real')})`
}

const averageOf = ({ column: { type }, sortable: value }: Codec): SQL =>
  type === 'integer'
    ? sql`avg(${value} * 1.0)`
    : sql`case when count(${value}) > 0 then cast(${digits(sql`avg(${value} * 1.0)`)} as real) end`

const digits = (double: SQL): SQL => sql`replace(printf('%.15g', ${double}), 'Inf', ${sql.raw(`'${Number.MAX_VALUE}'`)})`

const longestPattern = 50_000

// GLOB has character classes, whereas LIKE ignores case for ASCII only, and not every driver can add a function of ours. But a GLOB that
// may match anywhere retries at each letter. So where `lower` folds as we do, `instr` finds the text, or its longest such part, in one pass
// first.
function pattern(text: string, at: 'anywhere' | 'start' | 'whole'): Pattern | null {
  const glob = globOf(text, at)
  if (glob === null) return null
  const part = at === 'anywhere' ? plainPart(text) : ''
  if (part !== '' && part.length === text.length) return { form: 'i', bind: [part] }
  return part === '' ? { form: 'g', bind: [glob] } : { form: 'ig', bind: [part, glob] }
}

const matches: Dialect['matches'] = ({ sql: column }, form, [first, second]) => {
  if (form === 'g') return sql`${column} glob ${first}`
  const found = sql`instr(lower(${column}), ${first}) > 0`
  return form === 'i' ? found : sql`(${found} and ${column} glob ${second})`
}

/**
 * The longest part of a text whose characters `lower` folds as we do, though it knows ASCII only. Not k: the Kelvin sign folds to it, too.
 */
function plainPart(text: string): string {
  let longest = ''
  let part = ''
  for (const character of text) {
    const all = variants(character)
    if (all.length > 1 && !all.every((one) => one < '\x80')) part = ''
    else part += all.length > 1 ? character.toLowerCase() : character
    if (part.length > longest.length) longest = part
  }
  return longest
}

function globOf(text: string, at: 'anywhere' | 'start' | 'whole'): string | null {
  let glob = at === 'anywhere' && text !== '' ? '*' : ''
  for (const character of text) {
    const class_ = variants(character)
    glob += class_.length > 1 || '*?['.includes(character) ? `[${class_.join('')}]` : character
  }
  if (at !== 'whole') glob += '*'
  return Buffer.byteLength(glob) <= longestPattern ? glob : null
}
