import { type Column, getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumnBuilderBase } from 'drizzle-orm/pg-core'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Model, modelOf } from '../../resource/model/model.js'
import { pgCore } from '../../resource/model/pg-core.js'

const twins = new WeakMap<Model, () => Model>()

/**
 * Declares a table of the panel's own, `daymark_x`, for both databases: in PostgreSQL it is `daymark.x`, with PostgreSQL's column types.
 */
export function own<T extends SQLiteTable>(table: T): T {
  let twin: Model | undefined
  twins.set(modelOf(table), () => {
    twin ??= modelOf(twinOf(table))
    return twin
  })
  return table
}

/** Whether it is one of the panel's own tables. */
export const isOwn = (model: Model): boolean => twins.has(model)

/** A model in a dialect: one of the panel's own tables has a twin there, any other model stays itself. */
export function modelIn(dialect: Model['dialect'], model: Model): Model {
  return model.dialect === dialect ? model : (twins.get(model)?.() ?? model)
}

/** Why a database of a dialect cannot hold a table; null: it can. */
export function tableFault(dialect: Model['dialect'], model: Model): string | null {
  return modelIn(dialect, model).dialect === dialect
    ? null
    : `"${model.name}" is not made with ${makers[dialect]}, which its database needs`
}

const makers = { sqlite: 'sqliteTable', postgresql: 'pgTable' } as const

function twinOf(table: SQLiteTable) {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => [key, columnOf(column)] as const)
  return pgCore()
    .pgSchema('daymark')
    .table(getTableName(table).replace(/^daymark_/, ''), Object.fromEntries(columns))
}

/** The PostgreSQL twin of a column, with the defaults of the schema. */
function columnOf(column: Column): PgColumnBuilderBase {
  const make = kinds[column.columnType]
  if (!make) throw new TypeError(`A table of the panel's own has a column of kind ${column.columnType}, which has no twin in PostgreSQL`)
  const builder = make(column)
  if (column.primary) builder.primaryKey()
  if (column.notNull) builder.notNull()
  if (column.default !== undefined) builder.default(column.default)
  if (column.defaultFn) builder.$defaultFn(column.defaultFn)
  if (column.onUpdateFn) builder.$onUpdateFn(column.onUpdateFn)
  return builder
}

interface Builder extends PgColumnBuilderBase {
  primaryKey(): unknown
  notNull(): unknown
  default(value: unknown): unknown
  $defaultFn(make: () => unknown): unknown
  $onUpdateFn(make: () => unknown): unknown
}

const kinds: Readonly<Record<string, (column: Column) => Builder>> = {
  SQLiteText: ({ name }) => pgCore().text(name) as unknown as Builder,
  SQLiteTextJson: ({ name }) => pgCore().jsonb(name) as unknown as Builder,
  SQLiteBoolean: ({ name }) => pgCore().boolean(name) as unknown as Builder,
  SQLiteTimestamp: ({ name }) => pgCore().timestamp(name, { withTimezone: true, precision: 3 }) as unknown as Builder,
  SQLiteInteger: ({ name, primary }) => {
    const whole = pgCore().bigint(name, { mode: 'number' })
    return (primary ? whole.generatedByDefaultAsIdentity() : whole) as unknown as Builder
  },
}
