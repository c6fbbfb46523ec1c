import type { Planned } from '../plan.js'
import type { Runs } from '../reads.js'
import type { Connection } from './connection.js'
import type { Remembered } from './remembered.js'

/** Runs work on a connection, when its turn comes. */
export type Run = <T>(planned: Planned, work: (connection: Connection, planned: Planned) => T) => Promise<T>

/**
 * @param remembered the cache for shared rows; null: none
 * @param mayRemember whether changes of what a statement reads can be detected
 */
export function runsBy(run: Run, remembered: Remembered | null = null, mayRemember: (planned: Planned) => boolean = () => true): Runs {
  return {
    rows: (planned, shared, seen) =>
      run(planned, (on, planned) => (shared && remembered && mayRemember(planned) ? remembered.rows(on, planned, seen) : on.rows(planned))),
    row: (planned) => run(planned, (on, planned) => on.row(planned)),
    run: (planned) => run(planned, (on, planned) => on.run(planned)),
  }
}
