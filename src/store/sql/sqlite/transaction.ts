import type { DaymarkError } from '../../../base/errors.js'
import { hasEnded } from '../../queue.js'
import type { Reads, Writes } from '../../store.js'
import type { Mapped } from '../dialect.js'
import { inTransaction } from '../in-transaction.js'
import type { Planner } from '../plan.js'
import type { Executes } from '../sql-store.js'
import type { Connection } from './connection.js'
import { failure } from './failure.js'
import { type Run, runsBy } from './run.js'

/** What a caller does in a transaction. */
export type Work<T> = (tx: Reads & Writes & Executes) => Promise<T>

/** Does some work in the transaction that started on a connection. It throws what the work throws, and what the database refused though the work said nothing of it. */
export async function within<T>(connection: Connection, planner: Planner, work: Work<T>): Promise<T> {
  let ended = false
  let failed: DaymarkError | undefined
  const attempt = <R>(work: () => R, table: Mapped | null): R => {
    if (ended) throw hasEnded()
    // SQLite may have rolled back by itself, and what follows would be written at once and for good.
    if (failed) throw failed
    try {
      return work()
    } catch (error) {
      failed = failure(error, table)
      throw failed
    }
  }
  const run: Run = async (planned, work) => attempt(() => work(connection, planned), planned.plan.table)
  const execute = async (sql: string) => attempt(() => connection.execute(sql), null)
  const runs = runsBy(run)
  try {
    const result = await work(inTransaction(planner, runs, execute))
    if (failed) throw failed
    return result
  } finally {
    ended = true
  }
}
