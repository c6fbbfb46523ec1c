import { type SQL, sql } from 'drizzle-orm'
import type { Model } from '../../resource/model/model.js'
import { filled, onCreate } from '../fill.js'
import type { Values } from '../store.js'
import { conditionSql, readCondition } from './condition.js'
import type { Codec, Dialect } from './dialect.js'
import { Draft, type Slot } from './draft.js'
import type { Planned, Planner } from './plan.js'
import { readSettings } from './settings.js'
import type { Each } from './sql-store.js'

/** Inserts a record for each one of another table. */
export function planCreateForEach(planner: Planner, model: Model, values: Values, { of, where, lists, texts }: Each): Planned {
  const { dialect } = planner
  const table = planner.table(model)
  const others = planner.table(of)
  const draft = new Draft('each', table)
  const settings = readSettings(draft, filled(table.model, values, onCreate))
  const copied = Object.entries(texts).map(([key, { column, after }]) => {
    draft.shape += `${table.column(key).id}<${others.column(column).id},`
    draft.values.push(after)
    return { to: table.column(key), from: others.column(column) }
  })
  draft.shape += `of${others.id}(`
  draft.others = new Set([others])
  readCondition(draft, dialect, where, others)
  const listed = lists && readLists(draft, dialect, others.column(lists.column), lists.some)
  const plan = planner.plan(
    draft,
    (slot) => {
      const names = [...settings.map(({ codec }) => codec), ...copied.map(({ to }) => to)].map(({ name }) => sql`${sql.identifier(name)}`)
      // What is selected has the type of a column only if it says so.
      const own = settings.map(({ codec, sql: given }) => given ?? sql`cast(${slot()} as ${sql.raw(codec.column.drizzle.getSQLType())})`)
      const theirs = copied.map(({ from }) => sql`cast(${slot()} as text) || cast(${from.bare} as text)`)
      const met = conditionSql(others, dialect, where, slot)
      const all = listed ? sql`(${met}) and (${listed(slot)})` : met
      return sql`insert into ${table.model.table} (${comma(names)}) select ${comma([...own, ...theirs])} from ${others.model.table} where ${all}`
    },
    { writes: true },
  )
  return { plan, values: draft.values }
}

function readLists(draft: Draft, dialect: Dialect, codec: Codec, some: readonly string[]): (slot: Slot) => SQL {
  const isJson = codec.column.type === 'json'
  draft.shape += `)lists${codec.id}x${some.length}`
  for (const one of some) draft.values.push(isJson ? dialect.list.one(codec, one) : one)
  const has = dialect.list[isJson ? 'has' : 'named']
  return (slot) =>
    sql.join(
      some.map(() => has(codec, slot())),
      sql` or `,
    )
}

const comma = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
