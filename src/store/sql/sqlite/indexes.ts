import type { Index } from '../sql-store.js'
import type { Driver } from './driver.js'

const columns = `select il.name, ii.name from temp.pragma_index_list(?) il, temp.pragma_index_info(il.name) ii where not il.partial order by il.seq, ii.seqno`

const view = "select 1 from sqlite_schema where type = 'view' and name = ? collate nocase"

/** The indexes over all rows of a table; null: it is a view. An integer primary key has none listed: the table itself is that index. */
export function indexesOf(driver: Driver, table: string): readonly Index[] | null {
  if (driver.prepare(view, false).one([table]) !== undefined) return null
  const indexes = new Map<unknown, (string | null)[]>()
  for (const [index, column] of driver.prepare(columns, false).all([table])) {
    indexes.set(index, [...(indexes.get(index) ?? []), column as string | null])
  }
  return [...indexes.values()].map((one) => ({ columns: one, trigrams: false }))
}
