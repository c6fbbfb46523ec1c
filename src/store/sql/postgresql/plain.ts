import type { Mapped } from '../dialect.js'
import { written } from '../indexes.js'
import type { Planner } from '../plan.js'
import type { Connection } from './connection.js'

// A write may not return the final row if the table is a view or partition, or has rules or keys that foreign keys cascade from; with
// row-level security, RETURNING fails for rows that may not be read. A trigger on INSERT or UPDATE may redirect the row or change it, even
// its key, as may a generated key; one before or instead of DELETE may do something else.
// `tgtype`: 2 BEFORE, 4 INSERT, 8 DELETE, 16 UPDATE, 64 INSTEAD OF, see
// https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/catalog/pg_trigger.h
const question = `select c.plain and not t.creates,
    c.plain and not t.updates and not exists (select from pg_attribute where attrelid = c.oid and attname = $2 and attgenerated <> ''),
    c.plain and not t.deletes,
    (select setting::integer from pg_settings where name = 'lock_timeout')
  from (
    select oid, relkind = 'r' and not (relhasrules or relhassubclass or relispartition or relrowsecurity) and not exists (
      select from pg_constraint where contype = 'f' and confrelid = pg_class.oid and confupdtype in ('c', 'n', 'd')
    ) as plain
    from pg_class where oid = $1::regclass
  ) c
  cross join lateral (
    select coalesce(bool_or(tgtype & 4 > 0), false) as creates,
      coalesce(bool_or(tgtype & 16 > 0), false) as updates,
      coalesce(bool_or(tgtype & 8 > 0 and tgtype & 66 > 0), false) as deletes
    from pg_trigger where tgrelid = c.oid and not tgisinternal
  ) t`

/** Which writes of a table return the row as it finally is. */
export interface PlainWrites {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
  /** The server's `lock_timeout` in milliseconds; 0: none. */
  readonly waits: number
}

const none: PlainWrites = { create: false, update: false, delete: false, waits: 0 }
const minute = 60_000
// A trigger may be added at any time. After `fresh`, what is known is refreshed in the background while a write still relies on it; after
// `believed`, it is no longer relied on.
const fresh = minute
const believed = 10 * minute

interface Known {
  writes: PlainWrites
  askedAt: number
}

/** Knows the tables with plain writes. Nobody waits for the lookup: until the database has answered, no table counts as plain. */
export class Plain {
  readonly #known = new Map<Mapped, Known>()
  constructor(
    readonly planner: Planner,
    readonly ask: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>,
  ) {}

  of(table: Mapped): PlainWrites {
    let known = this.#known.get(table)
    if (!known) {
      known = { writes: none, askedAt: Number.NEGATIVE_INFINITY }
      this.#known.set(table, known)
    }
    const now = performance.now()
    const age = now - known.askedAt
    if (age > believed) known.writes = none
    if (age > fresh) {
      known.askedAt = now
      this.#look(table, known)
    }
    return known.writes
  }

  async #look(table: Mapped, known: Known): Promise<void> {
    try {
      const [row] = await this.ask((connection) => connection.ask(question, [written(this.planner, table), table.key.name]))
      const [creates, updates, deletes, waits] = (row ?? []) as readonly unknown[]
      known.writes = { create: creates === true, update: updates === true, delete: deletes === true, waits: Number(waits) || 0 }
    } catch {
      // The table does not exist, or the database cannot be reached.
      known.writes = none
    }
  }
}
