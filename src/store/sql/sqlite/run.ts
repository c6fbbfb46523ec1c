import type { Mapped } from '../dialect.js'
import type { Planned } from '../plan.js'
import type { Runs } from '../reads.js'
import type { Connection } from './connection.js'
import type { Remembered } from './remembered.js'

/** Does some work on a connection where and when it may. */
export type Run = <T>(planned: Planned, work: (connection: Connection, planned: Planned) => T) => Promise<T>

/**
 * @param remembered gives what is shared again while it is still true
 * @param tells whether that can be known of a table
 */
export function runsBy(run: Run, remembered: Remembered | null = null, tells: (table: Mapped) => boolean = () => true): Runs {
  return {
    rows: (planned, shared, seen) =>
      run(planned, (on, planned) =>
        shared && remembered && tells(planned.plan.table) ? remembered.rows(on, planned, seen) : on.rows(planned),
      ),
    row: (planned) => run(planned, (on, planned) => on.row(planned)),
    run: (planned) => run(planned, (on, planned) => on.run(planned)),
  }
}
