import { type SQL, sql } from 'drizzle-orm'
import type { Model } from '../../resource/model/model.js'
import { filled, onCreate } from '../fill.js'
import type { Values } from '../store.js'
import { Draft } from './draft.js'
import { namesOf, readColumns } from './list.js'
import type { Planned, Planner } from './plan.js'
import { readSettings } from './settings.js'

/** Inserts a record and returns its key, or the columns that are asked for. */
export function planCreate(planner: Planner, model: Model, values: Values, returned: readonly string[] | null = null): Planned {
  const table = planner.table(model)
  const draft = new Draft('create', table)
  const columns = returned ? readColumns(draft, returned) : [table.key]
  const settings = readSettings(draft, filled(table.model, values, onCreate))
  const plan = planner.plan(
    draft,
    (slot) => {
      const names = settings.map(({ codec }) => sql`${sql.identifier(codec.name)}`)
      const row = settings.map((one): SQL => one.sql ?? slot())
      const given = settings.length === 0 ? sql`default values` : sql`(${sql.join(names, sql`, `)}) values (${sql.join(row, sql`, `)})`
      return sql`insert into ${table.model.table} ${given} returning ${returned ? namesOf(columns) : sql.identifier(table.key.name)}`
    },
    { columns, writes: true, cached: !settings.some((one) => one.changing) },
  )
  return { plan, values: draft.values }
}
