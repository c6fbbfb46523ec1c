import type { Column } from '../../../resource/model/model.js'
import type { Mapped } from '../dialect.js'
import { written } from '../indexes.js'
import type { Planner } from '../plan.js'
import type { Connection } from './connection.js'
import { unmatched } from './failure.js'

type Ask = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

const unmatchable = `select attname from pg_attribute a join pg_collation c on c.oid = a.attcollation
  where a.attrelid = $1::regclass and a.attnum > 0 and not c.collisdeterministic`

// Of types that indexes have no order for. What is one of the others is found by a cast that PostgreSQL makes by itself, or by its kind.
const unordered = `select attname from pg_attribute a join pg_type t on t.oid = a.atttypid
  cross join lateral (select coalesce(nullif(t.typbasetype, 0), t.oid) as oid) b
  where a.attrelid = $1::regclass and a.attnum > 0 and t.typcategory not in ('A', 'E', 'R') and not exists (
    select from pg_opclass o join pg_am m on m.oid = o.opcmethod where m.amname = 'btree' and o.opcdefault and (o.opcintype = b.oid
      or exists (select from pg_cast where castsource = b.oid and casttarget = o.opcintype and castmethod = 'b' and castcontext = 'i')))`

/**
 * Tracks the columns whose nondeterministic collation refuses patterns, and those of a type without an order, such as xml in a column that
 * is declared as text. A table is looked up only once PostgreSQL has refused a pattern on it, or a comparison.
 */
export class Loose {
  readonly columns = new Set<Column>()
  readonly unordered = new Set<Column>()

  /** Runs `work`. If a pattern or a comparison is refused, looks up the columns and runs it once more. */
  async whileLearning<T>(planner: Planner, ask: Ask, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      let learned = false
      for (const table of unmatched(thrown)) if (await this.#learn(planner, ask, table)) learned = true
      if (!learned) throw thrown
      return work()
    }
  }

  async #learn(planner: Planner, ask: Ask, table: Mapped): Promise<boolean> {
    const before = this.columns.size + this.unordered.size
    const learn = async (question: string, known: Set<Column>, may: (column: Column) => boolean = () => true) => {
      const names = new Set((await ask((connection) => connection.ask(question, [written(planner, table)]))).flat())
      const found = [...table.codecs.values()].flatMap(({ name, column }) => (names.has(name) && may(column) ? [column] : []))
      for (const column of found) known.add(column)
      return found.length > 0
    }
    const found = [await learn(unmatchable, this.columns), await learn(unordered, this.unordered, ({ type }) => type === 'text')]
    // What nobody can compare is refused each time; statements are forgotten only for what is new.
    if (this.columns.size + this.unordered.size > before) planner.forget()
    // Whoever was refused at the same time finds what another request has learned.
    return found.includes(true)
  }
}
