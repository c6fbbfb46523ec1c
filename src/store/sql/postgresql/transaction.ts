import { sql } from 'drizzle-orm'
import type { Last } from '../../ending.js'
import { hasEnded } from '../../queue.js'
import type { Reads, Writes } from '../../store.js'
import type { Mapped } from '../dialect.js'
import type { Lock } from '../find.js'
import { inTransaction } from '../in-transaction.js'
import type { Planned, Planner } from '../plan.js'
import type { Runs } from '../reads.js'
import type { Executes } from '../sql-store.js'
import type { Connection } from './connection.js'
import { isPassing } from './failure.js'
import { lastOf } from './last.js'
import type { Plain, PlainWrites } from './plain.js'

/** The callback of a transaction. */
export type Work<T> = (tx: Reads & Writes & Executes, last: Last) => Promise<T>

/** What a transaction needs. */
export interface Means {
  readonly planner: Planner
  readonly plain: Plain
  /** When its waits for locks end, of `performance.now()`. */
  readonly until: number
}

/**
 * Runs `fn` in a transaction and commits; what `fn` throws, or the database refuses, rolls back. To save round trips, first reads are
 * pipelined behind `begin`, and the last write is followed at once by `commit` (which rolls back after a failure); with nothing before it,
 * it runs in autocommit. Other writes wait for `begin`: if that failed, they would be committed at once.
 */
export async function within<T>(connection: Connection, { planner, plain, until }: Means, fn: Work<T>): Promise<T> {
  let begun: Promise<void> | null = null
  let before: Promise<void> | null = null
  let committed: Promise<void> | null = null
  // `closed`: no further statement is accepted. `ended`: `commit` or `rollback` has been sent.
  let closed = false
  let ended = false
  let failed: unknown
  let pending: Promise<unknown> | null = null
  // A deferred constraint that fails at commit belongs to one of these tables.
  const written = new Set<Mapped>()
  const commit = () => {
    const [table] = written
    return connection.exec('commit', written.size === 1 ? table : null)
  }
  const beginning = () => {
    if (begun === null) {
      begun = connection.exec(begin(connection, until))
      // Each statement awaits `first` and reports its failure.
      begun.catch(() => {})
    }
    return begun
  }
  const checkOpen = () => {
    if (closed) throw hasEnded()
    // After a failure PostgreSQL refuses every statement without naming the cause, so rethrow the cause.
    if (failed !== undefined) throw failed
  }
  const fail = (error: unknown) => {
    failed ??= error
    return failed
  }
  const attempt = async <R>(ask: () => Promise<R>, writes: boolean): Promise<R> => {
    checkOpen()
    const first = beginning()
    // Statements behind a waiting write wait, too, so that all run in the order in which they were asked for.
    if (writes) before ??= first
    const later = () => {
      // After the end, the statement would be committed at once.
      if (ended) throw hasEnded()
      return ask()
    }
    const answer = before ? before.then(later) : ask()
    pending = answer.catch(fail)
    try {
      await first
      return await answer
    } catch (error) {
      throw fail(error)
    }
  }
  const lastly = async <R>(ask: () => Promise<R>, planned: Planned): Promise<R> => {
    checkOpen()
    closed = true
    try {
      if (begun === null && isLimited(plain.of(planned.plan.table), until)) {
        ended = true
        return await ask()
      }
      await beginning()
      if (ended) throw hasEnded()
      ended = true
      const answer = ask()
      answer.catch(() => {})
      written.add(planned.plan.table)
      committed = commit()
      committed.catch(() => {})
      const given = await answer
      await committed
      return given
    } catch (error) {
      // A statement before it that nobody awaited may have failed first.
      await pending
      throw fail(error)
    }
  }
  const runs = runsBy(connection, (ask, { plan }) => {
    if (plan.writes) written.add(plan.table)
    return attempt(ask, plan.writes)
  })
  const last = lastOf(planner, plain, runsBy(connection, lastly))
  const execute = (text: string) => attempt(() => connection.exec(text), true)
  try {
    const result = await fn(inTransaction(planner, runs, execute, lock), last)
    if (begun) await begun
    if (failed !== undefined) throw failed
    closed = true
    if (begun && !ended) {
      ended = true
      await commit()
    }
    return result
  } catch (error) {
    closed = true
    ended = true
    if (committed) await (committed as Promise<void>).catch(() => {})
    else if (begun) await rollBack(connection)
    // `fn` may have wrapped the error, which would hide that a retry may succeed.
    throw isPassing(failed) ? failed : error
  }
}

/** Runs each statement on a connection through `attempt`. */
function runsBy(connection: Connection, attempt: <R>(ask: () => Promise<R>, planned: Planned) => Promise<R>): Runs {
  return {
    rows: (planned) => attempt(() => connection.rows(planned), planned),
    row: (planned) => attempt(() => connection.row(planned), planned),
    run: (planned) => attempt(() => connection.run(planned), planned),
  }
}

const second = 1000

/** Whether an autocommitted statement waits for locks no longer than `until`, or a second more. */
function isLimited({ waits }: PlainWrites, until: number): boolean {
  return waits > 0 && performance.now() + waits < until + second
}

const longestWait = 2 ** 31 - 1

// `find` locks what it reads, so that it still holds when `fn` writes. Stricter isolation levels would instead rerun `fn` whenever two
// transactions meet.
function begin({ terms }: Connection, until: number): string {
  const wait = Math.min(Math.max(1, Math.ceil(until - performance.now())), longestWait)
  return `begin isolation level read committed; set local lock_timeout = ${wait}${terms.locals}`
}

// In key order, so that two transactions that lock the same records do not deadlock. `no key update` does not block foreign-key references.
const lock: Lock = (key) => sql` order by ${key} for no key update`

async function rollBack(connection: Connection): Promise<void> {
  if (connection.spent && connection.terms.pooled) return
  try {
    await connection.exec('rollback')
  } catch {
    connection.spent = true
  }
}
