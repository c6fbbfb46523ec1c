import { belongsTo, definePanel, defineResource, id, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, describe, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const countries = sqliteTable('countries', { id: integer().primaryKey(), name: varchar().notNull() })
const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  countryId: integer('country_id').references(() => countries.id),
  code: varchar(),
  secret: varchar(),
})
const stops = sqliteTable('stops', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  cityId: integer('city_id').references(() => cities.id),
})

const db = new Libsql(':memory:')
db.exec(`create table countries (id integer primary key, name text not null);
  create table cities (id integer primary key, name text not null, country_id integer references countries, code text, secret text);
  create table stops (id integer primary key, name text not null, city_id integer references cities);
  insert into countries values (1, 'France'), (2, 'United States');
  insert into cities values (10, 'Paris', 1, 'PAR', 'x'), (11, 'Paris', 2, 'PRX', 'x'), (12, 'Paris', 2, 'PRX', 'x'), (13, 'Parisot', 1, 'PST', 'x'),
    (14, 'Lyon', 1, 'LYP paris', 'x'), (15, 'Nice', null, null, 'paris')`)
afterAll(() => db.close())

const signsIn = (countriesToo: boolean) => {
  const Countries = defineResource({ model: countries, ...(!countriesToo && { can: { viewAny: () => false } }) })
  const Cities = defineResource({
    model: cities,
    fields: {
      id: id(),
      name: text('Name').searchable(),
      countryId: belongsTo(),
      code: text('Code').searchable(),
      secret: text('Secret'),
    },
    pages: { index: ['name', 'countryId', 'code'] },
  })
  const Stops = defineResource({ model: stops, fields: { id: id(), name: text('Name'), cityId: belongsTo() }, filters: ['cityId'] })
  return testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Countries, Cities, Stops] }))
}

describe('choices of the same label', () => {
  const app = signsIn(true)
  test('are told apart by what their list says next, and by their key where that is the same', async () => {
    expect((await app.get('/admin/async-search/stops/cityId?query=paris')).json()).toEqual({
      data: [
        { key: '10', label: 'Paris', hint: 'France' },
        { key: '11', label: 'Paris', hint: 'United States, 11' },
        { key: '12', label: 'Paris', hint: 'United States, 12' },
        { key: '13', label: 'Parisot' },
        { key: '14', label: 'Lyon', hint: 'Code: LYP paris' },
      ],
    })
  })

  test('so they are in the form and the filter without script, and in a form as JSON', async () => {
    const asked = new URLSearchParams({ _search: 'cityId', '_query[cityId]': 'paris', name: 'A' })
    const form = (await app.html.post('/admin/resource/stops/crud', asked)).text
    const list = (await app.html.get('/admin/resource/stops/crud?_find[cityId]=paris')).text
    for (const page of [form, list]) {
      expect(page).toContain('<span>Paris</span> <span class="muted">France</span>')
      expect(page).toContain('<span>Parisot</span></label>')
    }
  })
})

test('what may not be seen tells nothing apart', async () => {
  const { data } = (await signsIn(false).get('/admin/async-search/stops/cityId?query=paris')).json<{ data: { hint?: string }[] }>()
  expect(data.map(({ hint }) => hint)).toEqual(['PAR', 'PRX, 11', 'PRX, 12', undefined, 'Code: LYP paris'])
})
