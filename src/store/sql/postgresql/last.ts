import type { Model } from '../../../resource/model.js'
import type { Last } from '../../ending.js'
import { planCreate } from '../create.js'
import { planDelete } from '../delete.js'
import type { Mapped } from '../dialect.js'
import { type Lock, planFind, withKey } from '../find.js'
import type { Planner } from '../plan.js'
import type { Runs } from '../reads.js'
import { planUpdate } from '../update.js'
import type { PlainWrites } from './plain.js'

interface Ends {
  readonly planner: Planner
  /** Of which writes of a table it is known what they give back. */
  readonly plain: (table: Mapped) => PlainWrites
  /** What is asked for inside of the transaction. */
  readonly runs: Runs
  /** What is asked for as its last. */
  readonly lastly: Runs
  readonly lock: Lock
}

/**
 * What ends a transaction with a write: one statement that gives back what it has made, where that is all that becomes of it. Else the record is read once more, and the
 * transaction ends as any other: it may turn out not to be there any more.
 */
export function lastOf({ planner, plain, runs, lastly, lock }: Ends): Last {
  const find = (model: Model, key: unknown, columns: readonly string[]) =>
    runs.row(planFind(planner, model, columns, withKey(model, key, undefined), lock))
  return {
    async create(model, values, columns) {
      if (plain(planner.table(model)).creates) return lastly.row(planCreate(planner, model, values, columns))
      const made = await runs.row(planCreate(planner, model, values))
      return made && find(model, made[0], columns)
    },
    async update(model, key, values, columns) {
      const where = withKey(model, key, undefined)
      if (plain(planner.table(model)).updates) {
        const planned = planUpdate(planner, model, values, where, columns)
        if (planned) return lastly.row(planned)
      }
      const planned = planUpdate(planner, model, values, where)
      const writing = planned ? runs.run(planned) : Promise.resolve(0)
      // Both are one way to the server and back. Where the first fails, so does the second.
      const reading = find(model, key, columns)
      reading.catch(() => {})
      await writing
      return reading
    },
    async delete(model, key, where) {
      const met = withKey(model, key, where)
      const planned = planDelete(planner, model, met)
      if (plain(planner.table(model)).deletes) return (await lastly.run(planned)) > 0
      if (!(await runs.row(planFind(planner, model, [...model.columns.keys()], met, lock)))) return false
      await lastly.run(planned)
      return true
    },
  }
}
