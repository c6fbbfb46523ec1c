import { namesLinks } from '../../../resource/model/link.js'
import type { Model } from '../../../resource/model/model.js'
import type { Last } from '../../ending.js'
import type { Values } from '../../store.js'
import { planCreate } from '../create.js'
import { planDelete } from '../delete.js'
import { planFind, withKey } from '../find.js'
import type { Planner } from '../plan.js'
import type { Runs } from '../reads.js'
import { planUpdate } from '../update.js'
import type { Plain } from './plain.js'

/** The last write of a transaction: one statement that also returns the row. `runs` runs it as the last. */
export function lastOf(planner: Planner, plain: Plain, runs: Runs): Last {
  return {
    can: (write, model, values = {}) =>
      !writesLinks(write, model, values) && !isToldOfItself(model) && plain.of(planner.table(model))[write],
    create: async (model, values, columns) => runs.row(planCreate(planner, model, values, columns)),
    async update(model, key, values, columns, where) {
      const met = withKey(model, key, where)
      // With nothing to set, read the record instead.
      return runs.row(planUpdate(planner, model, values, met, columns) ?? planFind(planner, model, columns, met))
    },
    delete: async (model, key, where) => (await runs.run(planDelete(planner, model, withKey(model, key, where)))) > 0,
  }
}

/** Whether a record may count among those that it tells of. A statement returns what it has written, and else sees what was there before. */
const isToldOfItself = ({ fullName, tallies }: Model) => tallies.some(({ tally }) => tally?.model.fullName === fullName)

/** Whether a write is more than one statement, since link tables belong to it. */
function writesLinks(write: 'create' | 'update' | 'delete', model: Model, values: Values): boolean {
  return write === 'delete' ? model.links.some(({ link }) => link?.unlinks) : namesLinks(model, values)
}
