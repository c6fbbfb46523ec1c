import { type Column as DrizzleColumn, getTableColumns, getTableName, getTableUniqueName, is, type Table, View } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { SQLiteTable, getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core'
import type { BoundColumn, ColumnType } from '../../field/field.js'
import { pgCore } from './pg-core.js'
import { textFormFaults } from './text-form.js'

/** A column of a Drizzle table, as fields and stores see it. */
export interface Column extends BoundColumn {
  /** Its key in the Drizzle table, which is the name of its field. */
  readonly key: string
  /** Its name in the database. */
  readonly name: string
  /** Whether it is NOT NULL. */
  readonly notNull: boolean
  /** Whether the database or the Drizzle schema (`$defaultFn`) fills it in if nothing is sent. */
  readonly hasDefault: boolean
  /** Whether only the database fills it in: `generatedAlwaysAs`, or an identity that is `ALWAYS`. */
  readonly generated: boolean
  /** Whether it alone is the primary key. */
  readonly primary: boolean
  /** Whether its values are unique. */
  readonly unique: boolean
  /** Whether values of another type may be stored in it, as SQLite allows. */
  readonly loose: boolean
  /**
   * The foreign key that it alone is, and what happens to its records on delete: `no action` unless the schema says otherwise; null: none.
   */
  readonly references: { readonly table: Table; readonly key: string; readonly onDelete: string } | null
  /** The Drizzle column. */
  readonly drizzle: DrizzleColumn
  /** One value of an array column, or one key where it lists linked records; null: it is neither. */
  readonly element: Column | null
  /** The link table, if it is no column but lists the records that this table links; null: it is a column. */
  readonly link: Link | null
  /** What it tells of related records, if it is no column but a number over them, or the first or last of their times; null: it is none. */
  readonly tally: Tally | null
}

/** A table with a row for each pair of records that belong together. */
export interface Link {
  /** The link table. Its key is the column of this record, which several of its rows have. */
  readonly model: Model
  /** Its column that refers to this record. */
  readonly source: Column
  /** Its column that refers to the other record. */
  readonly target: Column
  /** Whether a delete of this record has to delete its rows first: its foreign key neither does that, nor is it there to refuse it. */
  readonly unlinks: boolean
}

/** What is counted or computed over the records of another table, or of the same, that refer to a record. */
export interface Tally {
  /** How many there are; or what is computed over the values of `over`. */
  readonly of: 'count' | 'sum' | 'average' | 'smallest' | 'largest'
  /** The other table. Its key is the column that refers to this record, which several of its rows have. */
  readonly model: Model
  /** Its column whose values it is over; null: it is a count. */
  readonly over: Column | null
  /** The condition on its rows, as declared; null: all count. */
  readonly where: object | null
}

/** A Drizzle table as the panel sees it. */
export interface Model {
  /** The Drizzle table. */
  readonly table: Table
  /** Its name in the database. */
  readonly name: string
  /** Its name with its schema, unless that is the default. Two Drizzle tables with the same describe one table of the database. */
  readonly fullName: string
  /** Which `…Table` function made it. */
  readonly dialect: 'sqlite' | 'postgresql'
  /** Its columns by key, in order; then those that list linked records, and those that tell of related ones. */
  readonly columns: ReadonlyMap<string, Column>
  /** Those that list linked records. */
  readonly links: readonly Column[]
  /** Those that tell of related records. */
  readonly tallies: readonly Column[]
  /** The column that identifies a record. */
  readonly key: Column
  /** The columns of each unique constraint, by key. */
  readonly uniques: readonly (readonly string[])[]
}

declare const over: unique symbol
/** What is declared over a table, so that its row types can be inferred. */
export interface Over<T extends Table, F = unknown> {
  /** The name in paths: `{resourceUri}`. */
  readonly uriKey: string
  readonly [over]?: readonly [T, F]
}

/** A model without its key: what the table alone determines. */
export type Shape = Omit<Model, 'key'>

const none: readonly Column[] = Object.freeze([])
const shapes = new WeakMap<Table, Shape>()
const models = new WeakMap<Shape, Map<string, Model>>()

// TypeScript rules out undefined and null, so they come from JavaScript: an import of a wrong name, or two files that import each other.
function instead(model: unknown): string {
  if (model === undefined || model === null)
    return `not ${model}: is the table imported by the name that it has, from a file that doesn't import this one?`
  return is(model, View)
    ? 'not a view, of which the database knows no key: declare its columns as a table, with a key'
    : `not ${typeof model === 'object' ? 'this object' : `a ${typeof model}`}`
}

/**
 * Reads a Drizzle table, once.
 *
 * @param key the column that identifies a record, if it is not the primary key
 * @throws TypeError for anything but a SQLite or PostgreSQL table, and if no single column is the key
 */
export function modelOf(table: Table, key?: string): Model {
  const shape = shapeOf(table)
  return keyedBy(shape, keyIn(shape, key))
}

/** The model of a table whose key is this column, once. */
export function keyedBy(shape: Shape, key: Column): Model {
  const known = models.get(shape) ?? new Map<string, Model>()
  models.set(shape, known)
  const model = known.get(key.key) ?? Object.freeze({ ...shape, key })
  known.set(key.key, model)
  return model
}

/**
 * Reads a Drizzle table, once, whatever its key is.
 *
 * @throws TypeError for anything but a SQLite or PostgreSQL table
 */
export function shapeOf(table: Table): Shape {
  const known = shapes.get(table)
  if (known) return known
  const dialect = is(table, SQLiteTable) ? 'sqlite' : is(table, pgCore().PgTable) ? 'postgresql' : null
  if (dialect === null) throw new TypeError(`A model is a Drizzle table made with sqliteTable or pgTable, ${instead(table)}`)
  const config = dialect === 'sqlite' ? sqliteConfig(table as SQLiteTable) : pgCore().getTableConfig(table as PgTable)
  const drizzleColumns = Object.entries(getTableColumns(table))
  const keyOf = (column: DrizzleColumn) => keyAmong(drizzleColumns, column) as string
  const references = new Map<string, Column['references']>()
  for (const foreign of config.foreignKeys) {
    const { columns, foreignColumns, foreignTable } = foreign.reference()
    if (columns.length !== 1) continue
    const foreignKey = keyAmong(Object.entries(getTableColumns(foreignTable)), foreignColumns[0] as DrizzleColumn)
    if (foreignKey)
      references.set(keyOf(columns[0] as DrizzleColumn), {
        table: foreignTable,
        key: foreignKey,
        onDelete: foreign.onDelete ?? 'no action',
      })
  }
  const primaries = config.primaryKeys.map((one) => one.columns.map(keyOf))
  const composite = primaries.find((keys) => keys.length > 1) ?? []
  const uniques: string[][] = composite.length > 0 ? [composite] : []
  for (const constraint of config.uniqueConstraints) uniques.push(constraint.columns.map(keyOf))
  for (const index of config.indexes) {
    const { unique, columns, where } = index.config
    const keys = columns.map((one) => keyAmong(drizzleColumns, one as Named))
    if (unique && !where && keys.every((key) => key !== undefined)) uniques.push(keys as string[])
  }
  const columns = new Map<string, Column>()
  for (const [key, column] of drizzleColumns) {
    const primary = composite.length === 0 && (column.primary || primaries.some(([one]) => one === key))
    columns.set(
      key,
      Object.freeze({
        ...columnOf(key, column),
        // Without its own NOT NULL, a column of a composite primary key accepts NULL in SQLite.
        notNull: column.notNull || (dialect === 'postgresql' && composite.includes(key)),
        primary,
        loose: dialect === 'sqlite' && typeOf(column).type !== 'text',
        unique: column.isUnique || primary || uniques.some((one) => one.length === 1 && one[0] === key),
        references: references.get(key) ?? null,
      }),
    )
    if (column.isUnique || primary) uniques.push([key])
  }
  const shape: Shape = Object.freeze({
    table,
    name: getTableName(table),
    fullName: getTableUniqueName(table).replace(/^public\./, ''),
    dialect,
    columns,
    links: none,
    tallies: none,
    uniques: Object.freeze(uniques),
  })
  shapes.set(table, shape)
  return shape
}

interface Named {
  readonly name?: string
  readonly keyAsName?: boolean
}

/**
 * The key of a column. It is found by its name, since the constraints of pgTable hold copies of the columns; one that is named by its key may
 * have another name in the database, which is then that of another column's key.
 */
const keyAmong = (columns: readonly (readonly [string, DrizzleColumn])[], { name, keyAsName }: Named): string | undefined =>
  columns.find(([, one]) => one.name === name && one.keyAsName === keyAsName)?.[0]

const nameable: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'uuid', 'text', 'numeric'])

/** The columns that could be the key of a resource, the primary key first. */
export function keysIn({ columns }: Shape): readonly Column[] {
  const all = [...columns.values()]
  const primary = all.filter((column) => column.primary)
  return [...primary, ...all.filter((column) => !column.primary && column.unique && column.notNull && nameable.has(column.type))]
}

function keyIn(shape: Shape, named: string | undefined): Column {
  const can = keysIn(shape)
  const column = named === undefined ? can.find(({ primary }) => primary) : can.find(({ key }) => key === named)
  if (column) return column
  const there = can.length === 0 ? 'There is none: add one' : `Valid: ${can.map(({ key }) => key).join(', ')}`
  throw new TypeError(
    named === undefined
      ? `The table "${shape.name}" has no primary key of exactly one column, and a record is named by one: say which as \`key\`, a column that is unique and NOT NULL. ${there}`
      : `"${named}" cannot be the key of the table "${shape.name}": it must be a column that is unique and NOT NULL. ${there}`,
  )
}

/** PostgreSQL takes no scale for 0. */
const scaleOf = (column: DrizzleColumn & { precision?: number; scale?: number }): number | null =>
  column.columnType === 'PgNumeric' && column.precision !== undefined ? (column.scale ?? 0) : null

/** The properties of a column that Drizzle declares on it. */
function columnOf(key: string, column: DrizzleColumn): Column {
  const base = column.columnType === 'PgArray' ? (column as unknown as { readonly baseColumn: DrizzleColumn }).baseColumn : null
  const element = base && listed.has(base.columnType) ? columnOf(key, base) : null
  const { type, range } = typeOf(column)
  const length = (column as { length?: unknown }).length
  const options = (base ?? column).enumValues
  return Object.freeze({
    key,
    name: column.name,
    type: element ? 'json' : type,
    range,
    maxLength: length === undefined ? null : Number(length),
    options: options && options.length > 0 ? Object.freeze([...options]) : null,
    takes: column.columnType === 'PgEnumColumn' ? 'options' : judged.has(column.columnType) ? 'some' : 'any',
    asDate: dates.has(column.columnType),
    precision: (column as { mode?: unknown }).mode === 'timestamp' || (column as { precision?: unknown }).precision === 0 ? 0 : 3,
    stored: null,
    scale: scaleOf(column),
    notNull: column.notNull,
    hasDefault:
      column.hasDefault ||
      column.defaultFn !== undefined ||
      column.onUpdateFn !== undefined ||
      column.generated !== undefined ||
      column.generatedIdentity !== undefined,
    generated: column.generated !== undefined || column.generatedIdentity?.type === 'always',
    primary: false,
    unique: false,
    loose: false,
    references: null,
    drizzle: column,
    element,
    link: null,
    tally: null,
  })
}

const int16 = [-32_768, 32_767] as const
const int32 = [-2_147_483_648, 2_147_483_647] as const

// By `columnType`, which Drizzle 1.0 keeps; it drops `dataType`.
const types: Readonly<Record<string, ColumnType | readonly [ColumnType, readonly [number, number]]>> = {
  SQLiteInteger: 'integer',
  SQLiteBoolean: 'boolean',
  SQLiteTimestamp: 'dateTime',
  SQLiteReal: 'real',
  SQLiteNumeric: 'numeric',
  SQLiteNumericNumber: 'real',
  SQLiteNumericBigInt: 'bigint',
  SQLiteBigInt: 'bigint',
  SQLiteText: 'text',
  SQLiteTextJson: 'json',
  SQLiteBlobJson: 'json',
  SQLiteBlobBuffer: 'bytes',
  PgSmallInt: ['integer', int16],
  PgSmallSerial: ['integer', int16],
  PgInteger: ['integer', int32],
  PgSerial: ['integer', int32],
  PgBigInt53: 'integer',
  PgBigSerial53: 'integer',
  PgBigInt64: 'bigint',
  PgBigSerial64: 'bigint',
  PgReal: 'real',
  PgDoublePrecision: 'real',
  PgNumeric: 'numeric',
  PgNumericNumber: 'real',
  PgNumericBigInt: 'bigint',
  PgText: 'text',
  PgVarchar: 'text',
  PgChar: 'text',
  PgEnumColumn: 'text',
  PgInet: 'text',
  PgCidr: 'text',
  PgMacaddr: 'text',
  PgMacaddr8: 'text',
  PgInterval: 'text',
  PgUUID: 'uuid',
  PgBoolean: 'boolean',
  PgDate: 'date',
  PgDateString: 'date',
  PgTimestamp: 'dateTime',
  PgTimestampString: 'dateTime',
  PgTime: 'time',
  PgJson: 'json',
  PgJsonb: 'json',
}

// Array elements that JSON can represent unchanged.
const listed = new Set([
  'PgText',
  'PgVarchar',
  'PgChar',
  'PgEnumColumn',
  'PgUUID',
  'PgSmallInt',
  'PgInteger',
  'PgReal',
  'PgDoublePrecision',
  'PgNumeric',
  'PgBoolean',
  'PgDateString',
])

const dates = new Set(['SQLiteTimestamp', 'PgDate', 'PgTimestamp'])

// PostgreSQL keeps nothing finer than four bytes in a real, and knows no year 0.
const judged = new Set([...Object.keys(textFormFaults), 'PgReal', 'PgDate', 'PgDateString'])

/** Whether others may have stored whole numbers of more than 64 bits in it, which is all that we write. */
export const isUnlimited = ({ drizzle }: Column) => drizzle.columnType === 'PgNumericBigInt'

function typeOf(column: DrizzleColumn): { type: ColumnType; range: readonly [number, number] | null } {
  // One with a time zone cannot be compared with one of a day without.
  const isZoned = column.columnType === 'PgTime' && (column as { withTimezone?: unknown }).withTimezone === true
  const found = isZoned ? 'other' : (types[column.columnType] ?? 'other')
  return typeof found === 'string' ? { type: found, range: null } : { type: found[0], range: found[1] }
}

/** The names of what the table itself holds. */
export const storedIn = ({ columns }: Model) => [...columns.values()].filter(({ link, tally }) => !link && !tally).map(({ key }) => key)
