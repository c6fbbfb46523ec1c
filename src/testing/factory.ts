import { randomUUID } from 'node:crypto'
import type { InferInsertModel, Table } from 'drizzle-orm'
import { type Column, shapeOf } from '../resource/model/model.js'
import { nextNumber } from './number.js'

type New<T extends Table> = InferInsertModel<T>

/** Makes rows of a table for tests. All factories of a table share one numbering. */
export interface Factory<T extends Table = Table> {
  /** The table. */
  readonly table: T
  /**
   * Returns the values of a new row. Required columns without a default that you leave out get a plausible value; relations don't.
   *
   * @throws TypeError for a column of unknown type that you leave out
   */
  make(given?: Partial<New<T>>): New<T>
}

/**
 * Makes rows of a table for tests: required columns without a default get values of their type, different in each row.
 *
 * @param usual values of every row, from the row's number: 1, 2, 3 … over all factories of the table
 *
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
      const said = new Map([...Object.entries(usual(n)), ...Object.entries(given)].filter(([, value]) => value !== undefined))
      const made = needed.filter(({ key }) => !said.has(key)).map((column) => [column.key, sample(column, n)] as const)
      return Object.fromEntries([...made, ...said]) as New<T>
    },
  })

  /** SQLite assigns an integer primary key by itself. */
  function isCounted({ type }: Column): boolean {
    return dialect === 'sqlite' && type === 'integer'
  }
}

const day = 86_400_000
const start = Date.UTC(2026, 0, 1)

function sample({ key, name, type, options, maxLength, asDate, element, drizzle }: Column, n: number): unknown {
  if (element) return []
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
    case 'time':
      return `${String(n % 24).padStart(2, '0')}:00:00`
    case 'json':
      return {}
    default:
      throw new TypeError(`Say what the column "${key}" holds: nothing is known of its type`)
  }
}
