import { belongsTo, dateTime, definePanel, defineResource, hasMany, id, memoryStore, number, type Panel, select, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const trips = sqliteTable('trips', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar().notNull().default('open'),
})
const guides = sqliteTable('guides', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  tripId: integer('trip_id').references(() => trips.id),
})
const stops = sqliteTable('stops', {
  id: integer().primaryKey(),
  tripId: integer('trip_id')
    .notNull()
    .references(() => trips.id),
  place: varchar().notNull(),
  cost: real(),
  at: integer({ mode: 'timestamp' }),
  state: varchar().notNull().default('open'),
  guideId: integer('guide_id').references(() => guides.id),
  position: integer().notNull().default(0),
  deletedAt: integer('deleted_at', { mode: 'timestamp' }),
})
// biome-ignore lint/suspicious/noExplicitAny: declared over stores of memory
type Given = any

function open(more: { trips?: object; list?: object; stops?: object; panel?: object; fields?: readonly string[] } = {}): {
  panel: Panel
  admin: ReturnType<typeof testPanel>
} {
  const shared = memoryStore()
  const over = <T>(table: T): T => ({ ...shared, table }) as never
  const Stops: Given = defineResource({
    model: over(stops),
    title: 'Stops',
    softDelete: 'deletedAt',
    reorderable: 'position',
    fields: {
      id: id(),
      tripId: belongsTo('Trip', trips),
      place: text('Place'),
      position: number('Position'),
      cost: number('Cost'),
      at: dateTime('At'),
      state: select('State')
        .options({ open: 'Open', booked: 'Booked', left: 'Left' })
        .transitions({ open: ['booked'], booked: ['left'], left: [] }),
      guideId: belongsTo('Guide', guides).matching({ tripId: 'tripId' }),
    },
    ...more.stops,
  } as never)
  const Guides = defineResource({
    model: over(guides),
    fields: { id: id(), name: text('Name').searchable(), tripId: belongsTo('Trip', trips) },
  } as never)
  const Trips: Given = defineResource({
    model: over(trips),
    title: 'Trips',
    fields: { id: id(), name: text('Name'), state: select('State').options(['open', 'done']) },
    related: [hasMany(Stops, { inForm: more.fields ?? ['place', 'cost', 'at', 'state', 'guideId'], ...more.list } as never)],
    ...more.trips,
  } as never)
  const panel = definePanel({ auth: 'open', resources: [Trips, Stops, Guides], log: () => {}, ...more.panel } as never)
  return { panel, admin: testPanel(panel) }
}
type Data = Record<string, unknown>
const path = '/admin/resource/trips/crud'
test('the choices of a new row match the record that it will belong to', async () => {
  const { admin, panel } = open()
  await admin.post(path, { name: 'A', stops: [{ place: 'x' }] })
  await admin.post(path, { name: 'B' })
  for (const tripId of [1, 2]) await admin.post('/admin/resource/guides/crud', { name: `Guide ${tripId}`, tripId })
  const { text: page } = await admin.html.get('/admin/resource/trips/form-page/2')
  const [, search = ''] = /data-search="([^"]*guideId[^"]*)"/.exec(page) ?? []
  const found = async (url: string) => ((await admin.get(url.replaceAll('&amp;', '&'))).json() as { data: Data[] }).data
  expect(await found(search)).toMatchObject([{ label: 'Guide 2' }])
  const sent = { _method: 'PUT', name: 'B', 'stops.0.guideId': '', '_query[stops.0.guideId]': 'Gui', _search: 'stops.0.guideId' }
  const { text: back } = await admin.html.post(`${path}/2`, new URLSearchParams(sent))
  expect([...back.matchAll(/<input type="radio"[^>]*> <span>([^<]*)/g)].map(([, label]) => label)).toEqual(['Guide 2'])
  // One that is there already says itself which record it belongs to.
  expect((await admin.html.get('/admin/resource/trips/form-page/1')).text).toContain('guideId?_item=1"')
  await panel.close()
})

test('where each version is required, a row without one is refused by its name, since no header could name it', async () => {
  const { admin, panel } = open({ stops: { requireIfMatch: true } })
  await admin.post(path, { name: 'A', stops: [{ place: 'x' }, { place: 'y' }] })
  const answer = await admin.patch(`${path}/1`, {
    stops: [
      { id: 1, place: 'q' },
      { id: 2, _delete: true },
    ],
  })
  expect(answer.status).toBe(422)
  const said = ['Send the version that was read, as "_version"']
  expect(answer.json()).toMatchObject({ errors: { 'stops.0': said, 'stops.1': said } })
  const { data } = (await admin.get('/admin/resource/trips/form-page/1')).json() as { data: { stops: Data[] } }
  expect((await admin.patch(`${path}/1`, { stops: [{ ...data.stops[0], place: 'q' }] })).status).toBe(200)
  await panel.close()
})

test('a row that the list does not show any more is still there, and is not created anew', async () => {
  const { admin, panel } = open({ list: { where: { state: 'open' } } })
  await admin.post(path, { name: 'A', stops: [{ place: 'x' }] })
  const { text: page } = await admin.html.get('/admin/resource/trips/form-page/1')
  const [, version = ''] = /name="stops\.0\._version" value="([^"]*)"/.exec(page) ?? []
  await admin.patch('/admin/resource/stops/crud/1', { state: 'booked' })
  const row = { 'stops.0._key': '1', 'stops.0._was': '["x","","","open",""]', 'stops.0.place': 'y', 'stops.0.state': 'open' }
  const sent = { _method: 'PUT', name: 'A', ...row, 'stops.0._version': version }
  const refused = await admin.html.post(`${path}/1`, new URLSearchParams(sent))
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('It is now: State Booked. Save again to overwrite that')
  expect(refused.text).toContain('name="stops.0._key" value="1"')
  await panel.close()
})

test('a row that says with an object where it belongs is refused at that field', async () => {
  const { admin, panel } = open()
  for (const tripId of [{ toString: 1 }, [{}], {}]) {
    const refused = await admin.post(path, { name: 'A', stops: [{ place: 'x', tripId }] })
    expect([refused.status, Object.keys((refused.json() as { errors: object }).errors)]).toEqual([422, ['stops.0.tripId']])
  }
  await panel.close()
})
