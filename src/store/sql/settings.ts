import { is, SQL } from 'drizzle-orm'
import type { Filled } from '../fill.js'
import type { Codec } from './dialect.js'
import type { Draft } from './draft.js'

/** A column that a write sets: to a bound value, or to SQL from the schema. */
export interface Setting {
  readonly codec: Codec
  readonly sql: SQL | null
  /** Whether the SQL comes from a function of the schema, and so may differ with each call. */
  readonly changing: boolean
}

/** Adds the shape and values of what a write sets to a draft. */
export function readSettings(draft: Draft, all: readonly Filled[]): readonly Setting[] {
  return all.map(({ column, value, given }) => {
    const codec = draft.table.column(column.key)
    if (!given && is(value, SQL)) {
      draft.shape += `${codec.id}d`
      return { codec, sql: value, changing: value !== column.drizzle.default }
    }
    draft.shape += `${codec.id}=`
    draft.sets.push(column.key)
    draft.push(column.key, value === null ? null : codec.store(value))
    return { codec, sql: null, changing: false }
  })
}
