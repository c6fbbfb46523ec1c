import { sql } from 'drizzle-orm'
import type { FullText } from '../../../resource/model/full-text.js'
import type { Codec, Dialect, Mapped } from '../dialect.js'
import type { Driver } from './driver.js'

/** Searches the FTS5 table that the resource names. */
export const sqliteFullText: Dialect['fullText'] = {
  // A column filter, then quoted strings: no character inside quotes has a special meaning.
  words: (columns, words) =>
    `{${columns.map(({ name }) => quoted(name)).join(' ')}} : (${words.map((word) => `${quoted(word)}*`).join(' AND ')})`,
  matches(table, _, { table: name }, words) {
    const index = sql.identifier(name)
    return sql`${rowOf(table).sql} in (select rowid from ${index} where ${index} match ${words})`
  },
}

const made = `select 1 from sqlite_master where name = ? and type = 'table' and sql like '%using%fts5%'`
const columnsOf = 'select name from temp.pragma_table_info(?)'

/** The statements that create a resource's FTS5 table and the triggers that keep it up to date; null: it exists. */
export function missingFts(driver: Driver, table: Mapped, { table: name, columns }: FullText): string | null {
  const names = columns.map((key) => table.column(key).name)
  const has = new Set(driver.prepare(columnsOf, false).all([name]).flat())
  if (driver.prepare(made, false).one([name]) && names.every((one) => has.has(one))) return null
  const [index, of, row] = [quoted(name), quoted(table.model.name), quoted(rowOf(table).name)]
  const all = names.map(quoted)
  const given = (prefix: string) => [row, ...all].map((one) => `${prefix}.${one}`).join(', ')
  const add = `insert into ${index} (rowid, ${all.join(', ')}) values (${given('new')});`
  const take = `insert into ${index} (${index}, rowid, ${all.join(', ')}) values ('delete', ${given('old')});`
  const trigger = (what: string, when: string, does: string) =>
    `create trigger ${quoted(`${name}_${what}`)} after ${when} on ${of} begin ${does} end;`
  return [
    `create virtual table ${index} using fts5 (${all.join(', ')}, content = ${of}, content_rowid = ${row}, prefix = '2 3');`,
    `insert into ${index} (${index}) values ('rebuild');`,
    trigger('insert', 'insert', add),
    trigger('delete', 'delete', take),
    trigger('update', `update of ${[row, ...all].join(', ')}`, `${take} ${add}`),
  ].join(' ')
}

/** The column that is the table's rowid. */
function rowOf({ codecs, key }: Mapped): Codec {
  return [...codecs.values()].find(({ column }) => column.primary && column.type === 'integer') ?? key
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
