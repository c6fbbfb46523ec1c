import { patience, type Queue } from '../../queue.js'
import type { Planner } from '../plan.js'
import { whileBusy } from './busy.js'
import type { Changes } from './changes.js'
import type { Connection } from './connection.js'
import type { Connections } from './connections.js'
import { type Work, within } from './transaction.js'

/** A database transaction that several transactions of ours share. */
interface Shared {
  readonly writer: Connection
  /** How many have succeeded in it so far. */
  members: number
  ended: boolean
  /** Whether it was committed. Rejects if the commit failed and there was a single member. */
  readonly done: Promise<boolean>
  settle(how: boolean | Error): void
}

/** What became of a member: its result, or why it was refused, which has taken back what it did and nothing else. */
type Joined<T> = { readonly shared: Shared } & ({ readonly result: T } | { readonly refusal: unknown })

/**
 * Group commit: a commit waits for the disk, longer than a small write takes, so writes that arrive in the same turn of the event loop
 * share one, and none is answered before it. Each has a savepoint, so that a refused one rolls back alone. If the commit fails, each member
 * runs again in a transaction of its own.
 */
export class Group {
  #open: Shared | null = null
  constructor(
    readonly connections: Connections,
    readonly changes: Changes,
    readonly planner: Planner,
    readonly turns: Queue,
  ) {}

  /** @param trusted `work` never asks for a turn itself */
  async run<T>(work: Work<T>, until: number, trusted: boolean): Promise<T> {
    const alone = () => this.turns.run(() => this.#alone(work, until), until, trusted)
    if (this.connections.database.oneConnection) return alone()
    const joined = await this.turns.run(() => this.#join(work, until), until, trusted)
    const { done } = joined.shared
    // A refusal may be due to what another member has written: it waits, too, and if that is gone, it may be none.
    if (!(await ('refusal' in joined ? done.catch(() => false) : done))) return alone()
    if ('refusal' in joined) throw joined.refusal
    return joined.result
  }

  /** Commits the open shared transaction. Call it inside a turn. */
  async commit(shared: Shared | null = this.#open): Promise<void> {
    if (shared === null || shared.ended) return
    this.#end(shared)
    try {
      const { written } = shared.writer
      const committing = whileBusy(() => shared.writer.exec('commit'), performance.now() + patience, null)
      if (committing) await committing
      this.changes.committed(written)
      shared.settle(true)
    } catch (error) {
      shared.writer.rollBack()
      shared.settle(shared.members === 1 ? (error as Error) : false)
    }
  }

  async #join<T>(work: Work<T>, until: number): Promise<Joined<T>> {
    const open = this.#open ?? this.#begin(until)
    const shared = open instanceof Promise ? await open : open
    const { writer } = shared
    const first = shared.members === 0
    if (!first) writer.exec('savepoint member')
    try {
      const result = await within(writer, this.planner, work)
      if (!first) writer.exec('release member')
      shared.members++
      return { result, shared }
    } catch (error) {
      if (!first && tryTo(() => writer.exec('rollback to member; release member'))) return { refusal: error, shared }
      // If SQLite rolled back by itself, the other members' work is gone, too.
      writer.rollBack()
      this.#end(shared)
      shared.settle(false)
      throw error
    }
  }

  #begin(until: number): Shared | Promise<Shared> {
    const begun = whileBusy(() => this.connections.begin(), until, null)
    return begun instanceof Promise ? begun.then((writer) => this.#share(writer)) : this.#share(begun)
  }

  #share(writer: Connection): Shared {
    let settle: Shared['settle'] = () => {}
    const done = new Promise<boolean>((resolve, reject) => {
      settle = (how) => (typeof how === 'boolean' ? resolve(how) : reject(how))
    })
    // Members await this promise, perhaps only after it rejected: without a handler, that would be an unhandled rejection.
    done.catch(() => {})
    const shared: Shared = { writer, members: 0, ended: false, done, settle }
    this.#open = shared
    // Writes that arrived in this turn of the event loop are queued before this commit. It takes a turn of its own, outside the current
    // one, which may last longer than this turn of the event loop.
    this.turns.outside(() => setImmediate(() => void this.turns.run(() => this.commit(shared), Number.POSITIVE_INFINITY, true)))
    return shared
  }

  async #alone<T>(work: Work<T>, until: number): Promise<T> {
    await this.commit()
    const shared = await this.#begin(until)
    const joined = await this.#join(work, until)
    await this.commit(shared)
    await shared.done
    // The first member throws instead.
    if ('refusal' in joined) throw joined.refusal
    return joined.result
  }

  #end(shared: Shared): void {
    shared.ended = true
    if (this.#open === shared) this.#open = null
  }
}

function tryTo(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
