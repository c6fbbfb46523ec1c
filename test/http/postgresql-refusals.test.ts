import { randomBytes } from 'node:crypto'
import { countOf, definePanel, defineResource, id, type Panel, valuesOf } from 'daymark'
import * as p from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/app.js'
import { askPanel } from '../auth/world.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

// What PostgreSQL itself refuses of what somebody asked for is an answer to them, and no fault of ours.
const { pgTable, integer, text } = p
const owned = pgTable('owned', { id: integer().primaryKey(), owner: text() })
const raises = pgTable('raises', { id: integer().primaryKey(), code: text() })
const checked = pgTable('checked', { id: integer().primaryKey(), code: text() })
const grouped = pgTable('grouped', { id: integer().primaryKey(), n: integer() })
const stored = pgTable('stored', { id: integer().primaryKey(), code: text() })
const events = pgTable('events', { id: integer().notNull().unique(), region: text().notNull(), code: text() }, (t) => [
  p.primaryKey({ columns: [t.id, t.region] }),
  p.unique().on(t.code, t.region),
])
const places = pgTable('places', { id: integer().primaryKey(), pos: integer().unique() })
const terms = pgTable('terms', { id: integer().primaryKey(), term: text() })
const words = pgTable('words', { id: integer().primaryKey(), word: text(), plain: text() })

const role = `daymark_${randomBytes(8).toString('hex')}`
const log: LogEntry[] = []
let database: TestDatabase
let panel: Panel
beforeAll(async () => {
  database = await openDatabase()
  await database.query(`
    create table owned (id integer primary key, owner text); insert into owned values (1, 'me');
    alter table owned enable row level security; create policy mine on owned using (true) with check (owner = 'me');
    create table raises (id integer primary key, code text); insert into raises values (1, '');
    create function raises() returns trigger language plpgsql as $$ begin raise exception 'secret words' using errcode = new.code; end $$;
    create trigger t before update on raises for each row when (new.code <> 'hidden') execute function raises();
    create view checked as select * from raises where code <> 'hidden' with check option;
    create view grouped as select id, count(*)::integer as n from raises group by id;
    create materialized view stored as select * from raises;
    create table events (id integer not null, region text not null, code text, primary key (id, region), unique (code, region)) partition by list (region);
    create table events_eu partition of events for values in ('eu'); insert into events values (1, 'eu', 'x');
    create table places (id integer primary key, pos integer unique deferrable initially deferred); insert into places values (1, 1), (2, 2);
    create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table words (id integer primary key, word text collate loose, plain text); insert into words values (1, 'Ähre', 'wheat'), (2, 'Halm', 'ear');
    create table terms (id integer primary key, term text collate loose); insert into terms values (2, 'Halm');
    create role ${role} login password 'test'; grant all on all tables in schema public to ${role}`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'test'
  panel = definePanel({
    auth: 'open',
    database: url.href,
    log: (entry) => log.push(entry),
    resources: [
      ...[owned, raises, checked, grouped, stored, places].map((model) => defineResource({ model } as never)),
      defineResource({ model: events, key: 'id' }),
      defineResource({
        model: places,
        uriKey: 'named-places',
        queryTags: { named: { label: 'Named', where: { id: { in: valuesOf(words, 'id', { word: { contains: 'HAL' } }) } } } },
      }),
      defineResource({
        model: places,
        uriKey: 'counted-places',
        fields: { id: id(), named: countOf('Named', terms, 'id').where({ term: { contains: 'HAL' } }) },
        sortColumn: 'id',
        sortDirection: 'ASC',
      }),
      defineResource({ model: words, filters: ['word', 'plain'] }),
    ],
  })
})
afterAll(async () => {
  await panel?.close()
  await database?.query(`drop owned by ${role}; drop role ${role}`)
  await database?.drop()
})
beforeEach(() => void log.splice(0))
const ask = (method: string, path: string, json?: object) =>
  askPanel(panel, { path: `/admin/resource/${path}`, peer: '127.0.0.1', method, json })

test.each<[path: string, json: object, status: number]>([
  ['owned/crud/1', { owner: 'you' }, 403],
  ['raises/crud/1', { code: '45000' }, 422],
  ['raises/crud/1', { code: '45D01' }, 422],
  ['raises/crud/1', { code: 'U0001' }, 422],
  ['raises/crud/1', { code: 'P0001' }, 422],
  ['checked/crud/1', { code: 'hidden' }, 422],
  ['grouped/crud/1', { n: 5 }, 409],
  ['stored/crud/1', { code: 'x' }, 409],
])('%s %j is refused', async (path, json, status) => {
  const { status: was, text } = await ask('PATCH', path, json)
  expect([was, text]).toEqual([status, expect.not.stringContaining('secret words')])
  if (path.startsWith('grouped') || path.startsWith('stored')) {
    expect((await ask('DELETE', path)).status).toBe(409)
    expect((await ask('POST', path.slice(0, -2), { id: 9 })).status).toBe(409)
  }
  expect(log).toEqual([])
})

test('a duplicate in a partition, and one that is found at the end, name their fields', async () => {
  const inPartition = await ask('POST', 'events/crud', { id: 2, region: 'eu', code: 'x' })
  expect([inPartition.status, Object.keys(inPartition.json.errors)]).toEqual([409, ['region', 'code']])
  for (let i = 0; i < 3; i++) {
    const atEnd = await ask('PATCH', 'places/crud/2', { pos: 1 })
    expect([atEnd.status, atEnd.json.errors]).toEqual([409, { pos: [expect.stringContaining('Pos')] }])
    const made = await ask('POST', 'places/crud', { id: 3 + i, pos: 1 })
    expect([made.status, Object.keys(made.json.errors)]).toEqual([409, ['pos']])
  }
})

// First, since what is found out of a table stays known.
test('a column whose collation refuses patterns is found where a number of related records asks it', async () => {
  const { status, json } = await ask('GET', 'counted-places/crud')
  expect([status, json.data?.map((one: { named: number }) => one.named)]).toEqual([200, [0, 1]])
})

test('a column whose collation refuses patterns is found in another table that a condition asks, too', async () => {
  const { status, json } = await ask('GET', 'named-places/crud?query-tag=named')
  expect([status, json.data?.map((one: { id: number }) => one.id)]).toEqual([200, [2]])
})

test('a column whose collation knows no patterns is searched all the same, as the others are', async () => {
  const ids = async (query: string) => (await ask('GET', `words/crud?${query}`)).json.data?.map((one: { id: number }) => one.id)
  expect(await ids('search=ähr')).toEqual([1])
  expect(await ids('search=ear')).toEqual([2])
  expect(await ids('filter[word][contains]=AL')).toEqual([2])
  expect(await ids('filter[word][startsWith]=ä')).toEqual([1])
  expect(log).toEqual([])
})

test('a resource that fails takes nothing from what else the palette finds', async () => {
  await database.query('alter table places rename to places_away; alter table raises rename column code to code_away')
  const { status, json } = await askPanel(panel, { path: '/admin/palette?query=halm', peer: '127.0.0.1' })
  expect([status, JSON.stringify(json)]).toEqual([200, expect.stringContaining('Halm')])
  expect(log).toMatchObject([{ level: 'error' }])
})
