import { sql } from 'drizzle-orm'
import type { Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import { conditionSql, readCondition } from './condition.js'
import { Draft } from './draft.js'
import type { Planned, Planner } from './plan.js'

/** Deletes the records that meet the condition. */
export function planDelete(planner: Planner, model: Model, where: Condition): Planned {
  const { dialect } = planner
  const table = planner.table(model)
  const draft = new Draft('delete', table)
  readCondition(draft, dialect, where)
  const plan = planner.plan(draft, (slot) => sql`delete from ${table.model.table} where ${conditionSql(table, dialect, where, slot)}`, {
    writes: true,
  })
  return { plan, values: draft.values }
}
