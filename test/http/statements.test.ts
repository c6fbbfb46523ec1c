import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, number, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const countries = sqliteTable('countries', { id: integer('id').primaryKey(), name: varchar('name').notNull() })
const cities = sqliteTable('cities', {
  id: integer('id').primaryKey(),
  name: varchar('name').notNull(),
  countryId: integer('country_id').references(() => countries.id),
  population: integer('population'),
})
const resources = [
  defineResource({ model: countries, fields: { id: id(), name: text() } }),
  defineResource({ model: cities, fields: { id: id(), name: text(), countryId: belongsTo(), population: number().sortable() } }),
  defineResource({
    model: cities,
    uriKey: 'summed',
    fields: { id: id(), name: text(), population: number() },
    filters: ['name'],
    summary: { population: ['sum', 'average'] },
  }),
  defineResource({ model: cities, uriKey: 'simple', fields: { id: id(), name: text() }, simplePaginate: true }),
]

const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
const file = join(folder, 'cities.db')
const db = new Sqlite(file)
db.exec(
  'CREATE TABLE countries (id INTEGER PRIMARY KEY, name TEXT NOT NULL); CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country_id INTEGER REFERENCES countries (id), population INTEGER)',
)
const statements: string[] = []
const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources, observe: (sql) => statements.push(sql) })

beforeEach(async () => {
  db.exec("DELETE FROM cities; DELETE FROM countries; INSERT INTO countries VALUES (1, 'Chile')")
  for (let i = 1; i <= 60; i++) db.prepare('INSERT INTO cities VALUES (?, ?, 1, ?)').run([i, `City ${i}`, i])
  // The connections open, and the statements are prepared, before anything is counted.
  await ask('GET', 'cities/crud')
  // Somebody else's change: what was read before is not known any more.
  db.exec("INSERT INTO countries VALUES (9, 'Kenya')")
  statements.length = 0
})

afterAll(async () => {
  await panel.close()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(
  method: string,
  path: string,
  { body, accept = 'application/json' }: { body?: object; accept?: string } = {},
): Promise<number> {
  const response = await panel.fetch(
    new Request(`http://localhost/admin/resource/${path}`, {
      method,
      headers: { accept, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  await response.text()
  return response.status
}

const verbsOf = (all: readonly string[]) => all.map(unpacked).map((sql) => (/count\(/i.test(sql) ? 'count' : verbOf(sql)))
const verbOf = (sql: string) => (/^\s*(\w+)/.exec(sql)?.[1] ?? '').toLowerCase()

// Where the driver is slow, pages are read as one text: as JSON at first, and to see what has changed.
const unpacked = (sql: string) => sql.replace(/^with daymark_(?:packed|written)\(.*?\) as \((.*)\) select cast\(.*$/s, '$1')

test.each<[what: string, ask: () => Promise<number>, status: number, statements: string[]]>([
  ['a listing', () => ask('GET', 'cities/crud'), 200, ['count', 'select']],
  ['a filtered, sorted, deep one', () => ask('GET', 'cities/crud?sort=-population&page=2'), 200, ['count', 'select']],
  ['one with its relations', () => ask('GET', 'cities/crud?include=country'), 200, ['count', 'select', 'select']],
  ['a page of a list that is not counted', () => ask('GET', 'simple/crud'), 200, ['select']],
  ['the same by number', () => ask('GET', 'simple/crud?page=2'), 200, ['select']],
  [
    'the index page, with the labels of its relation',
    () => ask('GET', 'cities/crud', { accept: 'text/html' }),
    200,
    ['count', 'select', 'select'],
  ],
  ['all of it as a file', () => ask('GET', 'cities/export'), 200, ['select', 'select']],
  ['a record', () => ask('GET', 'cities/crud/7'), 200, ['select']],
  ['a record that is not there', () => ask('GET', 'cities/crud/700'), 404, ['select']],
  ['a key that is none', () => ask('GET', 'cities/crud/x'), 404, []],
  ['a create', () => ask('POST', 'cities/crud', { body: { name: 'New' } }), 201, ['begin', 'insert', 'select', 'commit']],
  [
    'a create with a relation',
    () => ask('POST', 'cities/crud', { body: { name: 'New', countryId: 1 } }),
    201,
    ['begin', 'select', 'insert', 'select', 'commit'],
  ],
  ['an update', () => ask('PUT', 'cities/crud/7', { body: { name: 'Other' } }), 200, ['begin', 'select', 'update', 'select', 'commit']],
  ['an update that changes nothing', () => ask('PUT', 'cities/crud/7', { body: { name: 'City 7' } }), 200, ['begin', 'select', 'commit']],
  ['a body that is refused before anything is asked', () => ask('POST', 'cities/crud', { body: { name: 7 } }), 422, []],
  ['a delete', () => ask('DELETE', 'cities/crud/7'), 200, ['begin', 'select', 'delete', 'commit']],
  [
    'a mass delete of fifty',
    () => ask('DELETE', 'cities/crud', { body: { ids: Array.from({ length: 50 }, (_, i) => i + 1) } }),
    200,
    ['begin', 'select', 'delete', 'commit'],
  ],
  ['a mass delete that is refused', () => ask('DELETE', 'cities/crud', { body: { ids: [1, 700] } }), 404, ['begin', 'select', 'rollback']],
])('%s', async (_what, run, status, expected) => {
  expect(await run()).toBe(status)
  expect(verbsOf(statements)).toEqual(expected)
})

/** The statements of a page that was asked for twice before a change. */
async function askedAfter(path: string, change: () => unknown): Promise<readonly string[]> {
  const page = () => ask('GET', path)
  await page()
  await page()
  await change()
  statements.length = 0
  await page()
  return [...statements]
}

test('a page asked for twice is not read again until somebody changes something, whoever it is', async () => {
  const asked = async (change: () => unknown) => verbsOf(await askedAfter('cities/crud?sort=population&page=2', change))
  expect(await asked(() => {})).toEqual([])
  expect(await asked(() => db.exec("INSERT INTO countries VALUES (2, 'Peru')"))).toEqual(['count', 'select'])
  // Of what the panel has written itself it knows where it was: no row has come or gone here.
  expect(await asked(() => ask('PUT', 'cities/crud/7', { body: { name: 'Other' } }))).toEqual(['select'])
  expect(await asked(() => ask('PUT', 'countries/crud/1', { body: { name: 'Elsewhere' } }))).toEqual([])
  expect(await asked(() => ask('GET', 'cities/crud?sort=population'))).toEqual([])
})

test('a filtered count and numbers over all records stay known while no update sets a column that they ask', async () => {
  const asked = async (change: () => unknown) => {
    const all = await askedAfter('summed/crud?filter[name]=City 7&summary=1', change)
    return all.map((sql) => /(sum|avg|count)\("cities"|count\(\*\) from "cities"/.exec(sql)?.[0] ?? 'rows')
  }
  const numbers = ['sum("cities"', 'avg("cities"']
  expect(await asked(() => {})).toEqual([])
  expect(await asked(() => ask('PUT', 'cities/crud/7', { body: { countryId: null } }))).toEqual(['rows'])
  expect(await asked(() => ask('PUT', 'cities/crud/7', { body: { population: 8 } }))).toEqual(['rows', ...numbers])
  expect(await asked(() => ask('PUT', 'cities/crud/8', { body: { name: 'City 7' } }))).toEqual([
    'count(*) from "cities"',
    'rows',
    ...numbers,
  ])
  expect(await asked(() => db.exec("INSERT INTO countries VALUES (2, 'Peru')"))).toEqual(['count(*) from "cities"', 'rows', ...numbers])
})
