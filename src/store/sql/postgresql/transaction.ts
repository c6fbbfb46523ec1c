import { sql } from 'drizzle-orm'
import { hasEnded } from '../../queue.js'
import type { Reads, Writes } from '../../store.js'
import type { Lock } from '../find.js'
import { inTransaction } from '../in-transaction.js'
import type { Planner } from '../plan.js'
import type { Runs } from '../reads.js'
import type { Executes } from '../sql-store.js'
import type { Connection } from './connection.js'
import { isPassing } from './failure.js'

/**
 * Runs `fn` in a transaction on a connection, and commits; what it throws, and what the database refused, rolls back. What first reads is sent behind `begin` without
 * waiting for its answer; what writes never is: where `begin` has failed, it would be written for good.
 */
export async function within<T>(
  connection: Connection,
  planner: Planner,
  fn: (tx: Reads & Writes & Executes) => Promise<T>,
  until: number,
): Promise<T> {
  let ended = false
  let failed: unknown
  const begun = connection.exec(begin(until) + connection.terms.locals)
  // Whoever asks for something hears of it.
  begun.catch(() => {})
  let before: Promise<void> | null = null
  const attempt = async <R>(ask: () => Promise<R>, writes: boolean): Promise<R> => {
    if (ended) throw hasEnded()
    // PostgreSQL refuses all that follows a failure, and says nothing of its cause.
    if (failed !== undefined) throw failed
    // What comes behind something that waits, waits too: all is done in the order in which it was asked for.
    if (writes) before ??= begun
    const later = () => {
      // Behind the end it would be written at once and for good.
      if (ended) throw hasEnded()
      return ask()
    }
    const answer = before ? before.then(later) : ask()
    answer.catch(() => {})
    try {
      await begun
      return await answer
    } catch (error) {
      failed ??= error
      throw failed
    }
  }
  const runs: Runs = {
    rows: (planned) => attempt(() => connection.rows(planned), planned.plan.writes),
    row: (planned) => attempt(() => connection.row(planned), planned.plan.writes),
    run: (planned) => attempt(() => connection.run(planned), true),
  }
  const execute = (text: string) => attempt(() => connection.exec(text), true)
  try {
    const result = await fn(inTransaction(planner, runs, execute, lock))
    await begun
    if (failed !== undefined) throw failed
    ended = true
    await connection.exec('commit')
    return result
  } catch (error) {
    ended = true
    await rollBack(connection)
    // What `fn` made of it says nothing of whether it may be done again.
    throw isPassing(failed) ? failed : error
  }
}

const longestWait = 2 ** 31 - 1

// What `find` reads is locked, so that it is still true when `fn` writes: the stricter levels would do `fn` again instead, each time two people meet.
function begin(until: number): string {
  const wait = Math.min(Math.max(1, Math.ceil(until - performance.now())), longestWait)
  return `begin isolation level read committed; set local lock_timeout = ${wait}`
}

// In the order of keys, so that two who lock the same records don't wait for each other. References to them are not hindered.
const lock: Lock = (key) => sql` order by ${key} for no key update`

async function rollBack(connection: Connection): Promise<void> {
  if (connection.spent && connection.terms.pooled) return
  try {
    await connection.exec('rollback')
  } catch {
    connection.spent = true
  }
}
