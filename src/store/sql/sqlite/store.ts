import type { Model } from '../../../resource/model/model.js'
import { patience, Queue } from '../../queue.js'
import type { ListQuery, Reads, Row } from '../../store.js'
import { writes } from '../../written.js'
import type { Mapped } from '../dialect.js'
import { describe } from '../indexes.js'
import { planList } from '../list.js'
import { type Planned, Planner } from '../plan.js'
import { readsOf } from '../reads.js'
import type { SqlStore } from '../sql-store.js'
import type { Counted } from '../tally-codec.js'
import type { Watch } from '../watch.js'
import { whileBusy } from './busy.js'
import { Changes } from './changes.js'
import { Connections } from './connections.js'
import type { Database } from './database.js'
import { sqliteDialect } from './dialect.js'
import { failure, isBusy } from './failure.js'
import { missingFts } from './full-text.js'
import { Group } from './group.js'
import { indexesOf } from './indexes.js'
import { endsOf, endsOfWritten, Landmarks } from './landmarks.js'
import { Remembered } from './remembered.js'
import { type Run, runsBy } from './run.js'

/**
 * One connection writes, in turns; another reads what is committed. An in-memory database has a single connection, so reads take turns,
 * too.
 */
export function sqliteStore(database: Database, watch: Watch | undefined, counted?: Counted): SqlStore {
  const planner = new Planner(sqliteDialect(database.dialect), counted)
  const connections = new Connections(database, watch)
  const turns = new Queue()
  const changes = new Changes(connections)
  const group = new Group(connections, changes, planner, turns)
  // `data_version` leaves out changes on the same connection, so with a single one nothing can be cached.
  const remembered = database.oneConnection ? null : new Remembered(changes)

  const read: Run = async (planned, work) => {
    const until = performance.now() + patience
    const attempt = () => whileBusy(() => work(connections.reader(), planned), until, planned.plan.table)
    return database.oneConnection && !turns.free ? turns.run(async () => attempt(), until) : attempt()
  }

  const tables = new Map<Mapped, boolean>()
  const tellsOf = (table: Mapped) => {
    const known = tables.get(table) ?? isTable(connections, table)
    if (known !== null) tables.set(table, known)
    return known === true
  }
  const tells = (table: Mapped) => tellsOf(table) && table.links.every(tellsOf)

  const mayRemember = ({ plan: { table, others } }: Planned) => tells(table) && others.every(tells)
  const reads = readsOf(planner, runsBy(read, remembered, mayRemember))
  const far = remembered && { remembered, landmarks: new Landmarks(planner, changes) }

  async function listFar({ remembered, landmarks }: NonNullable<typeof far>, model: Model, query: ListQuery): Promise<Row[]> {
    return read(planList(planner, model, query), (on, planned) => {
      if (!mayRemember(planned)) return on.rows(planned)
      const rowsOf = (planned: Planned) => (query.shared ? remembered.rows(on, planned, query.seen) : on.rows(planned))
      return landmarks.page({ model, query, planned, turns: true }, rowsOf, (rows) => endsOf(rows, query))
    })
  }
  const list: Reads['list'] = (model, query) =>
    far?.landmarks.serves(model, query) ? listFar(far, model, query) : reads.list(model, query)
  writes(list, {
    page: (model, query, fields, most) =>
      read(planList(planner, model, query), (on, planned) => {
        const known = mayRemember(planned) ? far : null
        const pageOf = (planned: Planned) =>
          known && query.shared ? known.remembered.written(on, planned, query.seen, fields, most) : on.json(planned, fields, most)
        if (!known?.landmarks.serves(model, query)) return pageOf(planned)
        return known.landmarks.page({ model, query, planned, turns: query.limit <= most }, pageOf, (page) => endsOfWritten(page, query))
      }),
  })

  return {
    dialect: 'sqlite',
    ...reads,
    list,
    async indexes(model) {
      const table = planner.table(model)
      const until = performance.now() + patience
      return describe(planner, table, await whileBusy(() => indexesOf(connections.reader().driver, table.model.name), until, table))
    },
    async missingFullText(model, of) {
      const table = planner.table(model)
      return whileBusy(() => missingFts(connections.reader().driver, table, of), performance.now() + patience, table)
    },
    // Without a table, SQLite would not look at the file.
    async ping() {
      return whileBusy(() => connections.reader().exec('select 1 from sqlite_schema limit 1'), performance.now() + patience, null)
    },
    transaction: (work, { until = performance.now() + patience, trusted = false } = {}) => group.run(work, until, trusted),
    ...(!database.oneConnection && { oneWriter: true, version: () => changes.now(), tells: (model) => tells(planner.table(model)) }),
    close: () =>
      turns.run(async () => {
        await group.commit()
        connections.close()
      }, Number.POSITIVE_INFINITY),
  }
}

/** Whether it is an ordinary table: a view or a virtual table may show other rows although nothing was written. Null: unknown now. */
function isTable(connections: Connections, { model }: Mapped): boolean | null {
  return unlessBusy(() => {
    const text = "select type, sql from sqlite_schema where type in ('table', 'view') and name = ? collate nocase"
    const row = connections.reader().driver.prepare(text, false).one([model.name])
    // A table that does not exist yet is looked up again next time.
    return row === undefined ? null : row[0] === 'table' && !/^create\s+virtual/i.test(String(row[1]))
  })
}

function unlessBusy<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch (error) {
    if (isBusy(error)) return null
    throw failure(error, null)
  }
}
