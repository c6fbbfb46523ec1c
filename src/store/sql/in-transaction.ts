import type { Reads, Writes } from '../store.js'
import type { Lock } from './find.js'
import type { Planner } from './plan.js'
import { type Runs, readsOf } from './reads.js'
import type { Executes } from './sql-store.js'
import { writesOf } from './writes.js'

/** What can be done in a transaction. It is made for each, so it is written out: an object that is spread from others is slow to read, for V8 gives it no shape that it knows. */
export function inTransaction(
  planner: Planner,
  runs: Runs,
  execute: Executes['execute'],
  lock: Lock | null = null,
): Reads & Writes & Executes {
  const { list, count, sum, find, findMany } = readsOf(planner, runs, lock)
  const { create, update, delete: remove, deleteMany } = writesOf(planner, runs)
  return { list, count, sum, find, findMany, create, update, delete: remove, deleteMany, execute }
}
