import type { InferInsertModel, Table } from 'drizzle-orm'
import { DaymarkError } from '../base/errors.js'
import { modelOf } from '../resource/model/model.js'
import { readsOf } from './memory/reads.js'
import { Tables } from './memory/tables.js'
import { create, writesOf } from './memory/writes.js'
import { hasEnded, patience, Queue } from './queue.js'
import type { Reads, Store, Values, Writes } from './store.js'

/**
 * Keeps records in memory: for tests, and as the example of a store of your own. Made with a table, it can be a resource's `model`.
 *
 * It enforces unique keys, NOT NULL, defaults, and references between the tables that were ever written to. It does not do what a database
 * does by itself: defaults in SQL, cascades, CHECK, triggers.
 *
 * @throws DaymarkError `invalid` or `conflict` for rows that the table refuses
 *
 * @example
 * ```ts
 * import { memoryStore } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() })
 * const store = memoryStore(notes, [{ text: 'Remember the milk' }])
 * ```
 */
export function memoryStore(): Store
/**
 * Keeps the records of a table in memory: for tests, as a resource's `model`.
 *
 * @param rows the records to begin with
 * @throws DaymarkError `invalid` or `conflict` for rows that the table refuses
 */
export function memoryStore<T extends Table>(table: T, rows?: readonly InferInsertModel<T>[]): Store & { readonly table: T }
export function memoryStore(table?: Table, rows: readonly object[] = []): Store & { readonly table?: Table } {
  let tables = new Tables()
  const turns = new Queue()
  let closed = false
  const open = () => {
    if (closed) throw new DaymarkError('unavailable', 'The store is closed')
    return tables
  }
  if (table) for (const row of rows) create(tables, modelOf(table), row as Values)
  return {
    ...readsOf(open),
    ...(table && { table }),
    transaction: (fn, { until = performance.now() + patience } = {}) =>
      turns.run(async () => {
        const changed = new Tables(open())
        const result = await within(changed, fn)
        tables = changed
        return result
      }, until),
    close: () =>
      turns.run(async () => {
        closed = true
      }, Number.POSITIVE_INFINITY),
  }
}

/** Runs `fn` on a copy. The caller discards it if `fn` throws or something was refused. */
async function within<T>(tables: Tables, fn: (tx: Reads & Writes) => Promise<T>): Promise<T> {
  let ended = false
  const open = () => {
    if (ended) throw hasEnded()
    if (tables.failed) throw tables.failed
    return tables
  }
  try {
    const result = await fn({ ...readsOf(open), ...writesOf(open) })
    if (tables.failed) throw tables.failed
    return result
  } finally {
    ended = true
  }
}
