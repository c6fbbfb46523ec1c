import { belongsTo, date, dateTime, definePanel, defineResource, id, number, switcher } from 'daymark'
import { blob, integer, numeric, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  day: text(),
  n: integer(),
  weight: real(),
  price: numeric(),
  big: blob({ mode: 'bigint' }),
  at: integer({ mode: 'timestamp' }),
  on: integer({ mode: 'timestamp_ms' }),
  open: integer({ mode: 'boolean' }),
  ownerId: integer('owner_id'),
})
const fields = {
  id: id(),
  day: date('Day').min('2020-01-01').max('2029-12-31'),
  n: number('N').min(5).max(9),
  weight: number('Weight').min(5).max(9),
  price: number('Price').min(5).max(9),
  big: number('Big').min(5).max(9),
  at: dateTime('At'),
  on: dateTime('On'),
  open: switcher('Open'),
  ownerId: belongsTo('Owner', things),
}
const computed = { twice: { label: 'Twice N', needs: ['n'], value: ({ n }: { n: number | null }) => 2 * (n ?? 0) } } as const
const Things = defineResource({ model: things, fields, computed, filters: Object.keys(fields) as (keyof typeof fields)[] })
const db = new Libsql(':memory:')
db.exec(
  "create table things (id integer primary key, day text, n integer, weight real, price numeric, big blob, at integer, [on] integer, open integer, owner_id integer); insert into things (id, day, n, weight, price, big) values (1, '2019-05-05', 1, 1, 1, cast('1' as blob))",
)
const panelIn = (locale: string) => testPanel(definePanel({ auth: 'open', database: { $client: db }, locale, resources: [Things] }))
const [app, german] = [panelIn('en'), panelIn('de')]
const path = '/admin/resource/things/crud'

test('a whole number beyond 64 bits is said to be one', async () => {
  const answer = await app.post(path, { big: '9223372036854775808' })
  expect([answer.status, answer.json()]).toMatchObject([422, { errors: { big: ['Big has more digits than the column can hold'] } }])
})

test.each(['day]=2019-05-05', 'day][to]=2019-12-31', 'n]=1', 'weight][lt]=2', 'price]=1', 'price][lte]=1', 'big]=1', 'big][lt]=3'])(
  'a filter finds what a form refuses today: %s',
  async (filter) => expect((await app.get(`${path}?filter[${filter}`)).json()).toMatchObject({ data: [{ id: 1 }] }),
)

test.each(['day]=2019-02-30', 'day]=never', 'price]=one', 'big]=9223372036854775808'])(
  'what is no value at all is refused: %s',
  async (filter) => expect((await app.get(`${path}?filter[${filter}`)).status).toBe(422),
)

test('a filter says of such a number what a write says', async () => {
  const digits = '0.1234567890123456789012345678901234567890'
  const said = async (from: typeof app) => (await from.get(`${path}?filter[price]=${digits}`)).json()
  expect(await said(app)).toMatchObject({ errors: { 'filter[price]': ['Price has more digits than the column can hold'] } })
  expect(await said(german)).toMatchObject({ errors: { 'filter[price]': ['Price hat mehr Stellen, als die Spalte fasst'] } })
})

test('the controls of filters have no bounds, and those of forms have', async () => {
  expect((await app.html.get(path)).text).not.toMatch(/type="date"[^>]*(min|max)="20/)
  expect((await app.html.get('/admin/resource/things/form-page')).text).toMatch(/type="date"[^>]* min="2020-01-01" max="2029-12-31"/)
})

test.each<[values: Record<string, unknown>, english: string, inGerman: string]>([
  [{ day: '2019-12-31' }, 'Day must not be before 2020-01-01', 'Day darf nicht vor dem 2020-01-01 liegen'],
  [{ day: '2030-01-01' }, 'Day must not be after 2029-12-31', 'Day darf nicht nach dem 2029-12-31 liegen'],
  [{ price: '4.99' }, 'Price must be at least 5', 'Price muss mindestens 5 sein'],
  [{ big: '10' }, 'Big must be at most 9', 'Big darf höchstens 9 sein'],
  [{ n: 4 }, 'N must be at least 5', 'N muss mindestens 5 sein'],
])('the bound is said: %j', async (values, english, inGerman) => {
  const [key] = Object.keys(values) as [string]
  expect((await app.post(path, values)).json()).toMatchObject({ errors: { [key]: [english] } })
  expect((await german.post(path, values)).json()).toMatchObject({ errors: { [key]: [inGerman] } })
})

test('what is no day is only that', async () =>
  expect((await app.post(path, { day: '0nonsense' })).json()).toMatchObject({ errors: { day: ['Day must be a date: YYYY-MM-DD'] } }))

test.each<[values: Record<string, unknown>, english: string]>([
  [{ price: 'x' }, 'Price must be a number'],
  [{ price: 5 }, 'Price must be a number, sent as a string'],
  [{ big: '1.5' }, 'Big must be a whole number'],
  [{ at: '2026-01-01T00:00:00.5Z' }, 'At is stored to the second: remove the fraction'],
  [{ on: '2026-01-01T00:00:00.0005Z' }, 'On is stored to the millisecond: remove the finer digits'],
  [{ at: 'now' }, 'At must be a date and time: 2026-11-21T17:30:00Z'],
])('what a value should have been is said: %j', async (values, english) => {
  const [key] = Object.keys(values) as [string]
  expect((await app.post(path, values)).json()).toMatchObject({ errors: { [key]: [english] } })
})

test.each<[filter: string, english: string]>([
  ['n]=abc', 'N must be a whole number'],
  ['n][]=1&filter[n][]=abc', 'N must be a whole number'],
  ['n]=9007199254740993', 'N must be at most 9007199254740991'],
  ['weight]=abc', 'Weight must be a number'],
  ['price][gt]=abc', 'Price must be a number'],
  ['big]=abc', 'Big must be a whole number'],
  ['day]=2026-1-1', 'Day must be a date: YYYY-MM-DD'],
  ['open]=yes', 'Open must be true or false'],
  ['n][null]=yes', 'N must be true or false'],
  ['at][from]=yesterday', 'At must be a date and time: 2026-11-21T17:30:00Z'],
  ['at]=2026-01-01T00:00:00.5Z', 'At is stored to the second: remove the fraction'],
  ['ownerId]=abc', 'Owner is not a record key'],
  ['id]=abc', 'ID must be a whole number'],
])('and of a filter, too: %s', async (filter, english) => {
  const answer = await app.get(`${path}?filter[${filter}`)
  expect(answer.status).toBe(422)
  expect(Object.values((answer.json() as { errors: object }).errors)).toEqual([[english]])
})

test('a parameter that nothing takes is named', async () => {
  const answer = await app.get(`${path}/1?colour=red`)
  expect(answer.json()).toMatchObject({ errors: { colour: [expect.stringContaining('"colour"')] } })
  expect((await app.post(`${path}?colour=red`, {})).json()).toMatchObject({
    errors: { colour: ['Unknown parameter "colour": no parameters are taken here'] },
  })
})

test('a computed value that is sent is refused by its label, of a new record and of one that is there', async () => {
  const errors = { twice: ['Twice N cannot be changed'] }
  expect((await app.post(path, { twice: 7 })).json()).toMatchObject({ errors })
  expect((await app.patch(`${path}/1`, { twice: 7 })).json()).toMatchObject({ errors })
})
