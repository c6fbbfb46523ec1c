import type { Executes } from '../sql/sql-store.js'
import type { Reads, Writes } from '../store.js'

/** The panel's tables are in a SQL database, and so is every transaction that writes to them. */
export function bySql(tx: Reads & Writes): Executes {
  if ('deleteAll' in tx) return tx as Reads & Writes & Executes
  throw new TypeError("This transaction is of another store than the panel's tables")
}
