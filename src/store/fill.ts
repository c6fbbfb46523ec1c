import type { Column as DrizzleColumn } from 'drizzle-orm'
import { invalid } from '../base/errors.js'
import type { Column, Model } from '../resource/model/model.js'
import type { Values } from './store.js'

/** A column that a write sets. */
export interface Filled {
  readonly column: Column
  readonly value: unknown
  /** Whether the caller gave the value; else it comes from the schema and may be SQL. */
  readonly given: boolean
}

/**
 * The columns that a write sets: those that are given, and those that the schema fills in.
 *
 * @throws DaymarkError `invalid` for a column that does not exist or is generated, naming it
 */
export function filled(model: Model, values: Values, filledIn: (column: DrizzleColumn) => unknown): readonly Filled[] {
  for (const key of Object.keys(values)) {
    const column = model.columns.get(key)
    if (column === undefined) throw invalid(key, 'There is no such column')
    if (column.drizzle.generated || column.tally) throw invalid(key, 'Is made by the database')
  }
  const all: Filled[] = []
  for (const column of model.columns.values()) {
    if (column.tally) continue
    const given = Object.hasOwn(values, column.key)
    const value = given ? values[column.key] : filledIn(column.drizzle)
    if (given || value !== undefined) all.push({ column, value, given })
  }
  return all
}

/** What Drizzle fills in on INSERT. */
export function onCreate(column: DrizzleColumn): unknown {
  if (column.default !== undefined && column.default !== null) return column.default
  return column.defaultFn ? column.defaultFn() : column.onUpdateFn?.()
}

/** What Drizzle fills in on UPDATE. */
export function onUpdate(column: DrizzleColumn): unknown {
  return column.onUpdateFn?.()
}
