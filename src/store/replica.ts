import { DaymarkError } from '../base/errors.js'
import type { Reads, Store } from './store.js'
import { writerOf, writes } from './written.js'

// How long a replica that was unavailable is not asked again, in milliseconds.
const pause = 5000

/** A store that reads from a replica, or from the primary if the replica is unavailable; it writes to the primary. */
export function readingFrom(replica: Reads, primary: Store): Store {
  let away = Number.NEGATIVE_INFINITY
  const either = async <T>(ask: (reads: Reads) => Promise<T>): Promise<T> => {
    if (performance.now() - away < pause) return ask(primary)
    try {
      return await ask(replica)
    } catch (error) {
      if (!isAway(error)) throw error
      away = performance.now()
      return ask(primary)
    }
  }
  const list: Store['list'] = (...asked) => either((reads) => reads.list(...asked))
  writes(list, {
    page: (...asked) => either(async (reads) => (await writerOf(reads)?.page(...asked)) ?? null),
    counted: (...asked) => either(async (reads) => (await writerOf(reads)?.counted?.(...asked)) ?? null),
  })
  return {
    ...primary,
    list,
    count: (...asked) => either((reads) => reads.count(...asked)),
    aggregate: (...asked) => either((reads) => reads.aggregate(...asked)),
    find: (...asked) => either((reads) => reads.find(...asked)),
    findMany: (...asked) => either((reads) => reads.findMany(...asked)),
  }
}

/** Not a statement timeout (57014): the query would take too long on the primary, too. */
function isAway(error: unknown): boolean {
  return error instanceof DaymarkError && error.code === 'unavailable' && (error.cause as { code?: unknown } | undefined)?.code !== '57014'
}
