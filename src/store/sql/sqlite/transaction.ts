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

/** The callback of a transaction. */
export type Work<T> = (tx: Reads & Writes & Executes) => Promise<T>

/**
 * Runs work in the transaction that has begun on a connection. Throws what the work throws, and also a refusal of the database that the
 * work swallowed.
 */
export async function within<T>(connection: Connection, planner: Planner, work: Work<T>): Promise<T> {
  let ended = false
  let failed: DaymarkError | undefined
  const attempt = <R>(work: () => R, table: Mapped | null): R => {
    if (ended) throw hasEnded()
    // SQLite may have rolled back by itself. A later statement would then be committed at once.
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
