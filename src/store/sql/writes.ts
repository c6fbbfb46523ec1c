import { DaymarkError } from '../../base/errors.js'
import type { Row, Writes } from '../store.js'
import { planCount } from './count.js'
import { planCreate } from './create.js'
import { planDelete } from './delete.js'
import { withKey, withKeys } from './find.js'
import type { Planner } from './plan.js'
import type { Runs } from './reads.js'
import { planUpdate } from './update.js'

export function writesOf(planner: Planner, runs: Runs): Writes {
  return {
    async create(model, values) {
      const row = await runs.row(planCreate(planner, model, values))
      // A trigger may silently redirect or discard the row.
      if (!row) throw new DaymarkError('conflict', 'The database has made no such record')
      return row[0]
    },
    async update(model, key, values, where) {
      const met = withKey(model, key, where)
      const planned = planUpdate(planner, model, values, met)
      if (planned) return runs.run(planned)
      const row = await runs.row(planCount(planner, model, met))
      return Number((row as Row)[0])
    },
    async delete(model, key, where) {
      return runs.run(planDelete(planner, model, withKey(model, key, where)))
    },
    async deleteMany(model, keys, where) {
      return runs.run(planDelete(planner, model, withKeys(model, keys, where)))
    },
  }
}
