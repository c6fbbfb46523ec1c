import type { Reads, Writes } from '../store.js'
import type { Lock } from './find.js'
import type { Planner } from './plan.js'
import { type Runs, readsOf } from './reads.js'
import type { Executes } from './sql-store.js'
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
  return { list, count, aggregate, find, findMany, create, update, delete: remove, deleteMany, execute }
}
