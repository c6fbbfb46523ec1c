import type { Index } from '../sql-store.js'
import type { Connection } from './connection.js'

// An index expression has no column: null.
const columns = `select i.indexrelid::text, a.attname, o.opcname = 'gin_trgm_ops' or o.opcname = 'gist_trgm_ops'
  from pg_index i
  cross join lateral unnest(i.indkey::int2[], i.indclass::oid[]) with ordinality k (attnum, opclass, n)
  left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0
  left join pg_opclass o on o.oid = k.opclass
  where i.indrelid = $1::regclass and i.indpred is null and i.indisvalid order by i.indexrelid, k.n`

const view = "select relkind = 'v' from pg_class where oid = $1::regclass"

/** The indexes over all rows of a table; null: it is a view. */
export async function indexesOf(connection: Connection, table: string): Promise<readonly Index[] | null> {
  if ((await connection.ask(view, [table]))[0]?.[0] === true) return null
  const indexes = new Map<unknown, { columns: (string | null)[]; trigrams: boolean }>()
  for (const [index, column, trigrams] of await connection.ask(columns, [table])) {
    const known = indexes.get(index) ?? { columns: [], trigrams: false }
    indexes.set(index, { columns: [...known.columns, column as string | null], trigrams: known.trigrams || trigrams === true })
  }
  return [...indexes.values()]
}
