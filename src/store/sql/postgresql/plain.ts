import type { Mapped } from '../dialect.js'
import { written } from '../indexes.js'
import type { Planner } from '../plan.js'
import type { Connection } from './connection.js'

// A view, a rule, a partition, a trigger, a key that others follow: what becomes of a row is not what its write gives back. Where rows have policies of their own, giving back
// what may not be read is a fault. A trigger before an insert may take the row elsewhere, one before an update change the key, as may a column that it is made of, one before a delete turn it into something else.
// Of a trigger's type, 2 is BEFORE, 4 INSERT, 8 DELETE, 16 UPDATE and 64 INSTEAD OF: https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/catalog/pg_trigger.h
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

/** Which writes of a table give back all that becomes of its row. */
export interface PlainWrites {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
  /** How long a statement waits for others by itself, in milliseconds; 0: for as long as it takes. */
  readonly waits: number
}

const none: PlainWrites = { create: false, update: false, delete: false, waits: 0 }
const minute = 60_000
// Somebody may give a table a trigger at any time. What is known is asked again after the first, behind a write that still goes by it, and after the second before one does.
const fresh = minute
const believed = 10 * minute

interface Known {
  writes: PlainWrites
  askedAt: number
}

/** Knows of which tables writes are plain. Nobody waits for that: until the database has said it, none is. */
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
      // A database that is asked for what it does not have, or that is away.
      known.writes = none
    }
  }
}
