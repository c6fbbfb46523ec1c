import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, json, number, type Panel, text } from 'daymark'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const tables = `create table rooms (id integer primary key, name varchar(9));
  create table stays (id integer primary key, room_id integer, since integer, until integer, guest varchar(20), secret integer,
    constraint stays_in_order check (until > since), constraint stays_odd check (until <> 13), constraint stays_secret check (secret < 5),
    constraint stays_pair check (since <> 77));
  create unique index stays_guest on stays (lower(guest));
  insert into rooms (name) values ('One'); insert into stays (room_id, since, until, guest) values (1, 1, 2, 'Ada')`

const rooms = sqliteTable('rooms', { id: integer().primaryKey(), name: varchar() })
const stays = sqliteTable('stays', {
  id: integer().primaryKey(),
  roomId: integer('room_id'),
  since: integer(),
  until: integer(),
  guest: varchar(),
  secret: integer(),
})
const roomsInPg = pg.pgTable('rooms', { id: pg.serial().primaryKey(), name: pg.text() }) as unknown as typeof rooms
const staysInPg = pg.pgTable('stays', {
  id: pg.serial().primaryKey(),
  roomId: pg.integer('room_id'),
  since: pg.integer(),
  until: pg.integer(),
  guest: pg.text(),
  secret: pg.integer(),
}) as unknown as typeof stays

const logged: string[] = []
const panelOver = (database: string, locale: string, some = rooms, others = stays) =>
  definePanel({
    auth: 'open',
    database,
    locale,
    log: ({ message }) => void logged.push(message),
    resources: [
      defineResource({ model: some, constraints: { rooms_kept: 'The first room is kept' } }),
      defineResource({
        model: others,
        fields: {
          id: id(),
          roomId: belongsTo('Room', some),
          since: number('Since'),
          until: number('Until'),
          guest: text('Guest'),
          secret: number('Secret').visible(['keeper']),
        },
        constraints: {
          stays_in_order: { until: 'A stay ends after it has begun' },
          stays_secret: { secret: 'Too secret' },
          stays_pair: { secret: 'Not by these' },
          stays_guest: { guest: 'This guest is here' },
        },
      }),
    ],
  })

interface Opened {
  readonly panel: Panel
  readonly german: Panel
  readonly end: () => unknown
}

const stores: Readonly<Record<string, () => Promise<Opened>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-constraints-'))
    const database = `sqlite:${join(folder, 'stays.db')}`
    const client = new Sqlite(join(folder, 'stays.db'))
    client.exec(tables)
    client.exec(`create trigger keep before delete on rooms when old.id = 1 begin select raise(abort, 'rooms_kept'); end`)
    client.close()
    const [panel, german] = [panelOver(database, 'en'), panelOver(database, 'de')]
    return { panel, german, end: () => Promise.all([panel.close(), german.close()]).then(() => rmSync(folder, { recursive: true })) }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    await database.query(tables.replaceAll('integer primary key', 'serial primary key'))
    await database.query(`create function keep() returns trigger language plpgsql as $$ begin
        raise exception 'Room % is kept', old.id using constraint = 'rooms_kept'; end $$;
      create trigger keep before delete on rooms for each row when (old.id = 1) execute function keep()`)
    const [panel, german] = [panelOver(database.url, 'en', roomsInPg, staysInPg), panelOver(database.url, 'de', roomsInPg, staysInPg)]
    return { panel, german, end: () => Promise.all([panel.close(), german.close()]).then(database.drop) }
  },
}

describe.each(Object.entries(stores))('what the database refuses, over %s', (_, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.end())
  const path = '/admin/resource/stays/crud'
  const said = async (panel: Panel, body: object, role = 'keeper') => {
    const { status, json } = await testPanel(panel)
      .as({ roles: [role] })
      .post(path, { roomId: 1, ...body })
    const { detail, errors } = json() as { detail: string; errors?: object }
    return [status, detail, errors ?? null]
  }

  test('is said in the words of its constraint, at the field that they name', async () => {
    const text = 'A stay ends after it has begun'
    expect(await said(opened.panel, { since: 5, until: 2 })).toEqual([422, text, { until: [text] }])
    const form = new URLSearchParams({ roomId: '1', since: '5', until: '2' })
    const page = await testPanel(opened.panel).html.post(path, form)
    expect([page.status, page.text.includes(text), page.text.includes('value="5"')]).toEqual([422, true, true])
  })

  test('an index over an expression has words, too', async () => {
    expect(await said(opened.panel, { guest: 'ADA' })).toEqual([409, 'This guest is here', { guest: ['This guest is here'] }])
  })

  test('names no field to who may not see it', async () => {
    expect(await said(opened.panel, { secret: 7 })).toEqual([422, 'Too secret', { secret: ['Too secret'] }])
    expect(await said(opened.panel, { since: 77 }, 'reader')).toEqual([422, 'Not by these', null])
  })

  test('a trigger can give its refusal a name, also of a delete', async () => {
    const { status, json } = await testPanel(opened.panel)
      .as({ roles: ['reader'] })
      .delete('/admin/resource/rooms/crud/1')
    expect([status, (json() as { detail: string }).detail]).toEqual([422, 'The first room is kept'])
  })

  test('without words, is said in the language of the panel, and the log names the constraint', async () => {
    logged.length = 0
    const [status, detail] = await said(opened.german, { since: 1, until: 13, guest: 'Bob' })
    // SQLite says the columns of a check only if it has no name.
    expect([status, detail]).toEqual([422, 'Die Datenbank weist diesen Eintrag zurück'])
    expect(logged).toEqual([expect.stringContaining('stays_odd')])
  })
})

test('what an item of an array may not be is said of its field, in the language of the panel', async () => {
  const database = await openDatabase()
  await database.query('create table cards (id integer generated by default as identity primary key, tags text[], marks integer[])')
  const cards = pg.pgTable('cards', {
    id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
    tags: pg.text().array(),
    marks: pg.integer().array(),
  })
  const fields = { id: id(), tags: json('Marken'), marks: json('Noten') }
  const Cards = defineResource({ model: cards, fields })
  const panel = definePanel({ auth: 'open', database: database.url, locale: 'de', resources: [Cards] })
  try {
    const send = async (body: object) => (await testPanel(panel).post('/admin/resource/cards/crud', body)).json<{ errors: object }>().errors
    expect(await send({ tags: [1] })).toEqual({ tags: ['Marken muss Text sein'] })
    expect(await send({ marks: ['x'] })).toEqual({ marks: ['Noten muss eine ganze Zahl sein'] })
  } finally {
    await panel.close()
    await database.drop()
  }
})

test('a foreign key that was broken, and what is excluded, are said at the fields that PostgreSQL names', async () => {
  const database = await openDatabase()
  await database.query(`create table rooms (id serial primary key, code text unique); insert into rooms (code) values ('A');
    create table visits (id serial primary key, room integer references rooms, during int4range, place integer default 1,
      before integer references visits, exclude using gist (during with &&), exclude using gist (int4range(place, place, '[]') with &&) where (place is not null));
    insert into visits (room, during, place) values (1, '[1,5)', null)`)
  const visits = pg.pgTable('visits', {
    id: pg.serial().primaryKey(),
    room: pg.integer(),
    during: pg.text(),
    place: pg.integer(),
    before: pg.integer(),
  })
  const fields = {
    id: id(),
    room: number('Room'),
    during: text('During'),
    place: number('Place').visible(['keeper']),
    before: number('Before'),
  }
  const panel = definePanel({ auth: 'open', database: database.url, resources: [defineResource({ model: visits, fields })] })
  try {
    const said = async (body: object) => {
      const { status, json } = await testPanel(panel).post('/admin/resource/visits/crud', body)
      const { detail = null, errors = null } = json() as { detail?: string; errors?: object }
      return [status, detail, errors]
    }
    expect(await said({ room: 7 })).toEqual([409, 'Room: no such record', { room: ['Room: no such record'] }])
    const conflict = 'The record conflicts with another one'
    expect(await said({ room: 1, during: '[4,9)' })).toEqual([409, conflict, { during: [conflict] }])
    const changed = await testPanel(panel).patch('/admin/resource/visits/crud/1', { before: 9 })
    expect([changed.status, changed.json<{ errors: object }>().errors]).toEqual([409, { before: ['Before: no such record'] }])
    expect(await said({ during: '[6,7)' })).toEqual([201, null, null])
    expect(await said({ during: '[8,9)' })).toEqual([409, conflict, null])
  } finally {
    await panel.close()
    await database.drop()
  }
})
