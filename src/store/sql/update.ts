import { sql } from 'drizzle-orm'
import type { Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import { filled, onUpdate } from '../fill.js'
import type { Values } from '../store.js'
import { conditionSql, namesRead, readCondition } from './condition.js'
import { Draft } from './draft.js'
import { namesOf, readColumns } from './list.js'
import type { Planned, Planner } from './plan.js'
import { readSettings } from './settings.js'

/** Updates the records that meet the condition and returns the columns that are asked for; null: there is nothing to set. */
export function planUpdate(
  planner: Planner,
  model: Model,
  values: Values,
  where: Condition,
  returned: readonly string[] | null = null,
): Planned | null {
  const { dialect } = planner
  const table = planner.table(model)
  const draft = new Draft('update', table)
  const columns = returned ? readColumns(draft, returned) : []
  const settings = readSettings(draft, filled(table.model, values, onUpdate))
  if (settings.length === 0) return null
  readCondition(draft, dialect, where)
  const plan = planner.plan(
    draft,
    (slot) => {
      const set = settings.map((one) => sql`${sql.identifier(one.codec.name)} = ${one.sql ?? slot()}`)
      const changed = sql`update ${table.model.table} set ${sql.join(set, sql`, `)} where ${conditionSql(table, dialect, where, slot)}`
      return returned ? sql`${changed} returning ${namesOf(columns)}` : changed
    },
    { columns, writes: true, about: () => namesRead(settings.map(({ codec }) => codec)), cached: !settings.some((one) => one.changing) },
  )
  return { plan, values: draft.values }
}

/**
 * Updates the records that meet the condition without changing them, since more belongs to them than their columns: their triggers run, as
 * for any change. A column is set to itself: the key, unless only the database makes it. Null: that is so of every column.
 */
export function planTouch(planner: Planner, model: Model, where: Condition): Planned | null {
  const { dialect } = planner
  const table = planner.table(model)
  const column = [table.model.key, ...table.model.columns.values()].find(
    ({ generated, link, tally }) => !generated && link === null && tally === null,
  )
  if (column === undefined) return null
  const name = sql.identifier(table.column(column.key).name)
  const draft = new Draft('touch', table)
  readCondition(draft, dialect, where)
  const plan = planner.plan(
    draft,
    (slot) => sql`update ${table.model.table} set ${name} = ${name} where ${conditionSql(table, dialect, where, slot)}`,
    // A trigger makes what it changes unknown anyway.
    { writes: true, about: () => [] },
  )
  return { plan, values: draft.values }
}
