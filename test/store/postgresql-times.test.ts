import { bigint, pgTable, timestamp } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { always, type Condition } from '../../src/resource/condition/condition.js'
import { modelOf } from '../../src/resource/model/model.js'
import { planList } from '../../src/store/sql/list.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import { Planner } from '../../src/store/sql/plan.js'
import { postgresqlDialect } from '../../src/store/sql/postgresql/dialect.js'
import type { Order, Store } from '../../src/store/store.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

// As most tables have them: with the microseconds of `now()`.
const events = pgTable('events', {
  id: bigint({ mode: 'number' }).primaryKey(),
  at: timestamp({ withTimezone: true }).notNull(),
  plain: timestamp(),
})
const model = modelOf(events)
const columns = ['id', 'at', 'plain']
const latest: readonly Order[] = [
  { column: 'at', direction: 'DESC' },
  { column: 'id', direction: 'DESC' },
]

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await openDatabase()
  // A hundred to a millisecond, and two to a microsecond.
  await database.query(`create table events (id bigint primary key, at timestamptz not null, plain timestamp);
    insert into events select i, '2026-01-01 00:00Z'::timestamptz + i / 2 * interval '20 microseconds', '2026-01-01'::timestamp + i / 2 * interval '20 microseconds' from generate_series(1, 20000) i;
    create index events_at on events (at, id); analyze events`)
  store = openSqlStore({ database: database.url })
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const at = new Date('2026-01-01T00:00:00.050Z')
const found = async (where: Condition) =>
  (await store.list(model, { columns: ['id'], where, order: [{ column: 'id', direction: 'ASC' }], limit: 30_000 })).map(
    ([id]) => id as number,
  )

test.each(['at', 'plain'])('%s: a time is all of its millisecond', async (column) => {
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  expect(await found({ op: 'eq', column, value: at })).toEqual(range(5000, 5099))
  expect(await found({ op: 'in', column, values: [at] })).toEqual(range(5000, 5099))
  expect(await found({ op: 'gte', column, value: at })).toEqual(range(5000, 20_000))
  expect(await found({ op: 'gt', column, value: at })).toEqual(range(5100, 20_000))
  expect(await found({ op: 'lt', column, value: at })).toEqual(range(1, 4999))
  expect(await found({ op: 'lte', column, value: at })).toEqual(range(1, 5099))
  expect(await found({ op: 'ne', column, value: at })).toHaveLength(19_900)
})

test.each(['at', 'plain'])('%s: a walk by position finds each row once, in the order of microseconds', async (column) => {
  const order: readonly Order[] = [
    { column, direction: 'DESC' },
    { column: 'id', direction: 'ASC' },
  ]
  const walked: number[] = []
  let position: { readonly side: 'after'; readonly values: readonly unknown[] } | undefined
  for (;;) {
    const rows = await store.list(model, { columns, where: always, order, limit: 777, ...(position && { position }) })
    walked.push(...rows.map(([id]) => id as number))
    const last = rows.at(-1)
    if (rows.length < 777 || !last) break
    position = { side: 'after', values: [last[columns.indexOf(column)], last[0]] }
  }
  const { rows } = await database.query(`select id::int from events order by ${column} desc, id`)
  expect(walked).toEqual(rows.map(({ id }) => id))
})

test('an index of the column serves order, range and position', async () => {
  const planner = new Planner(postgresqlDialect())
  const from: Condition = { op: 'lte', column: 'at', value: at }
  const position = { side: 'after' as const, values: [at, 5000] }
  for (const query of [{ where: always }, { where: from }, { where: always, position }]) {
    const { plan, values } = planList(planner, model, { columns, order: latest, limit: 25, ...query })
    let n = 0
    const literal = () => {
      const value = values[n++]
      return typeof value === 'number' ? String(value) : `'${String(value)}'`
    }
    const { rows } = await database.query(`explain ${plan.text.replace(/\$\d+/g, literal)}`)
    const steps = JSON.stringify(rows)
    expect(steps).toContain('events_at')
    expect(steps).not.toMatch(/Sort|Seq Scan/)
  }
})
