import { type Column as DrizzleColumn, is, Table } from 'drizzle-orm'
import { integer, numeric, real, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Field } from '../field/field.js'
import { isStoredTime, type StoredTime, usualStoredTime } from '../field/stored-time.js'
import { condition, isToldFromNow } from './condition/condition.js'
import { areAlike } from './condition/values-of.js'
import { type Column, keyedBy, type Model, type Shape, shapeOf, type Tally } from './model/model.js'
import { pgCore } from './model/pg-core.js'
import { asTimes } from './model/times.js'

/** What `countOf` and the like state of a field. */
export interface ToldOf {
  readonly of: Tally['of']
  /** The other table. */
  readonly table: unknown
  /** The column of it that refers to this record, by its key. */
  readonly by: string
  /** The column of it whose values are told of, by its key; null: its rows are counted. */
  readonly over: string | null
  /** How that column holds times, if it is one of texts. */
  readonly stored?: StoredTime | undefined
}

/** What a field tells of related records; text: what is wrong with its declaration; null: it holds a column or a list. */
export function tallyOf(model: Model, key: string, { facts }: Field): Tally | string | null {
  const told = facts.tally as ToldOf | undefined
  if (told === undefined) return null
  if (model.columns.get(key)?.tally === null) return 'a column has this name; choose another one'
  if (facts.required || facts.default !== undefined) return 'nobody writes it: leave out .required() and .default()'
  if (!is(told.table, Table)) return 'name the Drizzle table of the related records: countOf(label, orders, …)'
  const shape = shapeOf(told.table)
  if (shape.dialect !== model.dialect) return `the table "${shape.name}" is not of the same database as "${model.name}"`
  const source = sourceIn(shape, told.by, model)
  if (typeof source === 'string') return source
  const named = told.over === null ? null : shape.columns.get(told.over)
  const over = named && timesIn(named, shape, told.stored)
  if (typeof over === 'string') return over
  if (over === undefined || (over && !canTell(told.of, over))) {
    const valid = [...shape.columns.values()].filter((one) => canTell(told.of, one)).map((one) => one.key)
    return `"${told.over}" of "${shape.name}" holds no ${told.of === 'sum' || told.of === 'average' ? 'numbers' : 'numbers or times'}. Valid: ${valid.join(', ') || 'none'}`
  }
  if (facts.minor && over?.type !== 'integer' && over?.type !== 'bigint')
    return '.currency(): { minor: true } needs a column of whole numbers, integer or bigint, to tell of'
  const where = (facts.where as object | undefined) ?? null
  if (where && isToldFromNow(where)) return '.where(): within means other records tomorrow; compare with a time of yours'
  try {
    if (where) condition(where, shape.columns, 'UTC')
  } catch (thrown) {
    return `.where(): ${(thrown as Error).message}`
  }
  return Object.freeze({ of: told.of, model: keyedBy(shape, source), over, where })
}

/** The column as one of times, if its declaration says how it holds them; text: what is wrong with that. */
function timesIn(column: Column, { dialect, name }: Shape, stored: unknown): Column | string {
  if (stored === undefined) return column
  if (dialect !== 'sqlite' || column.type !== 'text')
    return `"${column.key}" of "${name}" is no text column of SQLite: leave out how it holds times`
  return isStoredTime(stored) ? asTimes(column, stored) : `how "${column.key}" of "${name}" holds times is written as '${usualStoredTime}'`
}

function sourceIn(shape: Shape, by: string, { fullName, key }: Model): Column | string {
  const source = shape.columns.get(by)
  if (!source) return `"${by}" is not a column of "${shape.name}". Valid: ${[...shape.columns.keys()].join(', ')}`
  const { references } = source
  // Names are compared, since two Drizzle tables may describe one database table.
  const referred = references && shapeOf(references.table).fullName
  if (referred && referred !== fullName) {
    const leading = [...shape.columns.values()].filter((one) => one.references && shapeOf(one.references.table).fullName === fullName)
    return `"${by}" of "${shape.name}" refers to "${referred}", not to "${fullName}". Valid: ${leading.map((one) => one.key).join(', ') || 'none'}`
  }
  if (references && references.key !== key.key)
    return `"${by}" of "${shape.name}" refers to this record by "${references.key}", and its key is "${key.key}"`
  if (source.type !== key.type) return `"${by}" of "${shape.name}" is of type ${source.type}, and the key "${key.key}" of type ${key.type}`
  if (areAlike(source, key)) return source
  return `"${by}" of "${shape.name}" is stored in another way than the key "${key.key}", so the database cannot compare them`
}

const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'real', 'numeric'])
const times: ReadonlySet<string> = new Set(['date', 'dateTime'])

const canTell = (of: Tally['of'], { type }: Column) => numbers.has(type) || (of !== 'sum' && of !== 'average' && times.has(type))

/** Whether a field tells of other records, which change without its own. */
export const isTold = ({ columns, tallies }: Model, key: string): boolean => tallies.length > 0 && Boolean(columns.get(key)?.tally)

/** The model with what its fields tell of related records; what is declared wrongly is left out, and start-up reports it. */
export function withTallies(model: Model, fields: ReadonlyMap<string, Field>): Model {
  const tallies: Column[] = []
  for (const [key, field] of fields) {
    const tally = tallyOf(model, key, field)
    if (tally !== null && typeof tally !== 'string') tallies.push(tallyColumn(key, tally))
  }
  if (tallies.length === 0) return model
  const columns = new Map([...model.columns, ...tallies.map((column) => [column.key, column] as const)])
  return Object.freeze({ ...model, columns, tallies: Object.freeze(tallies) })
}

/** What stands where a column stands. Of no records, a count and a sum are 0; the others are null. */
function tallyColumn(key: string, tally: Tally): Column {
  const { of, over, model } = tally
  const like = of === 'count' ? 'whole' : of === 'average' ? 'double' : of === 'sum' ? (isExact(over as Column) ? 'exact' : 'double') : null
  const drizzle = like ? valueColumns[model.dialect]()[like] : endOf(over as Column)
  return Object.freeze({
    key,
    name: key,
    type: like ? types[like] : (over as Column).type,
    range: null,
    maxLength: null,
    options: null,
    takes: 'any',
    asDate: !like && (over as Column).asDate,
    precision: like ? 3 : (over as Column).precision,
    stored: like ? null : (over as Column).stored,
    scale: like === 'exact' || !like ? (over as Column).scale : null,
    notNull: of === 'count' || of === 'sum',
    hasDefault: true,
    generated: true,
    primary: false,
    unique: false,
    loose: !like && (over as Column).loose,
    references: null,
    drizzle,
    element: null,
    link: null,
    tally,
  })
}

/** Whether a double could not hold its values, so that JSON has them as text. */
const isExact = ({ type }: Column) => type === 'numeric' || type === 'bigint'

const types = { whole: 'integer', double: 'real', exact: 'numeric' } as const

/** How the smallest or largest value of a column is read: as the column is, without what the schema fills in on writes. */
function endOf({ drizzle }: Column): DrizzleColumn {
  // Its stored form, the bytes of its digits, has no order.
  if (drizzle.columnType === 'SQLiteBigInt') return sqliteValues.large
  const none = { value: undefined }
  return Object.create(drizzle, { default: none, defaultFn: none, onUpdateFn: none, generated: none, generatedIdentity: none })
}

const valueColumns: { readonly [D in Model['dialect']]: () => { readonly [L in keyof typeof types]: DrizzleColumn } } = {
  sqlite: () => sqliteValues,
  postgresql: () => {
    const { pgTable, bigint, doublePrecision, numeric } = pgCore()
    return pgTable('values', { whole: bigint({ mode: 'number' }), double: doublePrecision(), exact: numeric() })
  },
}
const sqliteValues = sqliteTable('values', { whole: integer(), double: real(), exact: numeric(), large: numeric({ mode: 'bigint' }) })
