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

/** What a caller does in a transaction. */
export type Work<T> = (tx: Reads & Writes & Executes, last: Last) => Promise<T>

/** What a transaction of a store is done with. */
export interface Means {
  readonly planner: Planner
  readonly plain: Plain
  /** When its waits for others end, of `performance.now()`. */
  readonly until: number
}

/**
 * Runs `fn` in a transaction on a connection, and commits; what it throws, and what the database refused, rolls back. What first reads is sent behind `begin` without
 * waiting for its answer; what writes never is: where `begin` has failed, it would be written for good. The last write is followed at once by `commit`, which after a
 * failure rolls back; where nothing was asked before it, it is a transaction by itself.
 */
export async function within<T>(connection: Connection, { planner, plain, until }: Means, fn: Work<T>): Promise<T> {
  let begun: Promise<void> | null = null
  let before: Promise<void> | null = null
  let committed: Promise<void> | null = null
  // Nothing more may be asked; and, later, that it has ended was sent.
  let closed = false
  let ended = false
  let failed: unknown
  let pending: Promise<unknown> | null = null
  // What a deferred constraint refuses at the end is of one of these.
  const written = new Set<Mapped>()
  const commit = () => {
    const [table] = written
    return connection.exec('commit', written.size === 1 ? table : null)
  }
  const beginning = () => {
    if (begun === null) {
      begun = connection.exec(begin(connection, until))
      // Whoever asks for something hears of it.
      begun.catch(() => {})
    }
    return begun
  }
  const checkOpen = () => {
    if (closed) throw hasEnded()
    // PostgreSQL refuses all that follows a failure, and says nothing of its cause.
    if (failed !== undefined) throw failed
  }
  const fail = (error: unknown) => {
    failed ??= error
    return failed
  }
  const attempt = async <R>(ask: () => Promise<R>, writes: boolean): Promise<R> => {
    checkOpen()
    const first = beginning()
    // What comes behind something that waits, waits too: all is done in the order in which it was asked for.
    if (writes) before ??= first
    const later = () => {
      // Behind the end it would be written at once and for good.
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
      // What was asked before it, and not waited for, has failed before it.
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
    // What `fn` made of it says nothing of whether it may be done again.
    throw isPassing(failed) ? failed : error
  }
}

/** Each statement on a connection, when and where `attempt` says. */
function runsBy(connection: Connection, attempt: <R>(ask: () => Promise<R>, planned: Planned) => Promise<R>): Runs {
  return {
    rows: (planned) => attempt(() => connection.rows(planned), planned),
    row: (planned) => attempt(() => connection.row(planned), planned),
    run: (planned) => attempt(() => connection.run(planned), planned),
  }
}

const second = 1000

/** Whether a statement that is a transaction by itself waits for others no longer than `until`, or a second more. */
function isLimited({ waits }: PlainWrites, until: number): boolean {
  return waits > 0 && performance.now() + waits < until + second
}

const longestWait = 2 ** 31 - 1

// What `find` reads is locked, so that it is still true when `fn` writes: the stricter levels would do `fn` again instead, each time two people meet.
function begin({ terms }: Connection, until: number): string {
  const wait = Math.min(Math.max(1, Math.ceil(until - performance.now())), longestWait)
  return `begin isolation level read committed; set local lock_timeout = ${wait}${terms.locals}`
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
