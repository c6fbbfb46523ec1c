import type { Column } from '../../../resource/model/model.js'
import type { Mapped } from '../dialect.js'
import { written } from '../indexes.js'
import type { Planner } from '../plan.js'
import type { Connection } from './connection.js'
import { unmatched } from './failure.js'

type Ask = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

const question = `select attname from pg_attribute a join pg_collation c on c.oid = a.attcollation
  where a.attrelid = $1::regclass and a.attnum > 0 and not c.collisdeterministic`

/**
 * Tracks the columns whose nondeterministic collation refuses patterns. A table is looked up only once PostgreSQL has refused a pattern on
 * it.
 */
export class Loose {
  readonly columns = new Set<Column>()

  /** Runs `work`. If a pattern is refused, looks up the columns and runs it once more. */
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
    const names = new Set((await ask((connection) => connection.ask(question, [written(planner, table)]))).flat())
    const found = [...table.codecs.values()].filter((codec) => names.has(codec.name))
    for (const { column } of found) this.columns.add(column)
    planner.forget()
    return found.length > 0
  }
}
