import { belongsTo, definePanel, defineResource, id, json, number, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestPanel, testPanel } from '../../src/testing.js'

// JSON has no -0, and no number that is none: what is sent back of them is 0 and null, and the same.
const places = sqliteTable('places', { id: integer().primaryKey(), name: varchar(), latitude: real() })
const points = sqliteTable('points', {
  id: integer().primaryKey(),
  name: varchar(),
  shift: real(),
  at: varchar({ mode: 'json' }),
  kept: varchar({ mode: 'json' }),
  placeId: integer('place_id').references(() => places.id),
})
const path = '/admin/resource/points/crud/1'

let db: Libsql.Database
let app: TestPanel
beforeAll(() => {
  db = new Libsql(':memory:')
  db.exec(`create table places (id integer primary key, name text, latitude real); insert into places values (1, 'Null Island', -0.0);
    create table points (id integer primary key, name text, shift real, at text, kept text, place_id integer);
    insert into points values (1, 'a', -0.4, '{"lat":-0.0}', '[-0.0]', 1)`)
  const Places = defineResource({ model: places, fields: { id: id(), name: text(), latitude: number() } })
  const Points = defineResource({
    model: points,
    fields: { id: id(), name: text(), shift: number(), at: json(), kept: json().readOnly(), placeId: belongsTo('Place') },
    computed: {
      whole: { label: 'Whole', needs: ['shift'], value: ({ shift }) => ({ rounded: Math.round(shift ?? 0), root: Math.sqrt(shift ?? 0) }) },
    },
  })
  app = testPanel(definePanel({ auth: 'open', database: { $client: db } as never, resources: [Places, Points] }))
})
afterAll(() => void db.close())

test('a record is sent back as it was read, with what is computed, read-only or related', async () => {
  const { data } = (await app.get(`${path}?include=place`)).json() as { data: Record<string, unknown> }
  expect(data).toEqual({
    id: 1,
    name: 'a',
    shift: -0.4,
    at: { lat: 0 },
    kept: [0],
    placeId: 1,
    place: { id: 1, label: 'Null Island', name: 'Null Island', latitude: 0 },
    whole: { rounded: 0, root: null },
  })
  const { text: said, status } = await app.put(path, { ...data, name: 'b' })
  expect([status, said]).toEqual([200, expect.stringContaining('"name":"b"')])
  expect(db.prepare('select at, kept from points').get()).toMatchObject({ at: '{"lat":-0.0}', kept: '[-0.0]' })
})

test('one field is changed by whoever names the value that was shown', async () => {
  const { status } = await app.put('/admin/update-field/column/points/1', { field: 'at', value: { lat: 1 }, was: { lat: 0 } })
  expect([status, db.prepare('select at from points').get()]).toEqual([200, expect.objectContaining({ at: '{"lat":1}' })])
})
