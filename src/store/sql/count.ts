import { sql } from 'drizzle-orm'
import { type Condition, isAlways } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import { columnsAsked, readCondition, whereSql } from './condition.js'
import { Draft } from './draft.js'
import type { Planned, Planner } from './plan.js'

/** The number of rows; with a cap, the database stops counting there. */
export function planCount(planner: Planner, model: Model, where: Condition, cap?: number): Planned {
  const { dialect } = planner
  const table = planner.table(model)
  const draft = new Draft(cap === undefined ? 'count' : 'countTo', table)
  readCondition(draft, dialect, where)
  if (cap !== undefined) draft.values.push(cap)
  const plan = planner.plan(
    draft,
    (slot) => {
      const rows = sql`from ${table.model.table}${whereSql(table, dialect, where, slot)}`
      return cap === undefined ? sql`select count(*) ${rows}` : sql`select count(*) from (select 1 ${rows} limit ${slot()}) capped`
    },
    { about: () => columnsAsked(table, where) },
  )
  return { plan, values: draft.values, single: true, whole: cap === undefined && isAlways(where) }
}
