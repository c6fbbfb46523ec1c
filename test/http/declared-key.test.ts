import { belongsTo, definePanel, defineResource, id, memoryStore, type Panel, text } from 'daymark'
import { sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { factory, testPanel } from '../../src/testing.js'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const teams = sqliteTable('teams', { id: integer().primaryKey(), slug: varchar().notNull().unique(), name: varchar().notNull() })
const members = sqliteTable(
  'members',
  {
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id),
    person: varchar().notNull(),
    badge: varchar().notNull().unique(),
    role: varchar(),
  },
  (member) => [primaryKey({ columns: [member.teamId, member.person] })],
)
const teamsInPg = pg.pgTable('teams', { id: pg.integer().primaryKey(), slug: pg.text().notNull().unique(), name: pg.text().notNull() })
const membersInPg = pg.pgTable(
  'members',
  {
    teamId: pg
      .integer('team_id')
      .notNull()
      .references(() => teamsInPg.id),
    person: pg.text().notNull(),
    badge: pg.text().notNull().unique(),
    role: pg.text(),
  },
  (member) => [pg.primaryKey({ columns: [member.teamId, member.person] })],
)
const schema = `create table teams (id integer primary key, slug text not null unique, name text not null);
  create table members (team_id integer not null references teams (id), person text not null, badge text not null unique, role text, primary key (team_id, person));
  insert into teams values (1, 'red', 'Red'), (2, 'blue', 'Blue');
  insert into members values (1, 'Ada', 'a-1', 'lead'), (1, 'Bob', 'b/2', null), (2, 'Ada', 'a-3', null)`

interface Opened {
  readonly panel: Panel
  readonly end: () => unknown
}

const panelOver = (tables: object, database?: string) => {
  const { teams: someTeams, members: someMembers } = tables as { teams: typeof teams; members: typeof members }
  return definePanel({
    auth: 'open',
    ...(database && { database }),
    resources: [
      defineResource({ model: someTeams, fields: { id: id(), slug: text(), name: text() } }),
      defineResource({ model: someMembers, key: 'badge', filters: ['teamId'], pages: { form: ['teamId', 'person', 'badge', 'role'] } }),
      defineResource({ model: someTeams, uriKey: 'by-slug', key: 'slug' }),
    ],
  })
}

const stores: Readonly<Record<string, () => Promise<Opened>>> = {
  async 'the memory store'() {
    const store = memoryStore()
    const panel = panelOver({ teams: { ...store, table: teams }, members: { ...store, table: members } })
    const send = (path: string, json: object) => ask(panel, 'POST', path, json)
    for (const [slug, name] of [
      ['red', 'Red'],
      ['blue', 'Blue'],
    ])
      await send('by-slug/crud', { slug, name })
    for (const [teamId, person, badge, role] of [
      [1, 'Ada', 'a-1', 'lead'],
      [1, 'Bob', 'b/2', null],
      [2, 'Ada', 'a-3', null],
    ])
      expect(await send('members/crud', { teamId, person, badge, role })).toMatchObject({ status: 201 })
    return { panel, end: () => panel.close() }
  },
  async SQLite() {
    return panelIn(await openFile(), [schema], (url) => panelOver({ teams, members }, url))
  },
  async PostgreSQL() {
    return panelIn(await openDatabase(), [schema], (url) => panelOver({ teams: teamsInPg, members: membersInPg }, url))
  },
}

async function ask(panel: Panel, method: string, path: string, given?: object, accept = 'application/json') {
  const response = await panel.fetch(
    new Request(`http://localhost/admin/resource/${path}`, {
      method,
      headers: { accept, ...(given && { 'content-type': 'application/json' }) },
      ...(given && { body: JSON.stringify(given) }),
    }),
  )
  const body = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
  return { status: response.status, body, json: (accept === 'application/json' ? JSON.parse(body) : null) as any }
}

describe.each(Object.entries(stores))('a table with a key of several columns, over %s', (name, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.end())
  const send = (method: string, path: string, given?: object) => ask(opened.panel, method, path, given)
  const badges = async (query = '') => (await send('GET', `members/crud?${query}`)).json.data.map(({ badge }: { badge: string }) => badge)

  test('its records are named by the declared column, in lists, pages and links', async () => {
    expect(await badges()).toEqual(['b/2', 'a-3', 'a-1'])
    expect(await badges('sort=badge&filter[teamId]=1')).toEqual(['a-1', 'b/2'])
    expect((await send('GET', 'members/crud/b%2F2')).json.data).toEqual({ teamId: 1, person: 'Bob', badge: 'b/2', role: null })
    expect((await send('GET', 'members/crud/1')).status).toBe(404)
    expect((await ask(opened.panel, 'GET', 'members/crud', undefined, 'text/html')).body).toContain('members/crud/b%2F2')
    const related = (await send('GET', 'members/crud/a-1?include=team')).json.data
    expect(related.team).toMatchObject({ id: 1, slug: 'red' })
  })

  test('they are written by it; it itself does not change, and the columns of the key are as unique as they are', async () => {
    const cleo = { teamId: 2, person: 'Cleo', badge: 'c-4', role: 'guest' }
    expect(await send('POST', 'members/crud', cleo)).toMatchObject({ status: 201, json: { data: cleo } })
    const again = await send('POST', 'members/crud', { ...cleo, badge: 'c-5' })
    expect([again.status, Object.keys(again.json.errors)]).toEqual([409, ['teamId', 'person']])
    expect((await send('POST', 'members/crud', { ...cleo, person: 'Dan' })).json.errors).toHaveProperty('badge')
    expect((await send('PATCH', 'members/crud/c-4', { role: null })).json.data).toEqual({ ...cleo, role: null })
    expect((await send('PATCH', 'members/crud/c-4', { badge: 'c-9' })).json.errors).toHaveProperty('badge')
    expect((await send('PATCH', 'members/crud/c-4', { person: 'Ada' })).status).toBe(409)
    expect((await send('DELETE', 'members/crud', { ids: ['c-4', 'c-5'] })).status).toBe(404)
    expect(await send('DELETE', 'members/crud', { ids: ['c-4'] })).toMatchObject({ status: 200, json: { deleted: 1 } })
    expect(await badges()).toEqual(['b/2', 'a-3', 'a-1'])
  })

  test('a table may be named by another column than its key, which the database still makes', async () => {
    const given = { slug: 'green', name: 'Green', ...(name === 'PostgreSQL' && { id: 3 }) }
    expect(await send('POST', 'by-slug/crud', given)).toMatchObject({ status: 201, json: { data: { id: 3, slug: 'green' } } })
    expect((await send('GET', 'by-slug/crud/green')).json.data).toEqual({ id: 3, slug: 'green', name: 'Green' })
    expect((await send('GET', 'teams/crud/3')).json.data).toMatchObject({ slug: 'green' })
    expect((await send('GET', 'by-slug/crud/3')).status).toBe(404)
    expect((await send('DELETE', 'by-slug/crud/red')).status).toBe(409)
    expect(await send('DELETE', 'by-slug/crud/green')).toMatchObject({ json: { deleted: 1 } })
  })
})

test('without a key of one column it is said at the start, with the columns that could be it', () => {
  expect(() => defineResource({ model: members })).toThrow(
    'The table "members" has no primary key of exactly one column, and a record is named by one: say which as `key`, a column that is unique and NOT NULL. Valid: badge',
  )
  expect(() => defineResource({ model: members, key: 'person' })).toThrow('"person" cannot be the key of the table "members"')
  expect(() => defineResource({ model: membersInPg, key: 'role' })).toThrow('Valid: badge')
  const bare = sqliteTable('bare', { a: integer(), b: varchar().unique() })
  expect(() => defineResource({ model: bare })).toThrow('There is none: add one')
  // @ts-expect-error
  expect(() => defineResource({ model: members, key: 'nope' })).toThrow('"nope" cannot be')
})

test('a relation leads to the resource whose key it holds, or is said at the start', () => {
  const plain = defineResource({ model: members, key: 'badge', fields: { badge: id(), teamId: belongsTo() } })
  const bySlug = defineResource({ model: teams, key: 'slug' })
  expect(() => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [plain, bySlug] })).toThrow(
    'relation  members.fields.teamId: it holds "id" of the related record, and the key of teams is "slug"',
  )
  const doing = defineResource({ model: teams, key: 'slug', handlers: { join: { fields: { team: belongsTo('Team', teams) }, run() {} } } })
  expect(() => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [doing] })).toThrow(
    'relation  teams.handlers.join.fields.team: it holds "id"',
  )
})

test('a factory makes rows of it', async () => {
  const store = memoryStore()
  const test = testPanel(panelOver({ teams: { ...store, table: teams }, members: { ...store, table: members } }))
  expect(await test.create(factory(members))).toEqual({ teamId: 1, person: 'person 1', badge: 'badge 1', role: null })
})

test('a view gives a key to a table of several that must not be altered: records are written through it', async () => {
  const database = await openDatabase()
  await database.query(`create table stock (warehouse text, part text, pieces integer not null, primary key (warehouse, part));
    create view stock_by_key as select warehouse || ':' || part as key, stock.* from stock`)
  const stock = pg.pgTable('stock_by_key', {
    key: pg.text().primaryKey().generatedAlwaysAs(sql`warehouse || ':' || part`),
    warehouse: pg.text().notNull(),
    part: pg.text().notNull(),
    pieces: pg.integer().notNull(),
  })
  const constraints = { stock_pkey: { part: 'That part is there already' } }
  const panel = definePanel({
    auth: 'open',
    database: database.url,
    resources: [defineResource({ model: stock, uriKey: 'stock', constraints })],
  })
  const test = testPanel(panel)
  const list = panel.route('crud.index', { resource: 'stock' })
  const bolts = panel.route('crud.show', { resource: 'stock', resourceItem: 'north:bolts' })
  const said = async (answer: Promise<{ status: number; json(): unknown }>) => {
    const { status, json } = await answer
    return [status, json()]
  }
  const record = { key: 'north:bolts', warehouse: 'north', part: 'bolts', pieces: 7 }
  try {
    const { key, ...sent } = record
    expect(await said(test.post(list, sent))).toMatchObject([201, { data: record }])
    expect(await said(test.post(list, sent))).toMatchObject([409, { errors: { part: ['That part is there already'] } }])
    expect(await said(test.patch(bolts, { pieces: 8 }))).toMatchObject([200, { data: { key, pieces: 8 } }])
    expect(await said(test.patch(bolts, { part: 'nuts' }))).toMatchObject([
      422,
      { errors: { key: [expect.stringContaining('another key')] } },
    ])
    expect(await said(test.delete(bolts))).toMatchObject([200, { deleted: 1 }])
  } finally {
    await panel.close()
    await database.drop()
  }
})
