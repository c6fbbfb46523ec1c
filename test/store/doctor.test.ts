import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  belongsToMany,
  countOf,
  definePanel,
  defineResource,
  historyResource,
  id,
  memoryStore,
  number,
  type Panel,
  type Resource,
  select,
  sumOf,
  switcher,
  text,
  trashResource,
  usersResource,
  view,
} from 'daymark'
import { bigint, boolean, jsonb, numeric, json as pgJson, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, test } from 'vitest'
import { type Inside, inside } from '../../src/panel.js'
import { checkResources } from '../../src/resource/check/check.js'
import { throughsOf } from '../../src/resource/relation/through.js'
import { examine } from '../../src/store/doctor.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const sqliteTowns = sqliteTable('towns', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  people: integer(),
  rank: integer().notNull(),
  open: integer({ mode: 'boolean' }).notNull(),
})
const postgresqlTowns = pgTable('towns', {
  id: bigint({ mode: 'number' }).primaryKey(),
  name: pgText().notNull(),
  people: bigint({ mode: 'number' }),
  rank: bigint({ mode: 'number' }).notNull(),
  open: boolean().notNull(),
}) as unknown as typeof sqliteTowns

const panelOver = (database: string, model: typeof sqliteTowns) =>
  definePanel({
    auth: 'open',
    database,
    resources: [
      defineResource({
        model,
        fields: {
          id: id(),
          name: text().sortable().searchable(),
          people: number().sortable(),
          rank: number().searchable(),
          open: switcher().sortable(),
        },
        filters: ['name', 'people', 'rank', 'open'],
        sortColumn: 'people',
      }),
    ],
  })
const realmOf = (panel: Panel) => ((panel as unknown as Record<symbol, Inside>)[inside] as Inside).realm

interface Kept {
  readonly panel: Panel
  run(sql: string): Promise<unknown>
  end(): Promise<void>
}

const databases: Readonly<Record<string, () => Promise<Kept>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-doctor-'))
    const client = new Sqlite(join(folder, 'x.db'))
    client.exec(
      'create table towns (id integer primary key, name text not null, people integer, rank integer not null, open integer not null)',
    )
    return {
      panel: panelOver(`sqlite:${join(folder, 'x.db')}`, sqliteTowns),
      run: async (sql) => client.exec(sql),
      async end() {
        client.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
  async PostgreSQL() {
    const { url, query, drop } = await openDatabase()
    await query(
      'create table towns (id bigint primary key, name text not null, people bigint, rank bigint not null, open boolean not null)',
    )
    return { panel: panelOver(url, postgresqlTowns), run: query, end: drop }
  },
}

let kept: Kept
afterEach(async () => {
  await kept.panel.close()
  await kept.end()
})

describe.each(Object.entries(databases))('over %s', (dialect, open) => {
  test('of a filter by related records, it names what is compared on the way', async () => {
    kept = await open()
    const { towns } = Object.fromEntries(realmOf(kept.panel).resources)
    const model = dialect === 'SQLite' ? sqliteTowns : postgresqlTowns
    const above = belongsTo('Above', model).resource('towns')
    const Towns = defineResource({
      model,
      fields: { id: id(), name: text(), people: number(), rank: above },
      filters: ['rank', 'rank.name'],
    })
    const Hills = defineResource({ model, uriKey: 'hills', fields: { id: id(), rank: above }, filters: ['rank.rank.people'] })
    const { links } = checkResources([Towns, Hills])
    const { throughs } = throughsOf([Towns, Hills], links, (relation, label) => `${relation} ${label}`)
    const resources = new Map([Towns, Hills].map((one) => [one.uriKey, one] as const))
    const found = await examine({ resources, throughs, storeOf: () => realmOf(kept.panel).storeOf(towns as Resource) }, 0)
    expect(found.map(({ where, text }) => [where, text.split(';')[0]])).toEqual([
      ['towns.rank', 'filtering reads the whole table'],
      ['towns.name', 'filtering reads the whole table'],
      ['towns.people', 'filtering hills reads the whole table'],
    ])
  })

  test('of a sort by what relations lead to, it names the columns that further pages search by, and of long lists what no index serves', async () => {
    kept = await open()
    const model = dialect === 'SQLite' ? sqliteTowns : postgresqlTowns
    const Towns = defineResource({
      model,
      fields: { id: id(), name: text(), rank: belongsTo('Above', model).resource('towns') },
      pages: { index: ['rank.name'] },
      sortable: ['rank.name'],
    })
    const { links } = checkResources([Towns])
    const { throughs } = throughsOf([Towns], links, (relation, label) => `${relation} ${label}`)
    const { storeOf } = realmOf(kept.panel)
    const town = realmOf(kept.panel).resources.get('towns') as Resource
    const found = (rows: number) => examine({ resources: new Map([['towns', Towns]]), throughs, storeOf: () => storeOf(town) }, rows)
    const all = await found(0)
    expect(all.map(({ id, where, text }) => [id, where, text.split(';')[0]])).toEqual([
      ['index', 'towns.rank', 'sorting by what it leads to reads the whole table'],
      ['index', 'towns.name', 'sorting by what it leads to reads the whole table'],
      ['index-along', 'towns.sortable', 'no index serves sorting by rank.name: the first page reads all records that match'],
    ])
    for (const { text } of all.slice(0, 2)) await kept.run(text.slice(text.indexOf('create index')))
    expect((await found(0)).map(({ id }) => id)).toEqual(['index-along'])
    expect(await found(1)).toEqual([])
    await kept.run(
      dialect === 'SQLite'
        ? "with recursive n(i) as (select 1 union all select i + 1 from n where i < 100) insert into towns select i, 'n', i, i, 1 from n"
        : "insert into towns select i, 'n', i, i, true from generate_series(1, 100) i",
    )
    expect([(await found(1)).length, (await found(2)).length]).toEqual([1, 0])
  })

  test('a board asks for an index by which the cards of a column are sorted, a calendar for one of its days', async () => {
    kept = await open()
    const realm = realmOf(kept.panel)
    const model = dialect === 'SQLite' ? sqliteTowns : postgresqlTowns
    const spec = {
      model,
      fields: { id: id(), name: select().options(['a', 'b']), rank: number() },
      filters: ['name'],
      views: [view.board('name')],
    } as const
    const found = async (sortColumn: 'people' | 'rank' | '') => {
      const Towns = defineResource({ ...spec, fields: { ...spec.fields, people: number() }, sortColumn })
      const storeOf = () => realm.storeOf(realm.resources.get('towns') as Resource)
      const all = await examine({ resources: new Map([['towns', Towns]]), throughs: new Map(), storeOf }, 0)
      return all.filter(({ where }) => where === 'towns.name').map(({ text }) => text)
    }
    const says = (index: string) => [`filtering and the board reads the whole table; create index ${index}`]
    const [key, down] = dialect === 'SQLite' ? ['', ''] : [', "id"', ' desc nulls last']
    expect(await found('rank')).toEqual(says(`"towns_name_rank" on "towns" ("name", "rank"${key})`))
    expect(await found('people')).toEqual(
      says(`"towns_name_people" on "towns" ("name", "people"${down}${key === '' ? '' : `${key} desc`})`),
    )
    const [last] = await found('')
    expect([last]).toEqual(says(dialect === 'SQLite' ? '"towns_name" on "towns" ("name")' : '"towns_name_id" on "towns" ("name", "id")'))
    await kept.run((last ?? '').slice((last ?? '').indexOf('create index')))
    expect(await found('')).toEqual([])
    // It serves the filter, but not the cards.
    const [other] = await found('rank')
    expect(other).toContain('the board reads the whole table; create index "towns_name_rank"')
    await kept.run((other ?? '').slice((other ?? '').indexOf('create index')))
    expect(await found('rank')).toEqual([])
  })

  test('names what no index serves; the index that it names helps', async () => {
    kept = await open()
    const found = () => examine(realmOf(kept.panel), 0)
    const first = await found()
    expect(first.map(({ id, where }) => [id, where])).toEqual([
      ['index', 'towns.people'],
      ['index', 'towns.name'],
      ['index', 'towns.rank'],
      ['index-search', 'towns.search'],
    ])
    const [people, name, rank] = first.map(({ text }) => text)
    expect(people).toBe(
      `the default sort and filtering reads the whole table; create index "towns_people" on "towns" (${
        dialect === 'SQLite' ? '"people"' : '"people" desc nulls last, "id" desc'
      })`,
    )
    expect(name).toContain('sorting and filtering reads the whole table; create index "towns_name" on "towns" ("name"')
    expect(rank).toContain('filtering and searching reads the whole table; create index "towns_rank" on "towns" ("rank"')
    for (const { id, text } of first) if (id === 'index') await kept.run(text.slice(text.indexOf('create index')))
    expect((await found()).map(({ id }) => id)).toEqual(['index-search'])
    expect((await found())[0]?.text).toContain(
      dialect === 'SQLite' ? 'search by words instead (fullText: true)' : 'using gin ("name" gin_trgm_ops)',
    )
  })

  test('no index is promised for a view, which takes none', async () => {
    kept = await open()
    await kept.run('alter table towns rename to places')
    await kept.run('create view towns as select * from places')
    expect(await examine(realmOf(kept.panel), 0)).toEqual([])
  })

  test('an index over some rows, or one that begins with another column, does not help', async () => {
    kept = await open()
    await kept.run('create index part on towns (people) where people > 5')
    await kept.run('create index other on towns (id, rank)')
    expect((await examine(realmOf(kept.panel), 0)).map(({ where }) => where)).toEqual(
      expect.arrayContaining(['towns.people', 'towns.rank']),
    )
  })

  test('at the start, a small table is worth no word', async () => {
    kept = await open()
    expect(await kept.panel.examine()).toEqual([])
    await kept.run(
      dialect === 'SQLite'
        ? "with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000) insert into towns select i, 'n', i, i, 1 from n"
        : "insert into towns select i, 'n', i, i, true from generate_series(1, 10000) i",
    )
    expect(await kept.panel.examine()).toHaveLength(4)
  })
})

test('a list of PostgreSQL is filtered by what an index of its values finds; for json there is none', async () => {
  const { url, query, drop } = await openDatabase()
  await query('create table towns (id bigint primary key, tags text[], moods jsonb, notes json)')
  const listed = pgTable('towns', {
    id: bigint({ mode: 'number' }).primaryKey(),
    tags: pgText().array(),
    moods: jsonb().$type<string[]>(),
    notes: pgJson().$type<string[]>(),
  })
  const choice = () => select().options(['a', 'b']).multiple()
  const fields = { id: id(), tags: choice(), moods: choice(), notes: choice() }
  const panel = definePanel({
    auth: 'open',
    database: url,
    resources: [defineResource({ model: listed, fields, filters: ['tags', 'moods', 'notes'] })],
  })
  kept = { panel, run: query, end: drop }
  const found = await examine(realmOf(panel), 0)
  expect(found.map(({ where }) => where)).toEqual(['towns.tags', 'towns.moods'])
  for (const { text } of found) await query(text.slice(text.indexOf('create index')))
  expect(await examine(realmOf(panel), 0)).toEqual([])

  await query(`insert into towns select i, array['b'], '["b"]', '["b"]' from generate_series(1, 5000) i;
    insert into towns values (5001, array['a', 'b'], '["a"]', '["b", "a"]'); analyze towns`)
  for (const key of ['tags', 'moods', 'notes']) {
    const answer = await panel.fetch(
      new Request(`http://localhost/admin/resource/towns/crud?filter[${key}][contains]=a`, { headers: { accept: 'application/json' } }),
    )
    expect(((await answer.json()) as { data: { id: number }[] }).data.map((row) => row.id)).toEqual([5001])
  }
  const { rows } = await query(`explain select * from towns where tags @> '{a}'`)
  expect(JSON.stringify(rows)).toContain('towns_tags')
})

test('of numbers that JavaScript rounds no index is promised', async () => {
  const { url, query, drop } = await openDatabase()
  await query(
    'create table towns (id bigint primary key, area numeric, share numeric(5, 2)); create index a on towns (area, id); create index s on towns (share, id)',
  )
  const towns = pgTable('towns', {
    id: bigint({ mode: 'number' }).primaryKey(),
    area: numeric({ mode: 'number' }),
    share: numeric({ mode: 'number', precision: 5, scale: 2 }),
  })
  const fields = { id: id(), area: number().sortable(), share: number().sortable() }
  const panel = definePanel({ auth: 'open', database: url, resources: [defineResource({ model: towns, fields })] })
  kept = { panel, run: query, end: drop }
  expect(await examine(realmOf(panel), 0)).toEqual([
    {
      id: 'index',
      where: 'towns.area',
      text: "sorting reads the whole table; no index serves numbers that JavaScript rounds: declare it with mode: 'string'",
    },
  ])
})

test("what several lists ask for is told once, and nothing of the panel's own tables", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-doctor-'))
  const client = new Sqlite(join(folder, 'x.db'))
  client.exec('create table notes (id integer primary key, name text not null, deleted_at integer)')
  client.exec('create table marks (note integer not null, mark integer not null, primary key (note, mark)) without rowid')
  const notes = sqliteTable('notes', {
    id: integer().primaryKey(),
    name: varchar().notNull(),
    deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
  })
  const marks = sqliteTable('marks', { note: integer().notNull(), mark: integer().notNull() })
  const fields = { id: id(), name: text().sortable().searchable(), markIds: belongsToMany('Marks', marks.mark).from(marks.note).to(notes) }
  const Notes = defineResource({ model: notes, fields, filters: ['name'], softDelete: 'deletedAt' })
  const panel = definePanel({
    database: `sqlite:${join(folder, 'x.db')}`,
    resources: [Notes, trashResource(Notes), usersResource(), historyResource()],
  })
  kept = {
    panel,
    run: async () => {},
    async end() {
      client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await panel.ensureUser({ username: 'ada', password: 'a password for a test', roles: ['admin'] })
  const found = await examine(realmOf(panel), 0)
  expect(found.map(({ where }) => where)).toEqual(['notes.name', 'notes.search', 'notes.markIds', 'notes-trash.deletedAt'])
  const created = found.flatMap(({ text }) => /create index.+/.exec(text) ?? [])
  expect(created).toEqual([...new Set(created)])
})

test('of two indexes with one name, the one that serves both is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-doctor-'))
  const client = new Sqlite(join(folder, 'x.db'))
  client.exec('create table shops (code text primary key)')
  client.exec('create table orders (no text primary key, shop text, total integer)')
  const shops = sqliteTable('shops', { code: varchar().primaryKey() })
  const orders = sqliteTable('orders', { no: varchar().primaryKey(), shop: varchar(), total: integer() })
  const panel = definePanel({
    database: `sqlite:${join(folder, 'x.db')}`,
    resources: [
      defineResource({
        model: shops,
        fields: { code: id(), orders: countOf('Orders', orders, 'shop'), turnover: sumOf('Turnover', orders, 'shop', 'total') },
      }),
      defineResource({ model: orders, fields: { no: id(), shop: belongsTo('Shop', shops) }, filters: ['shop'] }),
    ],
  })
  kept = {
    panel,
    run: async () => {},
    async end() {
      client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  expect(await examine(realmOf(panel), 0)).toEqual([
    {
      id: 'index',
      where: 'orders.shop',
      text: 'filtering reads the whole table; create index "orders_shop" on "orders" ("shop", "no")',
    },
  ])
})

test('a store of somebody else has no indexes to ask for', async () => {
  const panel = definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(sqliteTowns) })] })
  kept = { panel, run: async () => {}, end: async () => {} }
  expect(await examine(realmOf(panel), 0)).toEqual([])
})

test.each(['SQLite', 'PostgreSQL'])(
  'a table that is told of is asked by the column that refers to the record, over %s',
  async (dialect) => {
    const sqlite = sqliteTable('visits', { id: integer().primaryKey(), townId: integer('town_id').notNull() })
    const postgresql = pgTable('visits', {
      id: bigint({ mode: 'number' }).primaryKey(),
      townId: bigint('town_id', { mode: 'number' }).notNull(),
    })
    const isSqlite = dialect === 'SQLite'
    const visits = isSqlite ? sqlite : (postgresql as unknown as typeof sqlite)
    const folder = mkdtempSync(join(tmpdir(), 'daymark-doctor-'))
    const client = isSqlite ? new Sqlite(join(folder, 'x.db')) : null
    const database = isSqlite ? null : await openDatabase()
    const run = async (sql: string) => (client ? client.exec(sql) : database?.query(sql))
    await run('create table towns (id bigint primary key, name text); create table visits (id bigint primary key, town_id bigint not null)')
    const panel = definePanel({
      auth: 'open',
      database: database?.url ?? `sqlite:${join(folder, 'x.db')}`,
      resources: [
        defineResource({
          model: isSqlite ? sqliteTowns : postgresqlTowns,
          fields: { id: id(), visitCount: countOf('Visits', visits, 'townId').sortable() },
          filters: ['visitCount'],
        }),
      ],
    })
    kept = {
      panel,
      run,
      async end() {
        client?.close()
        await database?.drop()
        rmSync(folder, { recursive: true, force: true })
      },
    }
    const [found, ...more] = await examine(realmOf(panel), 0)
    expect([found?.id, found?.where, more]).toEqual(['index', 'towns.visitCount', []])
    expect(found?.text).toContain('each record reads the whole table "visits"; create index "visits_town_id" on')
    await run((found?.text ?? '').slice((found?.text ?? '').indexOf('create index')))
    expect(await examine(realmOf(panel), 0)).toEqual([])
  },
)

test.each(['SQLite', 'PostgreSQL'])('a link table is asked by both of its columns, over %s', async (dialect) => {
  const sqlite = sqliteTable('links', { town: integer().notNull(), other: integer().notNull() })
  const postgresql = pgTable('links', { town: bigint({ mode: 'number' }).notNull(), other: bigint({ mode: 'number' }).notNull() })
  const isSqlite = dialect === 'SQLite'
  const links = isSqlite ? sqlite : (postgresql as unknown as typeof sqlite)
  const model = isSqlite ? sqliteTowns : postgresqlTowns
  const schema = 'create table towns (id bigint primary key, name text); create table links (town bigint not null, other bigint not null)'
  const folder = mkdtempSync(join(tmpdir(), 'daymark-doctor-'))
  const client = isSqlite ? new Sqlite(join(folder, 'x.db')) : null
  const database = isSqlite ? null : await openDatabase()
  const run = async (sql: string) => (client ? client.exec(sql) : database?.query(sql))
  await run(schema)
  const twins = () => belongsToMany('Twins', links.other).from(links.town).to(model)
  const panel = definePanel({
    auth: 'open',
    database: database?.url ?? `sqlite:${join(folder, 'x.db')}`,
    resources: [defineResource({ model, fields: { id: id(), twins: twins(), more: twins() } })],
  })
  kept = {
    panel,
    run,
    async end() {
      client?.close()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const found = await examine(realmOf(panel), 0)
  expect(found.map(({ id, where, text }) => [id, where, text.slice(0, text.indexOf(' reads'))])).toEqual([
    ['index', 'towns.twins', 'each record'],
    ['index', 'towns.twins', 'finding by one of them'],
  ])
  for (const { text } of found) await run(text.slice(text.indexOf('create index')))
  expect(await examine(realmOf(panel), 0)).toEqual([])
  expect(await panel.examine()).toEqual([])
  await run('drop table links')
  await run('create view links as select id as town, id as other from towns')
  expect(await examine(realmOf(panel), 0)).toEqual([])
})
