import type { Model } from '../../../resource/model.js'
import type { Last } from '../../store.js'
import { planCreate } from '../create.js'
import { planDelete } from '../delete.js'
import type { Mapped } from '../dialect.js'
import { type Lock, planFind, withKey } from '../find.js'
import type { Planned, Planner } from '../plan.js'
import type { Runs } from '../reads.js'
import { planUpdate } from '../update.js'

interface Ends {
  readonly planner: Planner
  /** Whether what a write of a table gives back is all that becomes of it. */
  readonly isPlain: (table: Mapped) => boolean
  /** What is asked for inside of the transaction. */
  readonly runs: Runs
  /** What is asked for as its last. */
  readonly lastly: Runs
  readonly lock: Lock
}

/** What ends a transaction with a write: one statement that gives back what it has made, where that is all; else the record is read once more. */
export function lastOf({ planner, isPlain, runs, lastly, lock }: Ends): Last {
  const read = (planned: Planned) => lastly.row(planned)
  const find = (model: Model, key: unknown, columns: readonly string[]) => planFind(planner, model, columns, withKey(model, key, undefined))
  return {
    async create(model, values, columns) {
      if (isPlain(planner.table(model))) return read(planCreate(planner, model, values, columns))
      const made = await runs.row(planCreate(planner, model, values))
      return made && read(find(model, made[0], columns))
    },
    async update(model, key, values, columns) {
      const where = withKey(model, key, undefined)
      if (isPlain(planner.table(model))) {
        const planned = planUpdate(planner, model, values, where, columns)
        if (planned) return read(planned)
      }
      const planned = planUpdate(planner, model, values, where)
      // What follows is sent behind it, and fails with it.
      if (planned) runs.run(planned).catch(() => {})
      return read(find(model, key, columns))
    },
    async delete(model, key, where) {
      const met = withKey(model, key, where)
      const planned = planDelete(planner, model, met)
      if (isPlain(planner.table(model))) return (await lastly.run(planned)) > 0
      if (!(await runs.row(planFind(planner, model, [...model.columns.keys()], met, lock)))) return false
      await lastly.run(planned)
      return true
    },
  }
}
