import type { Model } from '../../../resource/model/model.js'
import { setEnding } from '../../ending.js'
import { Inside } from '../../inside.js'
import { patience } from '../../queue.js'
import type { ListQuery, Waiting } from '../../store.js'
import { writes } from '../../written.js'
import { planCount } from '../count.js'
import { describe, written } from '../indexes.js'
import { planList } from '../list.js'
import { Planner } from '../plan.js'
import { readsOf } from '../reads.js'
import type { SqlStore } from '../sql-store.js'
import type { Counted } from '../tally-codec.js'
import type { Watch } from '../watch.js'
import { whilePassing } from './again.js'
import type { Connection } from './connection.js'
import { Connections } from './connections.js'
import type { Database } from './database.js'
import { postgresqlDialect } from './dialect.js'
import { missingTsvector } from './full-text.js'
import { indexesOf } from './indexes.js'
import { Loose } from './loose.js'
import { Plain } from './plain.js'
import { type Work, within } from './transaction.js'

/** Reads use any connection; a transaction has one to itself. */
export function postgresqlStore(database: Database, watch: Watch | undefined, counted?: Counted): SqlStore {
  const loose = new Loose()
  const planner = new Planner(postgresqlDialect(database.dialect, loose), counted)
  const connections = new Connections(database, watch)
  const inside = new Inside()
  // A standby, or a distributed database, may ask to retry reads, too.
  const read = <T>(work: (connection: Connection) => Promise<T>) => {
    const until = performance.now() + patience
    return whilePassing(() => connections.lend(work, until), until)
  }
  const plain = new Plain(planner, (work) => inside.leave(() => read(work)))

  const transaction = async <T>(fn: Work<T>, { until = performance.now() + patience, trusted = false }: Waiting = {}) => {
    inside.refuse()
    const means = { planner, plain, until }
    const once = () => connections.lend((on) => (trusted ? within(on, means, fn) : inside.run(() => within(on, means, fn))), until, true)
    return learning(() => whilePassing(once, until))
  }
  const learning = <T>(work: () => Promise<T>) => loose.whileLearning(planner, (ask) => inside.leave(() => read(ask)), work)
  const reads = readsOf(planner, {
    rows: (planned) => read((on) => on.rows(planned)),
    row: (planned) => read((on) => on.row(planned)),
    run: (planned) => read((on) => on.run(planned)),
  })

  const store: SqlStore = {
    dialect: 'postgresql',
    list: (...asked) => learning(() => reads.list(...asked)),
    count: (...asked) => learning(() => reads.count(...asked)),
    aggregate: (...asked) => learning(() => reads.aggregate(...asked)),
    find: (...asked) => learning(() => reads.find(...asked)),
    findMany: (...asked) => learning(() => reads.findMany(...asked)),
    async indexes(model) {
      const table = planner.table(model)
      return describe(planner, table, await read((on) => indexesOf(on, written(planner, table))))
    },
    async missingFullText(model, of) {
      return read((on) => missingTsvector(on, planner, planner.table(model), of))
    },
    transaction: (fn, waiting) => transaction(fn, waiting),
    ping: () => read((on) => on.exec('select 1')),
    close: () => connections.close(),
  }
  // A cursor of times needs the microseconds that JSON has not.
  const isFine = (model: Model, column: string) => planner.table(model).column(column).column.drizzle.columnType === 'PgTimestamp'
  const hasEnds = (model: Model, { order }: ListQuery) => order.every(({ column, along }) => !along && !isFine(model, column))
  writes(store.list, {
    async page(model, query, fields, most) {
      if (query.limit > most && !hasEnds(model, query)) return null
      return learning(() => read(async (on) => on.json(planList(planner, model, query), fields, most, query.limit)))
    },
    // Asked for at once, both leave in one packet.
    counted: (model, query, fields, most, cap) =>
      learning(() =>
        read(async (on) => {
          const page = on.json(planList(planner, model, query), fields, most, query.limit)
          if (page === null) return null
          const total = on.rows(planCount(planner, model, query.where, cap))
          // The connection is returned when both are there, even if one has failed.
          await Promise.allSettled([page, total])
          const [written, [row = []]] = [await page, await total]
          return written && { page: written, total: Number(row[0]) }
        }),
      ),
  })
  setEnding(store, transaction)
  return store
}
