import { randomUUID } from 'node:crypto'
import type { InferInsertModel, Table } from 'drizzle-orm'
import { type Column, shapeOf } from '../resource/model.js'
import { nextNumber } from './number.js'

type New<T extends Table> = InferInsertModel<T>

/** Makes rows of a table, each with a number of its own, which no other factory of the table has given either. */
export interface Factory<T extends Table = Table> {
  readonly table: T
  /** What a new row needs and nobody has said: plausible values of the columns without a default; no relations. */
  make(given?: Partial<New<T>>): New<T>
}

/**
 * Rows of a table for tests: every column that needs a value gets one of its type, different from row to row.
 *
 * @param usual what every row gets, from the number of the row: 1, 2, 3 … over all factories of the table
 * @throws TypeError for a column whose type it knows no value of, and that nobody has said
 * @example
 * ```ts
 * import { factory } from 'daymark/testing'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer().primaryKey(), name: text().notNull(), population: integer() })
 * const city = factory(cities, (n) => ({ population: n * 1000 }))
 * city.make({ name: 'Bern' }) // { name: 'Bern', population: 1000 }
 * ```
 */
export function factory<T extends Table>(table: T, usual: (n: number) => Partial<New<T>> = () => ({})): Factory<T> {
  const { columns, dialect } = shapeOf(table)
  const needed = [...columns.values()].filter(
    (column) => (column.notNull || column.primary) && !column.hasDefault && !column.references && !(column.primary && isCounted(column)),
  )
  return Object.freeze({
    table,
    make(given: Partial<New<T>> = {}) {
      const n = nextNumber(table)
      const said = { ...usual(n), ...given } as Record<string, unknown>
      const made = needed.filter(({ key }) => said[key] === undefined).map((column) => [column.key, sample(column, n)] as const)
      return { ...Object.fromEntries(made), ...said } as New<T>
    },
  })

  /** SQLite counts such a key by itself. */
  function isCounted({ type }: Column): boolean {
    return dialect === 'sqlite' && type === 'integer'
  }
}

const day = 86_400_000
const start = Date.UTC(2026, 0, 1)

function sample({ key, name, type, options, maxLength, asDate, drizzle }: Column, n: number): unknown {
  if (options) return options[n % options.length]
  switch (type) {
    case 'integer':
    case 'real':
    case 'bigint':
      return drizzle.dataType === 'bigint' ? BigInt(n) : n
    case 'numeric':
      return String(n)
    case 'text':
      return maxLength === null ? `${name} ${n}` : `${name.slice(0, Math.max(0, maxLength - String(n).length - 1))} ${n}`.slice(-maxLength)
    case 'uuid':
      return randomUUID()
    case 'boolean':
      return false
    case 'date':
    case 'dateTime': {
      const at = new Date(start + n * day)
      return asDate ? at : type === 'date' ? at.toISOString().slice(0, 10) : at.toISOString()
    }
    case 'json':
      return {}
    default:
      throw new TypeError(`Say what the column "${key}" holds: nothing is known of its type`)
  }
}
