import { date, definePanel, defineResource, id, number } from 'daymark'
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
})
const fields = {
  id: id(),
  day: date('Day').min('2020-01-01').max('2029-12-31'),
  n: number('N').min(5).max(9),
  weight: number('Weight').min(5).max(9),
  price: number('Price').min(5).max(9),
  big: number('Big').min(5).max(9),
}
const Things = defineResource({ model: things, fields, filters: ['day', 'n', 'weight', 'price', 'big'] })
const db = new Libsql(':memory:')
db.exec(
  "create table things (id integer primary key, day text, n integer, weight real, price numeric, big blob); insert into things values (1, '2019-05-05', 1, 1, 1, cast('1' as blob))",
)
const panelIn = (locale: string) => testPanel(definePanel({ auth: 'open', database: { $client: db }, locale, resources: [Things] }))
const [app, german] = [panelIn('en'), panelIn('de')]
const path = '/admin/resource/things/crud'

test.each(['day]=2019-05-05', 'day][to]=2019-12-31', 'n]=1', 'weight][lt]=2', 'price]=1', 'price][lte]=1', 'big]=1', 'big][lt]=3'])(
  'a filter finds what a form refuses today: %s',
  async (filter) => expect((await app.get(`${path}?filter[${filter}`)).json()).toMatchObject({ data: [{ id: 1 }] }),
)

test.each(['day]=2019-02-30', 'day]=never', 'price]=one', 'big]=9223372036854775808'])(
  'what is no value at all is refused: %s',
  async (filter) => expect((await app.get(`${path}?filter[${filter}`)).status).toBe(422),
)

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
