import type { Mapped } from '../dialect.js'
import type { Planned } from '../plan.js'
import type { Runs } from '../reads.js'
import type { Connection } from './connection.js'
import type { Remembered } from './remembered.js'

/** Runs work on a connection, when its turn comes. */
export type Run = <T>(planned: Planned, work: (connection: Connection, planned: Planned) => T) => Promise<T>

/**
 * @param remembered the cache for shared rows; null: none
 * @param tells whether changes of a table can be detected
 */
export function runsBy(run: Run, remembered: Remembered | null = null, tells: (table: Mapped) => boolean = () => true): Runs {
  return {
    rows: (planned, shared, seen) =>
      run(planned, (on, planned) =>
        shared && remembered && tells(planned.plan.table) && planned.plan.others.every(tells)
          ? remembered.rows(on, planned, seen)
          : on.rows(planned),
      ),
    row: (planned) => run(planned, (on, planned) => on.row(planned)),
    run: (planned) => run(planned, (on, planned) => on.run(planned)),
  }
}
