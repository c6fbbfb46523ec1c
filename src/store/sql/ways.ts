import { type SQL, sql } from 'drizzle-orm'
import type { Along, Order } from '../store.js'
import { readCondition, whereSql } from './condition.js'
import type { Codec, Dialect, Mapped } from './dialect.js'
import type { Draft, Slot } from './draft.js'
import { columnsOf } from './plan.js'

/** What an order reads of the records that others lead to. */
interface Ways {
  /** The table, with these values among its columns. */
  readonly table: Mapped
  /** The joins that they are read by. It takes its slots where `readWays` was called. */
  joins(slot: Slot): SQL
}

/**
 * Adds the shape and values of the ways of an order to a draft; null: it has none. Each step is a join with the key of one record, so rows
 * stay as many as they are.
 */
export function readWays(draft: Draft, dialect: Dialect, order: readonly Order[]): Ways | null {
  if (order.every(({ along }) => !along)) return null
  const { table } = draft
  const codecs = new Map<string, Codec>()
  const written: ((slot: Slot) => SQL)[] = []
  for (const { column, along } of order) if (along) codecs.set(column, readWay(along, `${codecs.size}`))
  const column = (key: string) => codecs.get(key) ?? table.column(key)
  return {
    table: { ...table, column, columns: (keys) => columnsOf(keys.map(column)) },
    joins: (slot) => sql.join(written.map((join) => join(slot))),
  }

  function readWay({ steps, column }: Along, name: string): Codec {
    draft.shape += 'along'
    let here = table
    let from = (key: string): SQL => table.column(key).equatable
    for (const [i, { by, of, where }] of steps.entries()) {
      const there = table.beside(of)
      draft.others ??= new Set()
      draft.others.add(there)
      draft.shape += `${here.column(by).id},${there.id}(`
      readCondition(draft, dialect, where, there)
      draft.shape += ')'
      const as = sql.identifier(`${letterBeside(table)}${name}_${i}`)
      const next = steps[i + 1]?.by
      const value = next === undefined ? there.column(column).bare : there.column(next).equatable
      const refers = from(by)
      // Each record is read in a query of its own, where its table has its own name: its condition may ask others by that.
      written.push((slot) => {
        const related = sql`select ${there.key.equatable} as ${key}, ${value} as ${told} from ${of.table}${whereSql(there, dialect, where, slot)}`
        return sql` left join (${related}) ${as} on ${as}.${key} = ${refers}`
      })
      from = () => sql`${as}.${told}`
      here = there
    }
    const codec = here.column(column)
    draft.shape += `${codec.id};`
    // A place in the shape that no column of the table has.
    return { ...dialect.codec(codec.column, -1 - codecs.size, from(column)), nullable: true }
  }
}

const [key, told] = [sql.identifier('k'), sql.identifier('v')]

/** What related records are named by in the query: never as the table of the rows is. */
const letterBeside = ({ model: { name } }: Mapped) => (name.toLowerCase().startsWith('w') ? 'v' : 'w')
