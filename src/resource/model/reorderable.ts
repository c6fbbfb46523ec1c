import type { Column, Model } from './model.js'

/** The columns that can hold a record's place in its list: numbers that are NOT NULL. */
export type PlaceKey<R> = { [K in keyof R]: R[K] extends number ? K : never }[keyof R] & string

/** The column of the records' places; null: there is none, or it cannot be it, which the start-up checks report. */
export function placeColumn(model: Model, name: string | undefined): Column | null {
  const column = name === undefined ? undefined : model.columns.get(name)
  return column && placeFault(model, column) === null ? column : null
}

// Others round what they store, so that a number between two may become one of them.
const exact = new Set(['SQLiteReal', 'PgDoublePrecision'])

/** Why a column cannot hold the places of records; null: it can. */
export function placeFault({ key }: Model, column: Column): string | null {
  const { type, drizzle, link, generated, unique, notNull } = column
  if (column === key || column.primary) return 'is the key, which never changes'
  if (column.references) return 'refers to another table'
  if (link || generated) return 'is not written to by itself'
  if (type !== 'integer' && !exact.has(drizzle.columnType))
    return `is of type ${drizzle.columnType}; it takes an integer, or a double: \`real()\` of SQLite, \`doublePrecision()\` of PostgreSQL`
  if (!notNull) return 'may be null, and a record without a number has no place'
  return unique ? 'is unique, so records could not be numbered anew one after the other' : null
}
