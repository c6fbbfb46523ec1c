import {
  bigint,
  char,
  date,
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
import { integer as sqliteInteger, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { modelOf } from '../../../resource/model/model.js'
import { Planner } from '../plan.js'
import { postgresqlDialect } from './dialect.js'

const mood = pgEnum('mood', ['calm', 'wild'])
const model = modelOf(
  pgTable('things', {
    id: integer().primaryKey(),
    small: smallint(),
    big: bigint({ mode: 'number' }),
    single: real(),
    price: numeric({ precision: 5, scale: 2 }),
    whole: numeric({ precision: 3, mode: 'bigint' }),
    code: varchar({ length: 3 }),
    letters: char({ length: 2 }),
    token: uuid(),
    mood: mood(),
    day: date(),
    dayOf: date({ mode: 'date' }),
    at: timestamp({ withTimezone: true }),
    atSecond: timestamp({ precision: 0 }),
    data: jsonb(),
    note: text(),
  }),
)
const table = new Planner(postgresqlDialect()).table(model)
const invalid = (key: string) => expect.objectContaining({ code: 'invalid', errors: new Map([[key, expect.anything()]]) })

test.each<[key: string, value: unknown]>([
  ['id', 2 ** 31],
  ['small', -32_769],
  ['single', 1e39],
  ['single', 1e-60],
  ['price', '1234.5'],
  ['price', '1.234'],
  ['whole', 1234n],
  ['code', 'abcd'],
  ['letters', 'abc'],
  ['token', 'nope'],
  ['token', '{0198c0de-0000-7000-8000-000000000000}'],
  ['mood', 'Calm'],
  ['day', '2026-02-30'],
  ['day', 'tomorrow'],
  ['day', '0000-01-01'],
  ['dayOf', new Date('+010000-01-01T00:00:00Z')],
  ['at', new Date('0000-12-31T00:00:00Z')],
  ['data', { 'a\0': 1 }],
  ['data', ['\ud800']],
  ['note', 'a\0b'],
])('%s = %o is refused by name before the database sees it', (key, value) => {
  expect(() => table.column(key).store(value)).toThrow(invalid(key))
})

test.each<[key: string, value: unknown, stored: unknown]>([
  ['big', 2 ** 53 - 1, 2 ** 53 - 1],
  ['single', 0.1, 0.1],
  ['price', '0999.50', '0999.50'],
  ['price', '-123.450', '-123.450'],
  ['whole', -999n, '-999'],
  ['code', '😀😀😀', '😀😀😀'],
  ['token', '0198C0DE-0000-7000-8000-000000000000', '0198C0DE-0000-7000-8000-000000000000'],
  ['mood', 'wild', 'wild'],
  ['day', '2024-02-29', '2024-02-29'],
  ['at', new Date(-1), '1969-12-31T23:59:59.999Z'],
  ['data', { a: ['b'] }, '{"a":["b"]}'],
])('%s = %o is stored', (key, value, stored) => {
  expect(table.column(key).store(value)).toEqual(stored)
})

test('a decimal of any length is checked in no time', () => {
  const started = process.cpuUsage()
  const noughts = '0'.repeat(150_000)
  expect(() => table.column('price').store(`1.${noughts}1`)).toThrow(invalid('price'))
  expect(table.column('price').store(`1.50${noughts}`)).toBe(`1.50${noughts}`)
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
})

test('what is compared may be longer than what is stored', () => {
  expect(table.column('code').equal('abcd')).toBe('abcd')
  expect(table.column('price').compare('1234.567', 'gt')).toBe('1234.567')
  expect(() => table.column('mood').equal('Calm')).toThrow(invalid('mood'))
})

test('integers beyond 2^53 are read as bigints', () => {
  const read = table.column('big').decode as (value: unknown) => unknown
  expect(['5', '9007199254740993', '-9223372036854775808'].map(read)).toEqual([5, 9007199254740993n, -9223372036854775808n])
})

test('only a moment with more digits than a Date has is cut where it is to be that very one, and never in an order', () => {
  const { write } = postgresqlDialect()
  const [fine, whole] = [table.column('at'), table.column('atSecond')]
  expect([fine, whole].map((one) => write(one.equatable).sql)).toEqual([`date_trunc('milliseconds', "things"."at")`, '"things"."atSecond"'])
  expect([fine, whole].map((one) => write(one.sortable).sql)).toEqual(['"things"."at"', '"things"."atSecond"'])
  const at = new Date('2026-01-01T00:00:00.123Z')
  const signs = ['gt', 'gte', 'lt', 'lte'] as const
  expect(signs.map((by) => fine.compare(at, by))).toEqual([
    '2026-01-01T00:00:00.123999Z',
    '2026-01-01T00:00:00.123Z',
    '2026-01-01T00:00:00.123Z',
    '2026-01-01T00:00:00.123999Z',
  ])
  expect(new Set(signs.map((by) => whole.compare(at, by)))).toEqual(new Set(['2026-01-01T00:00:00.123Z']))
})

test('a moment between two milliseconds keeps its place', () => {
  const { decode, place } = table.column('at')
  const read = (text: string) => decode?.(text) as Date
  expect(read('2026-01-01 00:00:00.123456+00').toISOString()).toBe('2026-01-01T00:00:00.123Z')
  expect(place(read('2026-01-01 00:00:00.123456+00'))).toBe('2026-01-01 00:00:00.123456+00')
  expect(place(read('2026-01-01 00:00:00.123+00'))).toBe('2026-01-01T00:00:00.123Z')
})

test('a table of another database is refused', () => {
  const other = modelOf(sqliteTable('other', { id: sqliteInteger().primaryKey() }))
  expect(() => new Planner(postgresqlDialect()).table(other)).toThrow('pgTable')
})

test('a real column of four bytes takes what it reads back, and nothing that it would round', () => {
  const { store, equal } = table.column('single')
  for (const value of [0, -0, 0.1, 891.7, -1e-30, 16_777_216, 3.4028235e38, 1e-45, 1234567.8]) expect(store(value)).toBe(value)
  for (const value of [16_777_217, 0.123456789, 52.5200066, 1234567.75, Math.PI]) expect(() => store(value)).toThrow(invalid('single'))
  expect(equal(16_777_217)).toBe(16_777_217)
})
