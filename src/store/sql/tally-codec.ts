import { type SQL, sql } from 'drizzle-orm'
import { always, both, type Condition, condition, isAlways, type Where } from '../../resource/condition/condition.js'
import type { Column, Model, Tally } from '../../resource/model/model.js'
import { conditionSql, readCondition } from './condition.js'
import type { Codec, Dialect, Mapped } from './dialect.js'
import { Draft } from './draft.js'
import { inside } from './inside.js'

/** Which records of a table count where the records of others tell of them. */
export type Counted = (model: Model) => Condition

/** What a tally's codec needs of the planner. */
interface Tables {
  readonly dialect: Dialect
  readonly counted: Counted
  table(model: Model): Mapped
}

/**
 * How a number over related records is read, compared and sorted: by a query of its own for each row, inside the row's statement.
 *
 * @param key the codec of the key of the table that has the number
 */
export function tallyCodec(planner: Tables, column: Column, tally: Tally, key: Codec, id: number): Codec {
  const { dialect } = planner
  const plain = planner.table(tally.model)
  const { alias, table: related } = inside(key, plain, dialect)
  const of = toldSql(dialect, tally, related)
  const { columns } = tally.model
  const where = both(
    tally.where ? condition(tally.where as Where<Record<string, unknown>>, columns, 'UTC') : always,
    planner.counted(tally.model),
  )
  const fixed = isAlways(where) ? null : constantSql(related, dialect, where)
  // Written anew with each statement: what the dialect finds out of a column changes how it is asked.
  const met = fixed ? sql` and ${{ getSQL: fixed.sql }}` : sql``
  const source = related.key.equatable
  const at = (key: SQL) => sql`(select ${of} from ${tally.model.table} ${alias} where ${source} = ${key}${met})`
  return { ...dialect.codec(column, id, at(key.sql)), tally: { tables: [plain, ...(fixed?.others ?? [])], at } }
}

function toldSql(dialect: Dialect, { of, over }: Tally, { column }: Mapped): SQL {
  if (of === 'count' || over === null) return sql`count(*)`
  const codec = column(over.key)
  if (of === 'sum' || of === 'average') return dialect.numbers[of](codec)
  return of === 'smallest' ? sql`min(${codec.sortable})` : sql`max(${codec.sortable})`
}

/** A condition whose values are always the same: they are part of the statement. And the other tables that it compares with. */
function constantSql(table: Mapped, dialect: Dialect, where: Condition): { readonly sql: () => SQL; readonly others: Iterable<Mapped> } {
  const draft = new Draft('', table)
  readCondition(draft, dialect, where)
  const written = () => {
    let next = 0
    return conditionSql(table, dialect, where, () => sql`${sql.param(draft.values[next++])}`)
  }
  return { sql: written, others: draft.others ?? [] }
}
