import { patience, Queue } from '../../queue.js'
import { describe } from '../indexes.js'
import { Planner } from '../plan.js'
import { readsOf } from '../reads.js'
import type { SqlStore } from '../sql-store.js'
import { whileBusy } from './busy.js'
import { Connections } from './connections.js'
import type { Database } from './database.js'
import { sqliteDialect } from './dialect.js'
import { failure, isBusy } from './failure.js'
import { missingFts } from './full-text.js'
import { Group } from './group.js'
import { indexesOf } from './indexes.js'
import { Remembered } from './remembered.js'
import { type Run, runsBy } from './run.js'

/** One connection writes, in turns; another reads and sees what is committed. With no file there is one connection, and reads take turns too. */
export function sqliteStore(database: Database, observe: ((sql: string) => void) | undefined): SqlStore {
  const planner = new Planner(sqliteDialect(database.dialect))
  const connections = new Connections(database, observe)
  const turns = new Queue()
  const group = new Group(connections, planner, turns)
  // What one connection writes itself does not change the version that it sees.
  const remembered = database.oneConnection ? null : new Remembered()

  const read: Run = async (planned, work) => {
    const until = performance.now() + patience
    const attempt = () => whileBusy(() => work(connections.reader(), planned), until, planned.plan.table)
    return database.oneConnection && !turns.free ? turns.run(async () => attempt(), until) : attempt()
  }

  return {
    dialect: 'sqlite',
    ...readsOf(planner, runsBy(read, remembered)),
    async indexes(model) {
      const table = planner.table(model)
      const until = performance.now() + patience
      return describe(planner, table, await whileBusy(() => indexesOf(connections.reader().driver, table.model.name), until, table))
    },
    async missingFullText(model, of) {
      const table = planner.table(model)
      return whileBusy(() => missingFts(connections.reader().driver, table, of), performance.now() + patience, table)
    },
    transaction: (work, { until = performance.now() + patience, trusted = false } = {}) => group.run(work, until, trusted),
    ...(!database.oneConnection && { version: () => versionNow(connections) }),
    close: () =>
      turns.run(async () => {
        await group.commit()
        connections.close()
      }, Number.POSITIVE_INFINITY),
  }
}

/** @throws DaymarkError `unavailable` for a store that is closed, or a file that cannot be opened */
function versionNow(connections: Connections): unknown {
  try {
    return connections.reader().version()
  } catch (error) {
    // Nobody can say now, so that nothing is known.
    if (isBusy(error)) return Symbol('busy')
    throw failure(error, null)
  }
}
