import type { Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { Reads, Row } from '../store.js'
import { columnsFirst, planAggregate } from './aggregate.js'
import { planCount } from './count.js'
import { type Lock, planFind, planLock, withKey, withKeys } from './find.js'
import { planList } from './list.js'
import type { Planned, Planner } from './plan.js'

/** Runs statements on a connection. */
export interface Runs {
  /** `shared`: the caller never changes the rows, so several calls may get the same ones; `seen`: as in `ListQuery`. */
  rows(planned: Planned, shared: boolean, seen?: unknown): Promise<Row[]>
  /** The first row of a statement that has at most one. */
  row(planned: Planned): Promise<Row | null>
  /** Runs a statement that returns no rows, and returns how many rows it changed. */
  run(planned: Planned): Promise<number>
}

/** `lock`: locks what `find` and `findMany` read until the transaction ends. */
export function readsOf(planner: Planner, runs: Runs, lock: Lock | null = null): Reads {
  return {
    list: (model, query) => asked(() => runs.rows(planList(planner, model, query), query.shared === true, query.seen)),
    async count(model, where, cap, seen) {
      const [row] = await runs.rows(planCount(planner, model, where, cap), true, seen)
      return Number((row as Row)[0])
    },
    async aggregate(model, aggregation) {
      const rows = await runs.rows(planAggregate(planner, model, aggregation), aggregation.shared === true)
      const at = aggregation.by.map((one) => columnsFirst(aggregation.by).indexOf(one))
      return rows.map((row) => {
        const value = row[aggregation.by.length]
        const by = aggregation.by.map(({ bounds }, index) => (bounds ? Number(row[at[index] as number]) : row[at[index] as number]))
        return { by, value: value === null ? null : Number(value) }
      })
    },
    find: (model, key, columns, where) => asked(() => runs.row(found(model, columns, withKey(model, key, where)))),
    findMany: (model, keys, columns, where) => asked(() => runs.rows(found(model, columns, withKeys(model, keys, where)), false)),
  }

  function found(model: Model, columns: readonly string[], where: Condition): Planned {
    const locking = lock && planLock(planner, model, columns, where, lock)
    // Pipelined: if it fails, so does what is behind it.
    if (locking) runs.rows(locking, false).catch(() => {})
    return planFind(planner, model, columns, where, lock)
  }
}

/** Turns a thrown error into a rejection, without an async function's extra promise for each read. */
function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return ask()
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}
