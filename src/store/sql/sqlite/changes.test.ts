import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import Libsql from 'libsql'
import { afterAll, expect, test } from 'vitest'
import { always, type Condition } from '../../../resource/condition/condition.js'
import { type Model, modelOf } from '../../../resource/model/model.js'
import type { Store, Values } from '../../store.js'
import { openSqlStore } from '../open.js'
import { databaseOfDrizzle } from './database.js'
import { reachOf } from './reach.js'

const folder = mkdtempSync(join(tmpdir(), 'daymark-changes-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const schema = `
  create table towns (id integer primary key, name text unique);
  create table houses (id integer primary key, town integer references towns (id) on delete cascade, name text);
  create table rooms (id integer primary key, house integer references houses (id) on delete set null, name text);
  create table notes (id integer primary key, name text);
  create table log (id integer primary key, name text);
  create table swaps (id integer primary key, name text unique on conflict replace);
  create table alone (id integer primary key, name text);
  create table pairs (id integer primary key, name text, Second text);
  create table grown (id integer primary key, name text, Second text generated always as (name || '!'));
  create table kin (id integer primary key, name text unique, Second text references kin (name) on update cascade);
  create trigger noted after insert on notes begin insert into log (name) values (new.name); end;
  insert into towns values (1, 'a'), (2, 'b'), (3, 'c');
  insert into houses values (1, 1, 'x'), (2, 2, 'y');
  insert into rooms values (1, 1, 'r'), (2, 2, 's');
  insert into swaps values (1, 'p'), (2, 'q');
  insert into alone values (1, 'one');
  insert into pairs values (1, 'a', 'a'), (2, 'x', 'x');
  insert into grown (id, name) values (1, 'a'), (2, 'x');
  insert into kin values (1, 'a', 'a'), (2, 'x', 'a')`

const named = (name: string) => modelOf(sqliteTable(name, { id: integer().primaryKey(), name: text() }))
// Includes the same table by another spelling, and with other columns.
const models = {
  ...Object.fromEntries(['towns', 'notes', 'log', 'swaps', 'alone'].map((name) => [name, named(name)])),
  TOWNS: named('TOWNS'),
}
const houses = modelOf(
  sqliteTable('houses', {
    id: integer().primaryKey(),
    town: integer().references(() => sqliteTable('towns', { id: integer() }).id),
    name: text(),
  }),
)
const rooms = modelOf(sqliteTable('rooms', { id: integer().primaryKey(), house: integer(), name: text() }))
// The database compares the names of columns case-insensitively, too. It generates the second one of `grown`, which nobody has declared.
const paired = (name: string, second: string) =>
  modelOf(sqliteTable(name, { id: integer().primaryKey(), name: text(), second: text(second) }))
const seconds = {
  pairs: paired('pairs', 'second'),
  PAIRS: paired('PAIRS', 'SECOND'),
  grown: paired('grown', 'second'),
  kin: paired('kin', 'second'),
}
const all: Readonly<Record<string, Model>> = { ...models, ...seconds, houses, rooms }

function opened() {
  const file = join(folder, `${++files}.db`)
  const other = new Libsql(file)
  other.exec(`pragma journal_mode = wal; pragma foreign_keys = on; ${schema}`)
  const statements: string[] = []
  const store = openSqlStore({ database: { $client: new Libsql(file) }, observe: (sql) => statements.push(sql) })
  return { store, other, statements, close: () => store.close().then(() => other.close()) }
}

const wheres: readonly (readonly [where: Condition, sql: string])[] = [
  [always, 'true'],
  [{ op: 'lte', column: 'id', value: 2 }, 'id <= 2'],
  [{ op: 'in', column: 'name', values: ['a', 'x'] }, "name in ('a', 'x')"],
]
const second: Condition = { op: 'eq', column: 'second', value: 'a' }
const secondWheres: typeof wheres = [
  ...wheres,
  [second, "second = 'a'"],
  [{ op: 'startsWith', column: 'second', text: 'X' }, "second like 'x%'"],
  [
    { op: 'not', of: { op: 'or', all: [second, { op: 'search', columns: ['name', 'second'], words: ['z'] }] } },
    "not coalesce((second = 'a' or name like '%z%' or second like '%z%'), 1 = 0)",
  ],
]
const wheresOf = (name: string) => (name in seconds ? secondWheres : wheres)

async function readAll(store: Store): Promise<unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, model] of Object.entries(all)) {
    const columns = [...model.columns.keys()]
    for (const [where, sql] of wheresOf(name)) {
      const list = { columns, where, order: [{ column: 'id', direction: 'ASC' }], limit: 100, shared: true } as const
      const by = [{ column: name in seconds ? 'second' : 'name' }]
      const groups = await store.aggregate(model, { of: 'count', column: null, where, by, order: 'group', limit: 100, shared: true })
      const named = groups.map(({ by: [value], value: count }) => [value, count])
      found[`${name} ${sql}`] = [await store.list(model, list), await store.count(model, where), named]
    }
  }
  return JSON.parse(JSON.stringify(found))
}

function readApart(other: Libsql.Database): unknown {
  const found: Record<string, unknown> = {}
  for (const [name, model] of Object.entries(all)) {
    for (const [, sql] of wheresOf(name)) {
      const rows = other
        .prepare(`select ${[...model.columns.keys()].join()} from ${name} where ${sql} order by id`)
        .raw()
        .all() as unknown[]
      const by = name in seconds ? 'second' : 'name'
      const groups = other.prepare(`select ${by}, count(*) from ${name} where ${sql} group by 1 order by 1 nulls last`).raw().all()
      found[`${name} ${sql}`] = [rows, rows.length, groups]
    }
  }
  return JSON.parse(JSON.stringify(found))
}

interface Step {
  readonly kind: 'create' | 'update' | 'second' | 'both' | 'delete' | 'deleteMany'
  readonly model: string
  readonly id: number
  readonly name: string
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'update', 'second', 'both', 'delete', 'deleteMany'),
  model: fc.constantFrom(...Object.keys(all)),
  id: fc.integer({ min: 1, max: 4 }),
  name: fc.constantFrom('a', 'p', 'x', 'z'),
})
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ own: fc.array(step, { minLength: 1, maxLength: 3 }), refused: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ elsewhere: step }) },
  {
    weight: 1,
    arbitrary: fc.record({
      schema: fc.constantFrom(
        'create trigger if not exists grown after update on alone begin update towns set name = new.name || id where id = 1; end',
        'drop trigger if exists grown',
        'alter table alone add column more text',
      ),
    }),
  },
)

/** Several steps at once share a transaction. */
async function write(store: Store, steps: readonly Step[], refused: boolean): Promise<void> {
  const one = (some: readonly Step[]) =>
    store.transaction(async (tx) => {
      for (const { kind, model: name, id, name: value } of some) {
        const model = all[name] as Model
        const setsSecond = name in seconds && (kind === 'second' || kind === 'both')
        const values: Values = { ...(!(setsSecond && kind === 'second') && { name: value }), ...(setsSecond && { second: value }) }
        if (kind === 'create')
          await tx.create(model, { ...values, ...(name === 'houses' && { town: id }), ...(name === 'rooms' && { house: id }) })
        else if (kind === 'delete') await tx.delete(model, id)
        else if (kind === 'deleteMany') await tx.deleteMany(model, [id, id + 1])
        else await tx.update(model, id, values)
      }
      if (refused) throw new Error('Refused')
    })
  await Promise.allSettled([one(steps), ...(steps.length > 1 ? steps.map((step) => one([step])) : [])])
}

function writeElsewhere(other: Libsql.Database, { kind, model, id, name }: Step): void {
  try {
    if (kind === 'create') other.prepare(`insert into ${model} (name) values (?)`).run(name)
    else if (kind === 'delete' || kind === 'deleteMany') other.prepare(`delete from ${model} where id = ?`).run(id)
    else other.prepare(`update ${model} set name = ? where id = ?`).run(name, id)
  } catch {
    // The name exists already.
  }
}

test('whatever is written, by whomever, nothing is read that is not so any more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
      const { store, other, close } = opened()
      try {
        // From the second read on, the rows come from the cache.
        for (let i = 0; i < 3; i++) expect(await readAll(store)).toEqual(readApart(other))
        for (const one of moves) {
          if ('own' in one) await write(store, one.own, one.refused)
          else if ('elsewhere' in one) writeElsewhere(other, one.elsewhere)
          else tryTo(() => other.exec(one.schema))
          expect(await readAll(store)).toEqual(readApart(other))
          expect(await readAll(store)).toEqual(readApart(other))
        }
      } finally {
        await close()
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 60) },
  )
}, 120_000)

function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // The schema is in that state already.
  }
}

const namedA: Condition = { op: 'eq', column: 'name', value: 'a' }
const townsOf = (values: readonly number[]): Condition => ({
  op: 'among',
  column: 'town',
  of: all.towns as Model,
  values: 'id',
  where: { op: 'in', column: 'id', values },
})

const secondA: Condition = { op: 'eq', column: 'second', value: 'a!' }
const { pairs, PAIRS, grown, kin } = seconds
// SQLite's own names of the key, declared as columns.
const aliased = modelOf(sqliteTable('pairs', { id: integer('id').primaryKey(), oid: integer('OID') }))
const keyless = modelOf(sqliteTable('pairs', { id: integer('id').notNull(), name: text('name').notNull().unique() }), 'name')

// A count depends on the columns that its condition asks, and on which rows there are.
test.each<[what: string, of: Model, where: Condition, written: Model, values: Values, counts: [number, number], asked: number]>([
  ['another column', pairs, namedA, pairs, { second: 'q' }, [1, 1], 0],
  ['another column, by other names', pairs, namedA, PAIRS, { second: 'q' }, [1, 1], 0],
  ['its column', pairs, second, pairs, { second: 'q' }, [1, 0], 1],
  ['its column, by other names', PAIRS, second, pairs, { second: 'q' }, [1, 0], 1],
  ['one of its columns', pairs, { op: 'or', all: [namedA, { op: 'not', of: second }] }, pairs, { name: 'q' }, [2, 1], 1],
  ['a column that it searches', pairs, { op: 'search', columns: ['name', 'second'], words: ['a'] }, pairs, { second: 'q' }, [1, 1], 1],
  ['its key', pairs, { op: 'lte', column: 'id', value: 2 }, pairs, { id: 9 }, [2, 1], 1],
  ['the key that another condition does not ask', pairs, namedA, pairs, { id: 9 }, [1, 1], 0],
  ['the rowid by another name', pairs, { op: 'lte', column: 'id', value: 2 }, aliased, { oid: 9 }, [2, 1], 1],
  ['the key, where it asks the rowid by another name', aliased, { op: 'lte', column: 'oid', value: 2 }, keyless, { id: 9 }, [2, 1], 1],
  ['a column that the database generates another from', grown, secondA, grown, { name: 'q' }, [1, 0], 1],
  ['a column that a foreign key follows', kin, second, kin, { name: 'q' }, [2, 0], 1],
  ['a column, where it compares with another table', houses, townsOf([1, 2]), houses, { name: 'q' }, [2, 2], 1],
])('what a count depends on: whether it is counted again once an update sets %s', async (_, of, where, written, values, counts, asked) => {
  const { store, statements, close } = opened()
  try {
    // Open the writing connection.
    await store.transaction((tx) => tx.update(all.alone as Model, 1, { name: 'two' }))
    for (let i = 0; i < 3; i++) expect(await store.count(of, where)).toBe(counts[0])
    await store.transaction((tx) => tx.update(written, written === keyless ? 'a' : 1, values))
    statements.length = 0
    expect(await store.count(of, where)).toBe(counts[1])
    expect(statements.length).toBe(asked)
  } finally {
    await close()
  }
})

const list = { columns: ['id', 'name'], where: always, order: [{ column: 'id', direction: 'ASC' }], limit: 10, shared: true } as const

/** The statements that a list of a table and its count need after a write. */
async function askedAfter(written: (store: Store, other: Libsql.Database) => unknown, of: Model): Promise<string[]> {
  const { store, other, statements, close } = opened()
  const read = async () => [await store.list(of, list), await store.count(of, always)]
  try {
    // Open the writing connection.
    await store.transaction((tx) => tx.update(all.alone as Model, 1, { name: 'two' }))
    for (let i = 0; i < 3; i++) await read()
    await written(store, other)
    statements.length = 0
    await read()
    return statements.map((sql) => (sql.startsWith('select count(') ? 'count' : 'list'))
  } finally {
    await close()
  }
}

const { towns, notes, log, swaps, alone } = models as unknown as Record<'towns' | 'notes' | 'log' | 'swaps' | 'alone', Model>
const by = (work: Parameters<Store['transaction']>[0]) => (store: Store) => store.transaction(work).catch(() => {})

test.each<[what: string, written: (store: Store, other: Libsql.Database) => unknown, of: Model, asked: string[]]>([
  ['nothing', () => {}, towns, []],
  ['another table', by((tx) => tx.create(alone, { name: 'x' })), towns, []],
  ['its values', by((tx) => tx.update(towns, 1, { name: 'x' })), towns, ['list']],
  ['its values, by another name', by((tx) => tx.update(all.TOWNS as Model, 1, { name: 'x' })), towns, ['list']],
  ['its rows', by((tx) => tx.create(towns, { name: 'x' })), towns, ['list', 'count']],
  ['rows that a foreign key takes away', by((tx) => tx.delete(towns, 1)), houses, ['list', 'count']],
  ['values that a foreign key changes, two keys away', by((tx) => tx.delete(towns, 1)), rooms, ['list', 'count']],
  ['the end of a foreign key', by((tx) => tx.delete(houses, 1)), towns, []],
  ['a table with a trigger', by((tx) => tx.create(notes, { name: 'x' })), log, ['list', 'count']],
  ['a table with a trigger, which may do anything', by((tx) => tx.delete(notes, 1)), towns, ['list', 'count']],
  ['a table in which a row takes the place of another', by((tx) => tx.update(swaps, 1, { name: 'q' })), swaps, ['list', 'count']],
  ['what is taken back', by((tx) => tx.create(towns, { name: 'x' }).then(() => Promise.reject(new Error('No')))), towns, []],
  ['what is refused', by((tx) => tx.create(towns, { name: 'a' })), towns, []],
  ['no row', by((tx) => tx.find(towns, 1, ['name'])), towns, []],
  ['another table, by somebody else', (_, other) => other.exec("insert into alone (name) values ('x')"), towns, ['list', 'count']],
  [
    'another table, which was given a trigger meanwhile',
    async (store, other) => {
      other.exec("create trigger t after insert on alone begin insert into towns (name) values ('t'); end")
      await store.count(towns, always)
      await store.list(towns, list)
      await store.transaction((tx) => tx.create(alone, { name: 'x' }))
    },
    towns,
    ['list', 'count'],
  ],
])('what is asked again once somebody has written: %s', async (_, written, of, asked) => {
  expect(await askedAfter(written, of)).toEqual(asked)
})

test('a statement of the house, of which nobody knows what it does, may have changed anything', async () => {
  const { store, statements, close } = opened()
  try {
    for (let i = 0; i < 3; i++) await store.count(towns, always)
    await (store as ReturnType<typeof openSqlStore>).transaction((tx) => tx.execute("insert into towns (name) values ('x')"))
    statements.length = 0
    expect(await store.count(towns, always)).toBe(4)
  } finally {
    await close()
  }
})

test('a table that has become a view shows what is written to others', async () => {
  const { store, other, close } = opened()
  try {
    const read = async () => [await store.list(alone, list), await store.count(alone, always)]
    await store.transaction((tx) => tx.update(towns, 1, { name: 'a' }))
    for (let i = 0; i < 3; i++) await read()
    other.exec('drop table alone; create view alone as select id, name from towns')
    for (let i = 0; i < 3; i++) expect((await read())[1]).toBe(3)
    await store.transaction((tx) => tx.create(towns, { name: 'new' }))
    expect(await read()).toEqual([
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'new'],
      ],
      4,
    ])
  } finally {
    await close()
  }
})

test('a change of the schema that is taken back was none', async () => {
  const { store, other, close } = opened()
  try {
    const read = async () => [await store.list(log, list), await store.count(log, always)]
    await store.transaction((tx) => tx.update(alone, 1, { name: 'two' }))
    for (let i = 0; i < 3; i++) await read()
    other.exec("insert into alone (name) values ('x')")
    await read()
    await store.transaction((tx) => tx.update(alone, 1, { name: 'three' }))
    const taken = (store as ReturnType<typeof openSqlStore>).transaction(async (tx) => {
      await tx.execute('drop trigger noted')
      // The schema is looked up now.
      await read()
      throw new Error('Taken back')
    })
    await expect(taken).rejects.toThrow('Taken back')
    for (let i = 0; i < 3; i++) await read()
    await store.transaction((tx) => tx.create(notes, { name: 'n' }))
    expect(await read()).toEqual([[[1, 'n']], 1])
  } finally {
    await close()
  }
})

test('what a write reaches is read once, also where that may be anything', async () => {
  const asked: string[] = []
  class Noting extends Libsql {
    override prepare(sql: string): never {
      if (sql.includes("type = 'trigger'")) asked.push(sql)
      return super.prepare(sql) as never
    }
  }
  const file = join(folder, `${++files}.db`)
  const client = new Noting(file)
  client.exec(`pragma journal_mode = wal; ${schema}`)
  const store = openSqlStore({ database: { $client: client } })
  try {
    for (let i = 0; i < 5; i++) {
      await store.transaction((tx) => tx.create(notes, { name: 'n' }))
      expect(await store.count(log, always)).toBe(i + 1)
    }
    expect(asked.length).toBe(1)
  } finally {
    await store.close()
    client.close()
  }
})

test('what a write reaches', () => {
  const db = new Libsql(':memory:')
  db.exec(schema)
  db.exec('create view seen as select * from towns; create virtual table words using fts5 (word)')
  db.exec('create trigger r after delete on rooms begin delete from log; end')
  const driver = databaseOfDrizzle({ $client: db }).connect()
  const reach = reachOf(driver)
  const itself = (name: string, more = false) => ({ tables: [name], more })
  expect(Object.fromEntries([...reach].filter(([name]) => !name.startsWith('words')))).toEqual({
    towns: null,
    houses: null,
    rooms: null,
    notes: null,
    log: itself('log'),
    swaps: null,
    alone: itself('alone'),
    pairs: itself('pairs'),
    grown: itself('grown', true),
    kin: itself('kin', true),
  })
  expect(reach.get('words')).toBeNull()
  db.exec('create table "Ärzte" (id integer unique on conflict replace); create table "ärzte" (id integer)')
  expect([reachOf(driver).get('Ärzte'), reachOf(driver).get('ärzte')]).toEqual([null, itself('ärzte')])
  db.exec(`create table hens (id integer primary key, egg integer references eggs (id) on delete set null);
    create table eggs (id integer primary key, hen integer references hens (id) on update cascade)`)
  expect(reachOf(driver).get('eggs')).toEqual({ tables: ['eggs', 'hens'], more: true })
  db.exec('create temp trigger passing after insert on alone begin delete from log; end')
  expect(reachOf(driver).get('alone')).toBeNull()
  db.exec('drop trigger r')
  expect(reachOf(driver).get('towns')).toEqual({ tables: ['towns', 'houses', 'rooms'], more: false })
  expect(
    reachOf({
      ...driver,
      prepare: () => {
        throw new Error('No such function')
      },
    }),
  ).toEqual(new Map())
  db.close()
})

test('counts that were asked with thousands of keys take the room of rows, so that few of them are kept', async () => {
  const { store, statements, close } = opened()
  try {
    const asked = async (keys: number): Promise<number> => {
      const all = Array.from({ length: 300 }, (_, first): Condition => {
        return { op: 'in', column: 'id', values: Array.from({ length: keys }, (_, i) => 1 + first + i) }
      })
      const read = async () => {
        for (const where of all) await store.count(towns, where)
      }
      await read()
      statements.length = 0
      await read()
      return statements.length
    }
    expect(await asked(10)).toBe(0)
    expect(await asked(5_000)).toBe(300)
  } finally {
    await close()
  }
})
