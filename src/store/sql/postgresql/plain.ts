import type { Mapped } from '../dialect.js'
import { written } from '../indexes.js'
import type { Planner } from '../plan.js'
import type { Connection } from './connection.js'

// A view, a rule, a trigger that comes after the write or in its place, a key that others follow: what a row becomes is not what its write gives back. Where rows have
// policies of their own, giving back what may not be read is refused as a fault; a trigger before a delete may turn it into something else, and none seems to be there.
// Of a trigger's type, 2 is BEFORE, 8 DELETE and 64 INSTEAD OF: https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/catalog/pg_trigger.h
const question = `select c.relkind = 'r' and not (c.relhasrules or c.relhassubclass or c.relrowsecurity)
    and not exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 74 <> 2)
    and not exists (select from pg_constraint r where r.contype = 'f' and r.confrelid = c.oid and r.confupdtype in ('c', 'n', 'd'))
  from pg_class c where c.oid = $1::regclass`

const minute = 60_000
// Somebody may give a table a trigger at any time. What is known is asked again after the first, behind a write that still goes by it, and after the second before one does.
const fresh = minute
const believed = 10 * minute

interface Known {
  plain: boolean
  askedAt: number
}

/** Knows of which tables a write gives back all that becomes of its row. Nobody waits for that: until the database has said it, a table is none. */
export class Plain {
  readonly #known = new Map<Mapped, Known>()
  constructor(
    readonly planner: Planner,
    readonly ask: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>,
  ) {}

  is(table: Mapped): boolean {
    let known = this.#known.get(table)
    if (!known) {
      known = { plain: false, askedAt: -believed }
      this.#known.set(table, known)
    }
    const age = performance.now() - known.askedAt
    if (age > believed) known.plain = false
    if (age > fresh) {
      known.askedAt += age
      this.#look(table, known)
    }
    return known.plain
  }

  async #look(table: Mapped, known: Known): Promise<void> {
    try {
      const [row] = await this.ask((connection) => connection.ask(question, [written(this.planner, table)]))
      known.plain = row?.[0] === true
    } catch {
      // A database that is asked for what it does not have, or that is away.
      known.plain = false
    }
  }
}
