import { openSqlStore } from 'daymark'
import {
  bigint,
  boolean,
  char,
  date,
  doublePrecision,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  real,
  smallint,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { always } from '../../src/resource/condition/condition.js'
import { modelOf } from '../../src/resource/model/model.js'
import { readingFrom } from '../../src/store/replica.js'
import type { SqlStore } from '../../src/store/sql/sql-store.js'
import type { ListQuery } from '../../src/store/store.js'
import { type WrittenField, writerOf } from '../../src/store/written.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

const mood = pgEnum('mood', ['calm', 'wi"ld'])
const kinds = {
  words: text(),
  short: varchar({ length: 20 }),
  padded: char({ length: 4 }),
  mood: mood(),
  uid: uuid(),
  whole: integer(),
  small: smallint(),
  large: bigint({ mode: 'number' }),
  single: real(),
  double: doublePrecision(),
  flag: boolean(),
  at: timestamp({ withTimezone: true }),
  local: timestamp(),
  milli: timestamp({ withTimezone: true, precision: 3 }),
  day: date(),
}
const things = pgTable('things', { id: integer().primaryKey(), ...kinds })
const others = pgTable('others', { id: integer().primaryKey(), exact: numeric(), beyond: bigint({ mode: 'bigint' }), data: jsonb() })
const [model, otherModel] = [modelOf(things), modelOf(others)]

let database: TestDatabase
let admin: pg.Client
let store: SqlStore
const seen: string[] = []

beforeAll(async () => {
  database = await openDatabase()
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`create type mood as enum ('calm', 'wi"ld');
    create table things (id integer primary key, words text, short varchar(20), padded char(4), mood mood, uid uuid, whole integer, small smallint, large bigint,
      single real, double double precision, flag boolean, at timestamptz, local timestamp, milli timestamptz(3), day date);
    create table others (id integer primary key, exact numeric, beyond bigint, data jsonb)`)
  store = openSqlStore({ database: database.url, observe: (sql) => seen.push(sql) })
})
afterAll(async () => {
  await store.close()
  await admin.end()
  await database.drop()
})

const asked = (columns: readonly string[], more: Partial<ListQuery> = {}): ListQuery => ({
  columns,
  where: always,
  order: [{ column: 'id', direction: 'ASC' }],
  limit: 5000,
  ...more,
})

const fieldsOf = (columns: readonly string[]): readonly WrittenField[] => columns.map((name, at) => ({ name, at }))

async function written(query: ListQuery, fields = fieldsOf(query.columns), most = query.limit) {
  const page = await writerOf(store)?.page(model, query, fields, most)
  return page ? { text: String(page.records), count: page.count } : null
}

async function stringified(query: ListQuery, fields = fieldsOf(query.columns)) {
  const rows = await store.list(model, query)
  const records = rows.map((row) => Object.fromEntries(fields.map(({ name, at }) => [name, row[at]])))
  return { text: JSON.stringify(records).slice(1, -1), count: rows.length }
}

async function fill(rows: readonly Readonly<Record<string, unknown>>[]) {
  await admin.query('truncate things')
  for (const [i, row] of rows.entries()) {
    const names = Object.keys(row)
    const marks = names.map((_, at) => `$${at + 2}`)
    await admin.query(`insert into things (${['id', ...names]}) values (${['$1', ...marks]})`, [i + 1, ...Object.values(row)])
  }
}

const sign = fc.constantFrom(
  '\\',
  '"',
  '/',
  '\n',
  '\r',
  '\t',
  '\b',
  '\f',
  '\u0001',
  '\u001f',
  '\u007f',
  '\u2028',
  '😀',
  'ä',
  'a',
  "'",
  '{',
  ',',
)
const words = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(sign, { maxLength: 12 }).map((signs) => signs.join('')),
)
const stored = words.map((one) => one.toWellFormed().replaceAll('\0', ''))
const time = fc
  .tuple(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), fc.integer({ min: 0, max: 999 }))
  .map(([at, micros]) => new Date(at).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`))
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15, minExcluded: true, maxExcluded: true }),
  fc.integer({ min: -1e9, max: 1e9 }).map((digits) => digits / 1000),
)
const some = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 6 })
const row = fc.record({
  words: some(stored),
  short: some(stored.map((one) => [...one].slice(0, 10).join(''))),
  padded: some(fc.constantFrom('', 'a', 'ab"', 'abcd')),
  mood: some(fc.constantFrom('calm', 'wi"ld')),
  uid: some(fc.uuid()),
  whole: some(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  small: some(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })),
  large: some(fc.maxSafeInteger()),
  single: some(fc.integer({ min: -99_999_900, max: 99_999_900 }).map((digits) => digits / 100)),
  double: some(double.filter((one) => one === 0 || Math.abs(one) >= 1e-4)),
  flag: some(fc.boolean()),
  at: some(time),
  local: some(time),
  // PostgreSQL rounds to milliseconds: what is later is of the year 10000.
  milli: some(time.filter((one) => one < '9999-12-31T23:59:59.9995')),
  day: some(time.map((one) => one.slice(0, 10))),
})

test('what its columns are for is written as `JSON.stringify` writes it', async () => {
  const columns = ['id', ...Object.keys(kinds)]
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const fields = fieldsOf(columns)
      await fill(rows)
      expect(await written(asked(columns), fields)).toEqual(await stringified(asked(columns), fields))
    }),
    { numRuns: 60 },
  )
})

test('a thousand doubles, whatever their digits', async () => {
  const numbers = fc.sample(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15, maxExcluded: true, minExcluded: true }),
    1000,
  )
  await fill(
    [...numbers, -0, 0, 0.1, 5, 1e14, 123456789012345.6].filter((one) => one === 0 || Math.abs(one) >= 1e-4).map((double) => ({ double })),
  )
  const page = await written(asked(['id', 'double']))
  expect(page).not.toBeNull()
  expect(page).toEqual(await stringified(asked(['id', 'double'])))
})

test.each<[string, Record<string, unknown>]>([
  ['NaN', { double: 'NaN' }],
  ['infinity', { single: '-Infinity' }],
  ['a double with an exponent', { double: 1e-5 }],
  ['a large one', { double: 1e15 }],
  ['a large one of single precision', { single: 1_234_567 }],
  ['an integer beyond 2^53', { large: '9007199254740993' }],
  ['a time that never ends', { at: 'infinity' }],
  ['a time before the year 1', { local: '0001-12-31 00:00:00 BC' }],
  ['a day that never comes', { day: 'infinity' }],
  ['a day before the year 1', { day: '0001-12-31 BC' }],
  ['one after 9999', { milli: '10000-01-01T00:00:00Z' }],
  ['one that is rounded to after 9999', { milli: '9999-12-31T23:59:59.9995Z' }],
])('%s is not written, nor is the list tried again', async (_what, values) => {
  await fill([values])
  const columns = ['id', ...Object.keys(values)]
  const fields = fieldsOf(columns)
  expect(await written(asked(columns), fields)).toBeNull()
  seen.length = 0
  expect(await written(asked(columns), fields)).toBeNull()
  expect(seen).toEqual([])
  expect(await store.list(model, asked(columns))).toHaveLength(1)
})

test('pages from either end, with one record too many, and their ends', async () => {
  await fill(Array.from({ length: 9 }, (_, i) => ({ whole: i * 10 })))
  const columns = ['id', 'whole']
  const fields = fieldsOf(columns)
  const page = async (more: Partial<ListQuery>, most = 3) => {
    const found = await writerOf(store)?.page(model, asked(columns, { limit: 4, ...more }), fields, most)
    const keys = (JSON.parse(`[${found?.records}]`) as { id: number }[]).map(({ id }) => id)
    return { keys, more: found?.more, ends: found?.ends() }
  }
  const after = { values: [3], side: 'after' } as const
  expect(await page({ position: after })).toEqual({
    keys: [4, 5, 6],
    more: true,
    ends: [
      [4, 30],
      [6, 50],
    ],
  })
  expect(await page({ position: { ...after, side: 'before' } })).toEqual({
    keys: [1, 2],
    more: false,
    ends: [
      [1, 0],
      [2, 10],
    ],
  })
  expect(await page({ position: { values: [8], side: 'before' } })).toEqual({
    keys: [5, 6, 7],
    more: true,
    ends: [
      [5, 40],
      [7, 60],
    ],
  })
  expect((await page({ limit: 3, offset: 1, fromEnd: true })).keys).toEqual([6, 7, 8])
  expect(await page({ position: { values: [9], side: 'after' } })).toEqual({ keys: [], more: false, ends: null })
})

test('a cursor of times needs rows: JSON has no microseconds', async () => {
  await fill([{ at: '2026-01-01T00:00:00.123456Z' }])
  const columns = ['id', 'at']
  const order = [
    { column: 'at', direction: 'ASC' },
    { column: 'id', direction: 'ASC' },
  ] as const
  expect(await written(asked(columns, { order, limit: 4 }), fieldsOf(columns), 3)).toBeNull()
  expect(await written(asked(columns, { order, limit: 3 }))).toEqual({ text: '{"id":1,"at":"2026-01-01T00:00:00.123Z"}', count: 1 })
})

test.each([
  ['text', 'numeric', '1.50'],
  ['text', 'jsonb', '{"a":1}'],
  ['text', 'timestamptz', '2026-01-02 03:04:05Z'],
  ['text', 'point', '(1,2)'],
  ['double', 'numeric', '1.50'],
  ['double', 'real', '1.5'],
  ['whole', 'numeric', '7.0'],
  ['whole', 'bigint', '9007199254740993'],
  ['zoned', 'timestamp', '2026-01-02 03:04:05'],
  ['local', 'timestamptz', '2026-01-02 03:04:05Z'],
  ['zoned', 'date', '2026-01-02'],
  ['mood', 'text', 'calm'],
] as const)('a column that is declared as %s, and is of the type %s, is read as rows', async (declared, type, value) => {
  const columns = {
    text: text('n'),
    double: doublePrecision('n'),
    whole: integer('n'),
    zoned: timestamp('n', { withTimezone: true }),
    local: timestamp('n'),
    mood: mood('n'),
  }
  await admin.query(
    `drop table if exists odd; create table odd (id integer primary key, n ${type}); insert into odd values (1, '${value}')`,
  )
  const odd = modelOf(pgTable('odd', { id: integer().primaryKey(), n: columns[declared] }))
  expect(await writerOf(store)?.page(odd, asked(['id', 'n']), fieldsOf(['id', 'n']), 5)).toBeNull()
})

test('an enum that the application can cast to json is a text all the same', async () => {
  await admin.query(`create function as_json(mood) returns json language sql immutable as $$ select json_build_object('v', $1::text) $$;
    create cast (mood as json) with function as_json(mood)`)
  await fill([{ mood: 'wi"ld' }])
  expect(await written(asked(['id', 'mood']))).toEqual({ text: String.raw`{"id":1,"mood":"wi\"ld"}`, count: 1 })
  await admin.query('drop cast (mood as json); drop function as_json(mood)')
})

test('a session that writes fewer digits gets its exponents as digits', async () => {
  await fill([{ double: 1e14 }, { double: 0.125 }])
  const own = openSqlStore({ database: `${database.url}?options=-c%20extra_float_digits%3D-5` })
  const query = asked(['id', 'double'])
  expect(await writerOf(own)?.page(model, query, fieldsOf(query.columns), 5)).toBeNull()
  expect(await own.list(model, query)).toEqual([
    [1, 1e14],
    [2, 0.125],
  ])
  await own.close()
})

test('what fails for a moment is tried again after a minute', async () => {
  await fill([{ words: 'a' }])
  const [query, fields] = [asked(['id', 'words']), fieldsOf(['id', 'words'])]
  await admin.query('alter table things rename column words to other')
  expect(await written(query, fields)).toBeNull()
  await admin.query('alter table things rename column other to words')
  expect(await written(query, fields)).toBeNull()
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001)
  expect(await written(query, fields)).toEqual({ text: '{"id":1,"words":"a"}', count: 1 })
  later.mockRestore()
})

test('names are written as they are, but for those that PostgreSQL would cut', async () => {
  await fill([{ words: 'a' }])
  const named = (names: readonly string[]) => names.map((name) => ({ name, at: 1 }))
  const odd = named(['it\'s "quoted"', 'ä\n', '$1', 'x'.repeat(63)])
  expect(await written(asked(['id', 'words']), odd)).toEqual(await stringified(asked(['id', 'words']), odd))
  expect(await written(asked(['id', 'words']), named(['x'.repeat(64)]))).toBeNull()
})

test.each(['exact', 'beyond', 'data'])('a column of the type of %s is never written', async (column) => {
  const page = await writerOf(store)?.page(otherModel, asked(['id', column]), fieldsOf(['id', column]), 5)
  expect(page).toBeNull()
})

test('an application that reads texts in its own way gets its rows', async () => {
  await fill([{ words: 'a' }])
  const pool = new pg.Pool({
    connectionString: database.url,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === 25 ? (text: string) => `${text}!` : pg.types.getTypeParser(oid, format as 'text'),
    },
  })
  const own = openSqlStore({ database: { $client: pool } })
  expect(await writerOf(own)?.page(model, asked(['id', 'words']), fieldsOf(['id', 'words']), 5)).toBeNull()
  expect(await own.list(model, asked(['id', 'words']))).toEqual([[1, 'a!']])
  await own.close()
  await pool.end()
})

test('a replica writes pages, too', async () => {
  await fill([{ words: 'a' }])
  const both = readingFrom(store, store)
  const page = await writerOf(both)?.page(model, asked(['id', 'words']), fieldsOf(['id', 'words']), 5)
  expect(String(page?.records)).toBe('{"id":1,"words":"a"}')
})
