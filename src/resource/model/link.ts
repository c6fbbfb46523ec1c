import { Column as DrizzleColumn, is, Table } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Field } from '../../field/field.js'
import { type Column, keyedBy, type Link, type Model, shapeOf } from './model.js'
import { pgCore } from './pg-core.js'

/** The link table behind a field; text: what is wrong with its declaration; null: its field lists no linked records. */
export function linkOf(model: Model, key: string, { facts }: Field): Link | string | null {
  const { through, from } = facts
  if (through === undefined) return null
  if (model.columns.get(key)?.link === null) return 'a column has this name; choose another one'
  const target = throughColumn(through)
  if (!target) return 'name the column of the link table that refers to the other record: belongsToMany(label, links.otherId)'
  const shape = shapeOf(target.drizzle.table)
  if (shape.fullName === model.fullName) return `"${shape.name}" is its own table, and a link table is another one`
  if (shape.dialect !== model.dialect) return `the link table "${shape.name}" is not of the same database as "${model.name}"`
  const all = [...shape.columns.values()]
  const source = sourceOf(model, all, target, from)
  if (typeof source === 'string') return source
  const { references } = source
  if (references && shapeOf(references.table).fullName === model.fullName && references.key !== model.key.key)
    return `the link table refers to this record by "${references.key}", and its key is "${model.key.key}"`
  if (source.type !== model.key.type)
    return `"${source.key}" of the link table is of type ${source.type}, and the key "${model.key.key}" of type ${model.key.type}`
  const empty = all.find((one) => one !== source && one !== target && one.notNull && !one.hasDefault && !isCounted(one, model))
  if (empty)
    return `"${empty.key}" of the link table would stay empty: give it a default, or declare a resource over that table and show it with hasMany()`
  const onDelete = references?.onDelete
  return Object.freeze({ model: keyedBy(shape, source), source, target, unlinks: onDelete !== 'cascade' && onDelete !== 'restrict' })
}

/** The column that a field names as that of its link table; null: it is none. */
export function throughColumn(through: unknown): Column | null {
  if (!is(through, DrizzleColumn) || !is(through.table, Table)) return null
  return [...shapeOf(through.table).columns.values()].find(({ drizzle }) => drizzle === through) ?? null
}

/** SQLite numbers an integer primary key by itself. */
const isCounted = ({ primary, type }: Column, { dialect }: Model) => primary && dialect === 'sqlite' && type === 'integer'

function sourceOf({ fullName }: Model, all: readonly Column[], target: Column, from: unknown): Column | string {
  if (from !== undefined) {
    const said = all.find(({ drizzle }) => drizzle === from)
    return !said || said === target ? '.from() takes the other column of the link table, which refers to this record' : said
  }
  // Names are compared, since two Drizzle tables may describe one database table.
  const leading = all.filter((one) => one !== target && one.references !== null && shapeOf(one.references.table).fullName === fullName)
  if (leading.length === 1) return leading[0] as Column
  return leading.length === 0
    ? `no other column of the link table has a foreign key to "${fullName}": say which refers to this record, .from(column)`
    : `several columns of the link table refer to "${fullName}": say which is of this record, .from(column). Valid: ${leading.map(({ key }) => key).join(', ')}`
}

/** The model with what its fields list by way of link tables; what is declared wrongly is left out, and start-up reports it. */
export function withLinks(model: Model, fields: ReadonlyMap<string, Field>): Model {
  const links: Column[] = []
  for (const [key, field] of fields) {
    const link = linkOf(model, key, field)
    if (link !== null && typeof link !== 'string') links.push(listColumn(key, link))
  }
  if (links.length === 0) return model
  const columns = new Map([...model.columns, ...links.map((column) => [column.key, column] as const)])
  return Object.freeze({ ...model, columns, links: Object.freeze(links) })
}

/** Whether values name what a link table holds: then more than the record itself is written. */
export function namesLinks({ links }: Model, values: Readonly<Record<string, unknown>>): boolean {
  return links.length > 0 && links.some(({ key }) => Object.hasOwn(values, key))
}

/** What stands where a column stands: a JSON list of keys, empty by default. */
function listColumn(key: string, link: Link): Column {
  return Object.freeze({
    key,
    name: key,
    type: 'json',
    range: null,
    maxLength: null,
    options: null,
    takes: 'any',
    asDate: false,
    precision: 3,
    stored: null,
    scale: null,
    notNull: true,
    hasDefault: true,
    generated: false,
    primary: false,
    unique: false,
    loose: false,
    references: null,
    drizzle: jsonColumns[link.model.dialect](),
    element: link.target,
    link,
    tally: null,
  })
}

const jsonColumns: { readonly [D in Model['dialect']]: () => DrizzleColumn } = {
  sqlite: () => sqliteLists.keys,
  postgresql: () => pgCore().pgTable('lists', { keys: pgCore().jsonb() }).keys as DrizzleColumn,
}
const sqliteLists = sqliteTable('lists', { keys: text({ mode: 'json' }) })
