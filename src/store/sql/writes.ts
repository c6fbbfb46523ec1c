import { DaymarkError } from '../../base/errors.js'
import { namesLinks } from '../../resource/model/link.js'
import type { Row, Writes } from '../store.js'
import { planCount } from './count.js'
import { planCreate } from './create.js'
import { withKey } from './find.js'
import { columnsIn, linkWrites } from './link-writes.js'
import type { Planner } from './plan.js'
import type { Runs } from './reads.js'
import type { Executes } from './sql-store.js'
import { planTouch, planUpdate } from './update.js'

export function writesOf(planner: Planner, runs: Runs, execute: Executes['execute']): Writes {
  const links = linkWrites(planner, runs, execute)
  return {
    async create(model, values) {
      const row = await runs.row(planCreate(planner, model, columnsIn(model, values)))
      // A trigger may silently redirect or discard the row.
      if (!row) throw new DaymarkError('conflict', 'The database has made no such record')
      if (namesLinks(model, values)) await links.put(model, row[0], values)
      return row[0]
    },
    async update(model, key, values, where) {
      const met = withKey(model, key, where)
      const linked = namesLinks(model, values)
      const planned = planUpdate(planner, model, columnsIn(model, values), met) ?? (linked ? planTouch(planner, model, met) : null)
      if (planned && !linked) return runs.run(planned)
      const count = planned ? await runs.run(planned) : Number(((await runs.row(planCount(planner, model, met))) as Row)[0])
      if (linked && count > 0) await links.put(model, key, values)
      return count
    },
    delete: (model, key, where) => links.delete(model, [key], where),
    deleteMany: (model, keys, where) => links.delete(model, keys, where),
  }
}
