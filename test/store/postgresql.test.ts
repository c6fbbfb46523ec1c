import { setTimeout as sleep } from 'node:timers/promises'
import { type DaymarkError, openSqlStore } from 'daymark'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { StoredInstant } from '../../src/field/instant.js'
import { always } from '../../src/resource/condition/condition.js'
import { modelOf } from '../../src/resource/model/model.js'
import type { SqlStore } from '../../src/store/sql/sql-store.js'
import type { ListQuery, Position } from '../../src/store/store.js'
import { type Server, startServer } from '../support/postgresql.js'
import { empty, models, schema } from '../support/postgresql-contract.js'

const { places, regions } = models
let server: Server
let admin: pg.Pool
let store: SqlStore
const seen: string[] = []

beforeAll(async () => {
  server = await startServer()
  admin = new pg.Pool({ connectionString: server.url, max: 2 })
  admin.on('error', () => {})
  await admin.query(schema)
  store = openSqlStore({ database: server.url, observe: (text) => seen.push(text) })
})
beforeEach(async () => {
  await admin.query(empty)
  seen.length = 0
})
afterAll(async () => {
  await store.close()
  await admin.end()
  await server.remove()
})

const create = (name: string, more: object = {}) => store.transaction((tx) => tx.create(places, { name, ...more }))
const connections = async () => {
  const { rows } = await admin.query(
    "select state from pg_stat_activity where datname = 'postgres' and application_name = 'daymark' order by state",
  )
  return rows.map((row) => row.state)
}

test('a connection that breaks in the moment in which it is handed out ends no process', async () => {
  const pool = new pg.Pool({ connectionString: server.url })
  const over = openSqlStore({ database: drizzle(pool) })
  const listening: number[] = []
  // The pool has let go of it, and whoever asked for it has not got it yet.
  pool.on('acquire', (client) => process.nextTick(() => listening.push(client.listenerCount('error'))))
  await Promise.all([over.count(regions, always), over.count(regions, always)])
  expect(listening).toHaveLength(2)
  expect(Math.min(...listening)).toBeGreaterThan(0)
  await over.close()
  expect(pool.listenerCount('connect')).toBe(0)
  await pool.end()
})

test('observe gets every statement, BEGIN and COMMIT too; values are never part of them', async () => {
  await create('Oslo')
  await create('Oslo', { id: 1 }).catch(() => {})
  const begin = expect.stringMatching(/^begin isolation level read committed; set local lock_timeout = \d+$/)
  expect(seen).toEqual([begin, expect.stringMatching(/^insert into/), 'commit', begin, expect.stringMatching(/^insert into/), 'rollback'])
  expect(seen.join()).not.toContain('Oslo')
})

test('what a transaction reads by key, it locks; a key alone, a list and a count lock nothing', async () => {
  await create('x')
  await store.transaction(async (tx) => {
    await tx.find(places, 1, ['id'])
    await tx.count(places, always)
    expect(seen.join()).not.toContain('for no key update')
    await tx.find(places, 1, ['name'])
    await tx.findMany(places, [1], ['name'])
  })
  expect(seen.filter((text) => text.endsWith('order by "contract_places"."id" for no key update'))).toHaveLength(2)
})

test('of 20 that read a number and write the next, none is lost', async () => {
  await create('x', { people: 0 })
  const next = () =>
    store.transaction(async (tx) => {
      const [people] = (await tx.find(places, 1, ['people'])) as [number]
      await sleep(1)
      await tx.update(places, 1, { people: people + 1 })
    })
  await Promise.all(Array.from({ length: 20 }, next))
  expect(await store.find(places, 1, ['people'])).toEqual([20])
})

test('of two who wait for each other, one is rolled back and done again', async () => {
  await create('a', { id: 1, people: 0 })
  await create('b', { id: 2, people: 0 })
  let runs = 0
  let holding = 0
  let bothHold = () => {}
  const held = new Promise<void>((resolve) => {
    bothHold = resolve
  })
  const both = (first: number, second: number) =>
    store.transaction(async (tx) => {
      runs++
      await tx.update(places, first, { people: runs })
      if (++holding === 2) bothHold()
      await held
      await tx.update(places, second, { people: runs })
    })
  await Promise.all([both(1, 2), both(2, 1)])
  expect(runs).toBe(3)
})

test('what PostgreSQL could not serialise is done again; where that does not help, it is a 503 with Retry-After', async () => {
  await create('x', { people: 0 })
  await admin.query(`create sequence tries; create function refuse() returns trigger language plpgsql as
    $$ begin if nextval('tries') < 4 then raise exception 'no' using errcode = '40001'; end if; return new; end $$;
    create trigger refuse before update on contract_places for each row execute function refuse()`)
  try {
    let runs = 0
    const write = (until: number) =>
      store.transaction(
        (tx) => {
          runs++
          // What the work makes of the refusal does not matter.
          return tx.update(places, 1, { people: 1 }).catch(() => Promise.reject(new Error('mine')))
        },
        { until: performance.now() + until },
      )
    await write(60_000)
    expect(runs).toBe(4)
    expect(await store.find(places, 1, ['people'])).toEqual([1])
    await admin.query('alter sequence tries restart increment by -1 maxvalue 3 minvalue -1000 start 3')
    await expect(write(200)).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '1' } })
    expect(runs).toBeGreaterThan(5)
  } finally {
    await admin.query('drop trigger refuse on contract_places; drop function refuse; drop sequence tries')
  }
})

test('a read that could not be serialised is done again, too', async () => {
  await create('x')
  await admin.query(`create sequence reads; create function reading() returns integer language plpgsql volatile as
    $$ begin if nextval('reads') < 4 then raise exception 'no' using errcode = '40001'; end if; return 7; end $$;
    create view moods as select id, reading() as mood from contract_places`)
  try {
    const moods = modelOf(pgTable('moods', { id: integer().primaryKey(), mood: integer() }))
    expect(await store.find(moods, 1, ['mood'])).toEqual([7])
    expect((await admin.query('select last_value::int as n from reads')).rows).toEqual([{ n: 4 }])
  } finally {
    await admin.query('drop view moods; drop function reading; drop sequence reads')
  }
})

test('a row that somebody else holds is waited for until the end of the wait, and is a 503 then', async () => {
  await create('x')
  const holder = await admin.connect()
  await holder.query('begin; update contract_places set people = 1')
  const late = store.transaction((tx) => tx.update(places, 1, { people: 2 }), { until: performance.now() + 100 })
  await expect(late).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '1' } })
  await holder.query('rollback')
  holder.release()
})

test('however many wait for one row, a read finds a connection, and none of them is lost', async () => {
  await create('x', { people: 0 })
  const holder = await admin.connect()
  await holder.query('begin; update contract_places set people = 1')
  const add = (by: number) =>
    store.transaction(async (tx) => {
      const [people] = (await tx.find(places, 1, ['people'])) as [number]
      await tx.update(places, 1, { people: people + by })
    })
  const waiting = Array.from({ length: 20 }, () => add(1))
  await vi.waitUntil(async () => ((await admin.query("select from pg_stat_activity where wait_event_type = 'Lock'")).rowCount ?? 0) >= 8)
  expect(await Promise.all([store.find(places, 1, ['people']), store.find(places, 1, ['name'])])).toEqual([[0], ['x']])
  await holder.query('commit')
  holder.release()
  await Promise.all(waiting)
  expect(await store.find(places, 1, ['people'])).toEqual([21])
})

test('who has waited too long for a place among those who write has left it to the next', async () => {
  await create('x', { people: 0 })
  const pool = new pg.Pool({ connectionString: server.url, max: 2 })
  const small = openSqlStore({ database: drizzle(pool) })
  const holder = await admin.connect()
  await holder.query('begin; update contract_places set people = 1')
  const set = (people: number, until: number) =>
    small.transaction((tx) => tx.update(places, 1, { people }), { until: performance.now() + until })
  const first = set(2, 60_000)
  const late = set(3, 50)
  const next = set(4, 60_000)
  await expect(late).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '1' } })
  expect(await small.find(places, 1, ['people'])).toEqual([0])
  await holder.query('commit')
  holder.release()
  await Promise.all([first, next])
  expect(await small.find(places, 1, ['people'])).toEqual([4])
  await small.close()
  expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([2, 2, 0])
  await pool.end()
})

test('where all connections are lent, who waits too long gets a 503, and nothing is lost', async () => {
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  const small = openSqlStore({ database: drizzle(pool) })
  let end = () => {}
  let held = Promise.resolve()
  await new Promise<void>((begun) => {
    held = small.transaction(() => {
      begun()
      return new Promise<void>((resolve) => (end = resolve))
    })
  })
  await expect(small.transaction(async () => 1, { until: performance.now() + 50 })).rejects.toMatchObject({ code: 'unavailable' })
  end()
  await held
  expect(await small.count(places, always)).toBe(0)
  await small.close()
  expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0])
  await expect(small.count(places, always)).rejects.toMatchObject({ code: 'unavailable' })
  expect((await pool.query('select 1')).rowCount).toBe(1) // the application's own pool stays open
  await pool.end()
})

test('no connection stays lent, whatever went wrong', async () => {
  const wrong = [
    create('x', { regionId: 99 }),
    create('x', { name: null }),
    create('x', { people: 'y' }),
    store.transaction(async () => Promise.reject(new Error('no'))),
    store.transaction((tx) => tx.execute('nonsense')),
    store.transaction(async (tx) => tx.create(regions, { name: 'x' }).then(() => tx.create(regions, { name: 'x' }))),
    store.transaction(() => store.transaction(async () => 1)),
    ...Array.from({ length: 30 }, (_, index) => store.count(places, { op: 'eq', column: 'people', value: index })),
  ]
  await Promise.allSettled(wrong)
  const states = await connections()
  expect(states.length).toBeLessThanOrEqual(10)
  expect(new Set(states)).toEqual(new Set(['idle']))
})

test('no message names a table, a path or SQL', async () => {
  const wrong = [
    store.transaction((tx) => tx.execute('select * from secrets')),
    create('x', { regionId: 99 }),
    openSqlStore({ database: server.url.replace(':test@', ':wrong@') }).count(places, always),
    openSqlStore({ database: server.url.replace(/\d+\/postgres$/, '1/postgres') }).count(places, always),
  ]
  const errors: DaymarkError[] = await Promise.all(
    wrong.map((one) =>
      one.then(
        () => expect.fail(),
        (error) => error,
      ),
    ),
  )
  expect(errors.map(({ code, message }) => [code, message])).toEqual([
    ['internal', 'The database could not do this'],
    ['conflict', 'A record that this one refers to is missing, or others still refer to this one'],
    ['unavailable', 'The database cannot be reached'],
    ['unavailable', 'The database cannot be reached'],
  ])
})

test('a server that is gone is a 503 with Retry-After; when it is back, everything works again', async () => {
  await create('kept')
  const held = store.transaction(async (tx) => {
    await tx.update(places, 1, { name: 'lost' })
    await server.stop()
    await tx.update(places, 1, { name: 'lost too' })
  })
  const away = { code: 'unavailable', headers: { 'retry-after': '5' } }
  await expect(held).rejects.toMatchObject(away)
  await expect(store.count(places, always)).rejects.toMatchObject(away)
  await expect(create('x')).rejects.toMatchObject(away)
  await server.start()
  expect(await store.find(places, 1, ['name'])).toEqual(['kept'])
  await create('more')
  expect(await store.count(places, always)).toBe(2)
})

test('takes a key of the database, the casing of a Drizzle database, a schema, and SQL that the table states', async () => {
  await admin.query(`create schema if not exists other; drop table if exists other.people;
    create table other.people (id serial primary key, first_name varchar(5) not null unique, made text, made_at timestamptz default now())`)
  const people = pgTable('people', {
    id: serial().primaryKey(),
    firstName: text().notNull().unique(),
    made: text().default(sql`upper('made')`),
    madeAt: timestamp({ withTimezone: true }).defaultNow(),
  })
  const pool = new pg.Pool({ connectionString: server.url, options: '-c search_path=other' })
  const own = openSqlStore({ database: drizzle(pool, { casing: 'snake_case' }) })
  const model = modelOf(people)
  expect(await own.transaction((tx) => tx.create(model, { firstName: 'Ada' }))).toBe(1)
  const [firstName, made, madeAt] = (await own.find(model, 1, ['firstName', 'made', 'madeAt'])) as [string, string, Date]
  expect([firstName, made]).toEqual(['Ada', 'MADE'])
  // The column has microseconds, what is read has not, and still they are the same moment.
  expect(await own.count(model, { op: 'eq', column: 'madeAt', value: madeAt })).toBe(1)
  const again = own.transaction((tx) => tx.create(model, { firstName: 'Ada' }))
  await expect(again).rejects.toMatchObject({ code: 'conflict', errors: new Map([['firstName', ['Already taken']]]) })
  await own.close()
  await pool.end()
})

test('rounds no integer', async () => {
  await admin.query("insert into contract_places (id, name, people) values (1, 'a', 9007199254740993), (2, 'b', -5)")
  expect(await store.findMany(places, [1, 2], ['people'])).toEqual(expect.arrayContaining([[9007199254740993n], [-5]]))
})

test('a time that JavaScript has not is none, and stays where it stands', async () => {
  const stored = [
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '0001-01-01 00:00:00+00',
    '0099-12-31 23:59:59.999+00',
    '1880-01-01 00:00:00+00',
    '9999-12-31 23:59:59.999+00',
    '12000-01-01 00:00:00+00',
    'infinity',
  ]
  for (const [i, text] of stored.entries())
    await admin.query('insert into contract_places (id, name, seen_at) values ($1, $2, $3)', [i + 1, 'a', text])
  const list = (position?: Position) =>
    store.list(places, {
      columns: ['id', 'seenAt'],
      where: always,
      order: [
        { column: 'seenAt', direction: 'ASC' },
        { column: 'id', direction: 'ASC' },
      ],
      limit: 1,
      ...(position && { position }),
    })
  const found: unknown[] = []
  for (let [row] = await list(); row; [row] = await list({ side: 'after', values: [row[1], row[0]] })) {
    const time = row[1] as Date
    found.push(time instanceof StoredInstant ? time.stored : time.toISOString())
  }
  expect(found).toEqual([
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '0001-01-01T00:00:00.000Z',
    '0099-12-31T23:59:59.999Z',
    '1880-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '12000-01-01 00:00:00+00',
    'infinity',
  ])
  await expect(store.transaction((tx) => tx.create(places, { name: 'b', seenAt: new StoredInstant('infinity') }))).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('positions, orders and keys are found by an index, and nothing is sorted', async () => {
  await admin.query(`drop table if exists towns; create table towns (id integer primary key, people integer not null, score integer);
    insert into towns select i, i % 1000, nullif(i % 100, 0) from generate_series(1, 50000) i;
    create index towns_people on towns (people, id); create index towns_score on towns (score, id); analyze towns`)
  const towns = modelOf(pgTable('towns', { id: integer().primaryKey(), people: integer().notNull(), score: integer() }))
  const planOf = async (query: Partial<ListQuery>) => {
    await store.list(towns, { columns: ['id'], where: always, order: [], limit: 25, ...query })
    const marks = new Set((seen.at(-1) as string).match(/\$\d+/g)).size
    const client = await admin.connect()
    await client.query(`set plan_cache_mode = force_generic_plan; prepare one as ${seen.at(-1)}`)
    const { rows } = await client.query(`explain execute one (${Array(marks).fill(5)})`)
    client.release(true)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const by = (column: string, direction: 'ASC' | 'DESC') => [
    { column, direction },
    { column: 'id', direction },
  ]
  const after = (...values: unknown[]) => ({ position: { side: 'after' as const, values } })
  for (const [query, index] of [
    [{ order: by('people', 'ASC') }, 'towns_people'],
    [{ order: by('people', 'DESC') }, 'towns_people'],
    [{ order: by('people', 'ASC'), ...after(5, 5) }, 'towns_people'],
    [{ order: by('people', 'DESC'), ...after(5, 5) }, 'towns_people'],
    [{ order: by('people', 'ASC'), position: { side: 'before', values: [5, 5] } }, 'towns_people'],
    [{ order: by('score', 'ASC') }, 'towns_score'],
    [{ order: by('score', 'ASC'), fromEnd: true }, 'towns_score'],
  ] satisfies [Partial<ListQuery>, string][]) {
    const plan = await planOf(query)
    expect(plan).toContain(`using ${index}`)
    expect(plan).not.toContain('Sort')
    if ('position' in query) expect(plan).toContain('Index Cond: (ROW(people, id)')
  }
})
