import { type SQL, sql } from 'drizzle-orm'
import { isAlways } from '../../resource/condition.js'
import type { Model } from '../../resource/model.js'
import type { ListQuery } from '../store.js'
import { conditionSql, readCondition } from './condition.js'
import type { Codec, Mapped } from './dialect.js'
import { orderSql, positionSql, readOrder } from './order.js'
import { Draft, type Planned, type Planner } from './plan.js'

/** A page of rows. */
export function planList(planner: Planner, model: Model, query: ListQuery): Planned {
  const { where, order, position, limit, offset = 0, fromEnd = false } = query
  const { dialect } = planner
  const table = planner.table(model)
  const draft = new Draft('list', table)
  const columns = readColumns(draft, query.columns)
  readCondition(draft, dialect, where)
  readOrder(draft, order, position)
  draft.values.push(limit)
  if (offset > 0) draft.values.push(offset)
  draft.shape += `${offset > 0 ? '+' : '.'}${fromEnd ? '<' : ''}`
  const plan = planner.plan(
    draft,
    (slot) => {
      const met = isAlways(where) ? [] : [conditionSql(table, dialect, where, slot)]
      const parts = position ? positionSql(table, order, position, slot) : []
      const limited = sql` limit ${slot()}${offset > 0 ? sql` offset ${slot()}` : sql``}`
      const terms = order.map((step) => table.column(step.column).sortable)
      const sorted = (by: readonly SQL[]) => sql`${orderSql(table, dialect, order, by, isBackwards(query))}${limited}`
      const from = (beyond: readonly SQL[]) => {
        const all = [...met, ...beyond]
        return sql`from ${table.model.table}${all.length > 0 ? sql` where ${sql.join(all, sql` and `)}` : sql``} order by ${sorted(terms)}`
      }
      if (parts.length > 1)
        return inParts(
          columns,
          terms,
          parts.map((part) => from([part])),
          sorted,
        )
      return sql`select ${namesOf(columns)} ${from(parts)}`
    },
    { columns },
  )
  return { plan, values: draft.values, backwards: isBackwards(query), skips: offset }
}

function isBackwards({ position, fromEnd }: ListQuery): boolean {
  return position?.side === 'before' || fromEnd === true
}

/** The codecs of columns; adds their part of the shape. */
export function readColumns(draft: Draft, keys: readonly string[]): readonly Codec[] {
  const { shape, codecs } = draft.table.columns(keys)
  draft.shape += shape
  return codecs
}

/** A column list for SELECT or RETURNING. */
export function namesOf(columns: readonly Codec[]): SQL {
  return sql.join(
    columns.map((codec) => codec.sql),
    sql`, `,
  )
}

export function selectSql(table: Mapped, columns: readonly Codec[]): SQL {
  return sql`select ${namesOf(columns)} from ${table.model.table}`
}

// Each part is limited to a page and sorted by itself, so that its index serves. Only the two pages together are sorted again.
function inParts(columns: readonly Codec[], terms: readonly SQL[], parts: readonly SQL[], sorted: (by: readonly SQL[]) => SQL): SQL {
  const names = (letter: string, count: number) => Array.from({ length: count }, (_, index) => sql`${sql.identifier(letter + index)}`)
  const [shown, ordered] = [names('c', columns.length), names('o', terms.length)]
  const shownAs = columns.map((codec, index) => sql`${codec.sql} as ${shown[index]}`)
  const orderedAs = terms.map((term, index) => sql`${term} as ${ordered[index]}`)
  const selected = sql.join([...shownAs, ...orderedAs], sql`, `)
  // Before PostgreSQL 16, a subquery in FROM needs a name.
  const all = parts.map((part) => sql`select * from (select ${selected} ${part}) part`)
  return sql`select ${sql.join(shown, sql`, `)} from (${sql.join(all, sql` union all `)}) parts order by ${sorted(ordered)}`
}
