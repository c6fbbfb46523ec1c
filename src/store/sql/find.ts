import { type SQL, sql } from 'drizzle-orm'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import { conditionSql, readCondition } from './condition.js'
import { Draft } from './draft.js'
import { readColumns, selectSql } from './list.js'
import type { Planned, Planner } from './plan.js'

/** The end of a SELECT that locks its records, by key, until the transaction ends. */
export type Lock = (key: SQL) => SQL

/** The records that meet the condition, in any order. A read of the key alone is not locked: nothing that could change was seen. */
export function planFind(planner: Planner, model: Model, columns: readonly string[], where: Condition, lock: Lock | null = null): Planned {
  const { dialect } = planner
  const table = planner.table(model)
  const locks = lock && columns.some((key) => key !== model.key.key) ? lock : null
  const draft = new Draft(locks ? 'lock' : 'find', table)
  const codecs = readColumns(draft, columns)
  readCondition(draft, dialect, where)
  const plan = planner.plan(
    draft,
    (slot) => {
      const met = conditionSql(table, dialect, where, slot)
      return sql`${selectSql(table, codecs)} where ${met}${locks ? locks(table.key.sql) : sql``}`
    },
    { columns: codecs },
  )
  return { plan, values: draft.values }
}

/**
 * Locks the records that meet the condition, before what link tables hold of them is read. A statement that waited for a lock reads the
 * record as it is then, but other tables as they were when it began. Null: no link table is read.
 */
export function planLock(planner: Planner, model: Model, columns: readonly string[], where: Condition, lock: Lock): Planned | null {
  if (!model.links.some(({ key }) => columns.includes(key))) return null
  const { dialect } = planner
  const table = planner.table(model)
  const draft = new Draft('lockFirst', table)
  readCondition(draft, dialect, where)
  const plan = planner.plan(
    draft,
    (slot) => sql`${selectSql(table, [table.key])} where ${conditionSql(table, dialect, where, slot)}${lock(table.key.sql)}`,
    { columns: [table.key] },
  )
  return { plan, values: draft.values }
}

/** Narrows a condition to one key. */
export function withKey(model: Model, key: unknown, where: Condition | undefined): Condition {
  const ofKey: Condition = { op: 'eq', column: model.key.key, value: key }
  return where ? both(ofKey, where) : ofKey
}

/** Narrows a condition to a list of keys. */
export function withKeys(model: Model, keys: readonly unknown[], where: Condition | undefined): Condition {
  const ofKeys: Condition = { op: 'in', column: model.key.key, values: keys }
  return where ? both(ofKeys, where) : ofKeys
}
