import { type SQL, sql } from 'drizzle-orm'
import { isAlways } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { ListQuery } from '../store.js'
import { conditionSql, readCondition } from './condition.js'
import type { Codec, Mapped } from './dialect.js'
import { Draft } from './draft.js'
import { orderSql, positionSql, readOrder } from './order.js'
import type { Planned, Planner } from './plan.js'
import { readWays } from './ways.js'

/** A page of rows. */
export function planList(planner: Planner, model: Model, query: ListQuery): Planned {
  const { where, order, position, limit, offset = 0, fromEnd = false } = query
  const { dialect } = planner
  const own = planner.table(model)
  const draft = new Draft('list', own)
  const ways = readWays(draft, dialect, order)
  const table = ways?.table ?? own
  const columns = readColumns(draft, query.columns, table)
  readCondition(draft, dialect, where)
  readOrder(draft, table, order, position)
  draft.values.push(limit)
  if (offset > 0) draft.values.push(offset)
  draft.shape += `${offset > 0 ? '+' : '.'}${fromEnd ? '<' : ''}`
  const plan = planner.plan(
    draft,
    (slot) => {
      const joins = ways?.joins(slot) ?? sql``
      const met = isAlways(where) ? [] : [conditionSql(table, dialect, where, slot)]
      const parts = position ? positionSql(table, order, position, slot) : []
      const limited = sql` limit ${slot()}${offset > 0 ? sql` offset ${slot()}` : sql``}`
      // What tells of related records is read of the page's rows alone, and once where they are sorted by it.
      const apart = columns.some(({ tally }) => tally !== null)
      const terms = order.map(({ column }, index) => {
        const { tally, sortable } = table.column(column)
        return apart && tally ? orderedAs(index) : sortable
      })
      const sorted = (by: readonly SQL[]) => sql`${orderSql(table, dialect, order, by, isBackwards(query))}${limited}`
      const from = (beyond: readonly SQL[]) => {
        const all = [...met, ...beyond]
        return sql`from ${table.model.table}${joins}${all.length > 0 ? sql` where ${sql.join(all, sql` and `)}` : sql``} order by ${sorted(terms)}`
      }
      if (parts.length > 1 || apart) {
        const codecs = order.map((step) => table.column(step.column))
        const all = parts.length > 1 ? parts.map((part) => from([part])) : [from(parts)]
        return inParts(table, columns, codecs, all, (by) =>
          all.length > 1 ? sorted(by) : orderSql(table, dialect, order, by, isBackwards(query)),
        )
      }
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
export function readColumns(draft: Draft, keys: readonly string[], table: Mapped = draft.table): readonly Codec[] {
  const { shape, codecs } = table.columns(keys)
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
function inParts(
  table: Mapped,
  columns: readonly Codec[],
  order: readonly Codec[],
  parts: readonly SQL[],
  sorted: (by: readonly SQL[]) => SQL,
): SQL {
  const ordered = order.map((_, index) => orderedAs(index))
  const shown = columns.map((codec, index) => {
    if (!codec.tally) return as('c', index)
    const at = order.indexOf(codec)
    return at < 0 ? codec.tally.at(sql`parts.${keyName}`) : (ordered[at] as SQL)
  })
  const shownAs = columns.flatMap((codec, index) => (codec.tally ? [] : [sql`${codec.sql} as ${as('c', index)}`]))
  const sortedAs = order.map((codec, index) => sql`${codec.sortable} as ${ordered[index]}`)
  const isTold = columns.some((codec) => codec.tally && !order.includes(codec))
  const selected = sql.join([...shownAs, ...sortedAs, ...(isTold ? [sql`${table.key.sql} as ${keyName}`] : [])], sql`, `)
  // Before PostgreSQL 16, a subquery in FROM needs a name.
  const all = parts.map((part) => sql`select * from (select ${selected} ${part}) part`)
  return sql`select ${sql.join(shown, sql`, `)} from (${sql.join(all, sql` union all `)}) parts order by ${sorted(ordered)}`
}

const as = (letter: string, index: number): SQL => sql`${sql.identifier(letter + index)}`
const orderedAs = (index: number): SQL => as('o', index)
const keyName = sql`${sql.identifier('k')}`
