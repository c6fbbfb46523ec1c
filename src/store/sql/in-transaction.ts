import type { Reads, Writes } from '../store.js'
import { planCreateForEach } from './create-for-each.js'
import { planDelete } from './delete.js'
import type { Lock } from './find.js'
import type { Planner } from './plan.js'
import { type Runs, readsOf } from './reads.js'
import type { Executes } from './sql-store.js'
import { planUpdate } from './update.js'
import { writesOf } from './writes.js'

/**
 * The `tx` of a transaction. Created for each one, and written out in full: V8 has no fast shape for an object that is spread from others.
 */
export function inTransaction(
  planner: Planner,
  runs: Runs,
  execute: Executes['execute'],
  lock: Lock | null = null,
): Reads & Writes & Executes {
  const { list, count, aggregate, find, findMany } = readsOf(planner, runs, lock)
  const { create, update, delete: remove, deleteMany } = writesOf(planner, runs, execute)
  const createForEach: Executes['createForEach'] = async (...asked) => {
    await runs.run(planCreateForEach(planner, ...asked))
  }
  const updateAll: Executes['updateAll'] = async (...asked) => {
    const planned = planUpdate(planner, ...asked)
    return planned ? runs.run(planned) : 0
  }
  const deleteAll: Executes['deleteAll'] = (...asked) => runs.run(planDelete(planner, ...asked))
  return {
    list,
    count,
    aggregate,
    find,
    findMany,
    create,
    update,
    delete: remove,
    deleteMany,
    execute,
    createForEach,
    updateAll,
    deleteAll,
  }
}
