import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, type Panel } from 'daymark'
import * as pg from 'drizzle-orm/pg-core'
import { type AnySQLiteColumn, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const shelves = sqliteTable('shelves', { id: integer().primaryKey(), name: text() })
const books = sqliteTable('books', { id: integer().primaryKey(), shelf: integer().references(() => shelves.id, { onDelete: 'restrict' }) })
const shelvesInPg = pg.pgTable('shelves', { id: pg.integer().primaryKey(), name: pg.text() }) as unknown as typeof shelves
const booksInPg = pg.pgTable('books', {
  id: pg.integer().primaryKey(),
  shelf: pg.integer().references(() => shelvesInPg.id as never, { onDelete: 'restrict' }),
}) as unknown as typeof books

const schema = `create table shelves (id integer primary key, name text);
  create table books (id integer primary key, shelf integer references shelves (id) on delete restrict);
  insert into shelves values (1, 'One'), (2, 'Two'), (3, 'Kept'); insert into books values (1, 1)`
const kept = 'Nobody takes this one'

interface Opened {
  readonly panel: Panel
  readonly end: () => unknown
}

const panelOver = (database: string, some = shelves, others = books) =>
  definePanel({
    auth: 'open',
    database,
    resources: [
      defineResource({ model: some }),
      defineResource({ model: others, fields: { id: id(), shelf: belongsTo('Shelf', some).visible(['admin']) }, filters: ['shelf'] }),
    ],
  })

const stores: Readonly<Record<string, () => Promise<Opened>>> = {
  async SQLite() {
    const statements = [schema, `create trigger keep before delete on shelves when old.id = 3 begin select raise(abort, '${kept}'); end`]
    return panelIn(await openFile(), statements, (url) => panelOver(url))
  },
  async PostgreSQL() {
    const statements = [
      schema,
      `create function keep() returns trigger language plpgsql as $$ begin raise exception '${kept}'; end $$;
      create trigger keep before delete on shelves for each row when (old.id = 3) execute function keep()`,
    ]
    return panelIn(await openDatabase(), statements, (url) => panelOver(url, shelvesInPg, booksInPg))
  },
}

describe.each(Object.entries(stores))('a key that is ON DELETE RESTRICT, over %s', (_, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.end())
  const remove = async (path: string, role = 'admin') => {
    const answer = await testPanel(opened.panel)
      .as({ roles: [role] })
      .delete(`/admin/resource/shelves/crud${path}`)
    return [answer.status, (answer.json() as { detail?: string }).detail]
  }

  test('is said before a delete is confirmed, to whoever may read it, and where it can be seen', async () => {
    const ask = async (path: string, role: string, ...ids: string[]) => {
      const body = new URLSearchParams([['_method', 'DELETE'], ...ids.map((id): [string, string] => ['ids[]', id])])
      const { status, text } = await testPanel(opened.panel)
        .as({ roles: [role] })
        .html.post(`/admin/resource/shelves/crud${path}`, body)
      expect(status).toBe(200)
      return /<form class="confirm.*?<\/form>/s.exec(text)?.[0] ?? ''
    }
    const one = await ask('/1', 'admin')
    expect(one).toContain('Other records refer to it.')
    expect(one).toContain('<a href="/admin/resource/books/crud?filter%5Bshelf%5D=1">Still used in Books: 1</a>')
    const several = await ask('', 'admin', '1', '2')
    expect(several).toContain('Other records refer to some of them.')
    expect(several).toContain('<li>Still used in Books: 1</li>')
    for (const said of [await ask('/2', 'admin'), await ask('/1', 'reader'), await ask('', 'reader', '1', '2')])
      expect(said).not.toMatch(/notice|Books/)
  })

  test('holds a record as any foreign key does, alone and among others', async () => {
    expect(await remove('/1')).toEqual([409, 'Still used in Books: 1'])
    expect(await remove('?ids[]=1&ids[]=2')).toEqual([409, 'Still used in Books: 1'])
    expect((await remove('/2'))[0]).toBe(200)
  })

  test('is not named, nor what it holds counted, for who may not read it', async () => {
    const said = [409, 'Other records still refer to it']
    expect([await remove('/1', 'reader'), await remove('?ids[]=1', 'reader')]).toEqual([said, said])
  })

  test('is not taken for what a trigger of somebody’s own refuses', async () => {
    expect(await remove('/3')).toEqual([422, 'The database rejected this record'])
  })
})

const rooms = sqliteTable('rooms', {
  id: integer().primaryKey(),
  within: integer().references((): AnySQLiteColumn => rooms.id),
})
const chairs = sqliteTable('chairs', { id: integer().primaryKey(), room: integer().references(() => rooms.id) })
const lamps = sqliteTable('lamps', { id: integer().primaryKey(), room: integer().references(() => rooms.id, { onDelete: 'set null' }) })
const rugs = sqliteTable('rugs', { id: integer().primaryKey(), room: integer().references(() => rooms.id, { onDelete: 'cascade' }) })
const roomsInPg = pg.pgTable('rooms', {
  id: pg.integer().primaryKey(),
  within: pg.integer().references((): pg.AnyPgColumn => roomsInPg.id),
})
const chairsInPg = pg.pgTable('chairs', { id: pg.integer().primaryKey(), room: pg.integer().references(() => roomsInPg.id) })
const lampsInPg = pg.pgTable('lamps', {
  id: pg.integer().primaryKey(),
  room: pg.integer().references(() => roomsInPg.id, { onDelete: 'set null' }),
})
const rugsInPg = pg.pgTable('rugs', {
  id: pg.integer().primaryKey(),
  room: pg.integer().references(() => roomsInPg.id, { onDelete: 'cascade' }),
})
const furnished = `create table rooms (id integer primary key, within integer references rooms (id));
  create table chairs (id integer primary key, room integer references rooms (id));
  create table lamps (id integer primary key, room integer references rooms (id) on delete set null);
  create table rugs (id integer primary key, room integer references rooms (id) on delete cascade);
  insert into rooms values (1, 1), (2, 1), (3, 3), (4, 4);
  insert into chairs values (1, 1), (2, 3); insert into lamps values (1, 1), (2, 3), (3, 4); insert into rugs values (1, 3), (2, 4)`

test.each<[string, () => Promise<Opened>]>([
  [
    'SQLite',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'daymark-holds-'))
      const client = new Sqlite(join(folder, 'rooms.db'))
      client.exec(furnished)
      client.close()
      const resources = [rooms, chairs, lamps, rugs].map((model) => defineResource({ model }))
      const panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'rooms.db')}`, resources })
      return { panel, end: () => panel.close().then(() => rmSync(folder, { recursive: true, force: true })) }
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const database = await openDatabase()
      await database.query(furnished)
      const resources = [roomsInPg, chairsInPg, lampsInPg, rugsInPg].map((model) => defineResource({ model }))
      const panel = definePanel({ auth: 'open', database: database.url, resources })
      return { panel, end: () => panel.close().then(database.drop) }
    },
  ],
])('a refused delete counts what holds the record, and nothing that gives way or goes with it: %s', async (_, open) => {
  const { panel, end } = await open()
  try {
    const remove = async (path: string) => {
      const answer = await testPanel(panel).delete(`/admin/resource/rooms/crud${path}`)
      return [answer.status, (answer.json() as { errors?: { id?: string[] } }).errors?.id]
    }
    expect(await remove('/1')).toEqual([409, ['Still used in Rooms: 1', 'Still used in Chairs: 1']])
    expect(await remove('/3')).toEqual([409, ['Still used in Chairs: 1']])
    expect(await remove('?ids[]=1&ids[]=2')).toEqual([409, ['Still used in Chairs: 1']])
    expect(await remove('/4')).toEqual([200, undefined])
  } finally {
    await end()
  }
})

test('a refused delete says each field that refers to it, whichever resource of its table it is deleted by', async () => {
  const teams = sqliteTable('teams', { id: integer().primaryKey(), name: text() })
  const games = sqliteTable('games', {
    id: integer().primaryKey(),
    homeId: integer('home_id').references(() => teams.id),
    guestId: integer('guest_id').references(() => teams.id),
  })
  const folder = mkdtempSync(join(tmpdir(), 'daymark-games-'))
  const client = new Sqlite(join(folder, 'games.db'))
  client.exec(`create table teams (id integer primary key, name text);
    create table games (id integer primary key, home_id integer references teams (id), guest_id integer references teams (id));
    insert into teams values (1, 'One'), (2, 'Two'); insert into games values (1, 1, 2), (2, 1, 2), (3, 2, 1)`)
  client.close()
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${join(folder, 'games.db')}`,
    resources: [
      defineResource({ model: teams }),
      defineResource({ model: teams, uriKey: 'clubs' }),
      defineResource({
        model: games,
        fields: { id: id(), homeId: belongsTo('Home', teams).resource('teams'), guestId: belongsTo('Guest', teams).resource('teams') },
      }),
    ],
  })
  try {
    for (const uri of ['teams', 'clubs']) {
      const answer = await testPanel(panel).delete(`/admin/resource/${uri}/crud/1`)
      expect([answer.status, answer.json()]).toMatchObject([
        409,
        { errors: { id: ['Still used in Games (Home): 2', 'Still used in Games (Guest): 1'] } },
      ])
    }
  } finally {
    await panel.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what no foreign key is declared for is not counted before a delete is confirmed', async () => {
  const notes = sqliteTable('notes', { id: integer().primaryKey(), shelf: integer() })
  const folder = mkdtempSync(join(tmpdir(), 'daymark-restrict-'))
  const client = new Sqlite(join(folder, 'notes.db'))
  client.exec(`${schema}; create table notes (id integer primary key, shelf integer); insert into notes values (1, 2)`)
  client.close()
  const statements: string[] = []
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${join(folder, 'notes.db')}`,
    observe: (sql) => statements.push(sql),
    resources: [
      defineResource({ model: shelves }),
      ...[books, notes].map((model) => defineResource({ model, fields: { id: id(), shelf: belongsTo('Shelf', shelves) } })),
    ],
  })
  const confirm = await testPanel(panel).html.post('/admin/resource/shelves/crud/1', new URLSearchParams({ _method: 'DELETE' }))
  expect(confirm.text).toContain('Still used in Books: 1')
  expect(statements.filter((sql) => sql.includes('count')).map((sql) => /from "(\w+)"/.exec(sql)?.[1])).toEqual(['books'])
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})
