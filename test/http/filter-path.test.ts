import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, belongsToMany, definePanel, defineResource, hasMany, id, number, type Panel, text } from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const lands = sqliteTable('lands', { id: integer().primaryKey(), name: varchar(), size: integer(), open: integer().notNull() })
const owners = sqliteTable('owners', {
  id: integer().primaryKey(),
  name: varchar(),
  landId: integer('land_id').references(() => lands.id),
  rank: integer().notNull(),
  goneAt: integer('gone_at', { mode: 'timestamp_ms' }),
})
const things = sqliteTable('things', {
  id: integer().primaryKey(),
  tag: varchar(),
  ownerId: integer('owner_id').references(() => owners.id),
})
const thingLands = sqliteTable('thing_lands', { thingId: integer('thing_id').notNull(), landId: integer('land_id').notNull() }, (of) => [
  primaryKey({ columns: [of.thingId, of.landId] }),
])
const sqliteTables = { lands, owners, things, thingLands }

const pgLands = pg.pgTable('lands', {
  id: pg.integer().primaryKey(),
  name: pg.text(),
  size: pg.integer(),
  open: pg.integer().notNull(),
})
const pgOwners = pg.pgTable('owners', {
  id: pg.integer().primaryKey(),
  name: pg.text(),
  landId: pg.integer('land_id').references(() => pgLands.id),
  rank: pg.integer().notNull(),
  goneAt: pg.timestamp('gone_at', { withTimezone: true }),
})
const pgTables = {
  lands: pgLands,
  owners: pgOwners,
  things: pg.pgTable('things', {
    id: pg.integer().primaryKey(),
    tag: pg.text(),
    ownerId: pg.integer('owner_id').references(() => pgOwners.id),
  }),
  thingLands: pg.pgTable('thing_lands', { thingId: pg.integer('thing_id').notNull(), landId: pg.integer('land_id').notNull() }, (of) => [
    pg.primaryKey({ columns: [of.thingId, of.landId] }),
  ]),
} as unknown as typeof sqliteTables

const schemaIn = (time: string) => `create table lands (id integer primary key, name text, size integer, open integer not null);
  create table owners (id integer primary key, name text, land_id integer references lands, rank integer not null, gone_at ${time});
  create table things (id integer primary key, tag text, owner_id integer references owners);
  create table thing_lands (thing_id integer not null, land_id integer not null, primary key (thing_id, land_id))`

/** Each path with how it is walked in memory. */
const paths = {
  things: ['ownerId.landId.name', 'ownerId.landId.size', 'landIds.name', 'landIds.owners.name', 'ownerId.things.tag', 'ownerId.landId'],
  owners: ['things.tag', 'things.landIds.size', 'landId.owners.name'],
  lands: ['owners.things.tag', 'owners.things.landIds.name', 'things.tag', 'things.ownerId.name', 'owners.name'],
} as const

/** The columns of the list of things that show other records. */
const shown = ['ownerId.name', 'ownerId.landId.name', 'ownerId.landId.size', 'ownerId.landId'] as const

function panelOver({ lands, owners, things, thingLands }: typeof sqliteTables, database: string): Panel {
  const isNarrow = (roles: readonly string[]) => roles.includes('narrow')
  const Things = defineResource({
    model: things,
    fields: {
      id: id(),
      tag: text('Tag'),
      ownerId: belongsTo('Owner', owners).visible(['admin', 'narrow', 'unlisted', 'unread']),
      landIds: belongsToMany('Lands', thingLands.landId).from(thingLands.thingId).to(lands),
    },
    pages: { index: ['tag', ...shown] },
    filters: paths.things,
    sortColumn: 'id',
    sortDirection: 'ASC',
  })
  const Owners = defineResource({
    model: owners,
    fields: {
      id: id(),
      name: text('Name'),
      landId: belongsTo('Land', lands).visible(['admin', 'narrow', 'unlisted']),
    },
    softDelete: 'goneAt',
    related: [hasMany(Things, { title: 'What is theirs' })],
    filters: paths.owners,
    sortColumn: 'id',
    sortDirection: 'ASC',
    can: { viewAny: ({ user }) => !user.roles.includes('unlisted') },
    scope: ({ user }) => (isNarrow(user.roles) ? { rank: { gte: 2 } } : {}),
  })
  const Lands = defineResource({
    model: lands,
    fields: { id: id(), name: text('Name').searchable(), size: number('Size') },
    related: [hasMany(Owners), hasMany(Things)],
    filters: paths.lands,
    sortColumn: 'id',
    sortDirection: 'ASC',
    scope: ({ user }) => (isNarrow(user.roles) ? { open: 1 } : {}),
  })
  return definePanel({ auth: 'open', database, resources: [Things, Owners, Lands], plugins: [oag()] })
}

interface World {
  readonly panel: Panel
  query(sql: string): Promise<unknown>
  end(): Promise<unknown>
}

async function worldOf(tables: typeof sqliteTables, sqlite: boolean): Promise<World> {
  if (!sqlite) {
    const database = await openDatabase()
    await database.query(schemaIn('timestamptz'))
    const panel = panelOver(tables, database.url)
    return { panel, query: database.query, end: () => panel.close().then(database.drop) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'daymark-path-'))
  const client = new Sqlite(join(folder, 'path.db'))
  client.exec(schemaIn('integer'))
  const panel = panelOver(tables, `sqlite:${join(folder, 'path.db')}`)
  const end = async () => {
    await panel.close()
    client.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { panel, query: async (sql) => client.exec(sql), end }
}

interface Rows {
  readonly lands: readonly { name: string | null; size: number | null; open: number }[]
  readonly owners: readonly { name: string | null; landId: number | null; rank: number; gone: boolean }[]
  readonly things: readonly { tag: string | null; ownerId: number | null; landIds: readonly number[] }[]
}
type Of = keyof Rows

const key = fc.option(fc.nat(3))
const name = fc.option(fc.constantFrom('a', 'ab', 'b', 'É'))
const rowsOf = fc
  .record({
    lands: fc.array(fc.record({ name, size: fc.option(fc.nat(3)), open: fc.nat(1) }), { minLength: 1, maxLength: 4 }),
    owners: fc.array(fc.record({ name, landId: key, rank: fc.integer({ min: 1, max: 3 }), gone: fc.boolean() }), { maxLength: 4 }),
    things: fc.array(fc.record({ tag: name, ownerId: key, landIds: fc.uniqueArray(fc.nat(3), { maxLength: 2 }) }), { maxLength: 5 }),
  })
  .map(({ lands, owners, things }): Rows => {
    const there = (key: number | null, all: readonly unknown[]) => (key !== null && key < all.length ? key : null)
    return {
      lands,
      owners: owners.map((one) => ({ ...one, landId: there(one.landId, lands) })),
      things: things.map((one) => ({ ...one, ownerId: there(one.ownerId, owners) })),
    }
  })
const asked = fc
  .constantFrom(...(Object.keys(paths) as Of[]))
  .chain((of) => fc.constantFrom(...paths[of].map((path) => ({ of, path: path as string }))))
  .chain(({ of, path }) => {
    const isNumber = /size$|landId$/.test(path)
    const operators = isNumber ? ['', '[ne]'] : ['', '[ne]', '[contains]', '[startsWith]']
    const values = isNumber ? ['0', '1', '2'] : ['a', 'b', 'é', 'ab']
    return fc.oneof(
      fc.record({
        of: fc.constant(of),
        path: fc.constant(path),
        operator: fc.constantFrom(...operators),
        value: fc.constantFrom(...values),
      }),
      fc.record({ of: fc.constant(of), path: fc.constant(path), operator: fc.constant('[null]'), value: fc.constantFrom('0', '1') }),
    )
  })

/** What each step leads to, over plain rows whose position is their key. */
function walk(rows: Rows, role: string, of: Of, at: number, names: readonly string[]): readonly unknown[] {
  const [first = '', ...rest] = names
  const on = (target: Of, keys: readonly number[]) =>
    keys.filter((to) => sees(rows, role, target, to)).flatMap((to) => walk(rows, role, target, to, rest))
  const all = (target: Of, leads: (to: number) => boolean) => on(target, [...rows[target].keys()].filter(leads))
  if (rest.length === 0) return [(rows[of][at] as unknown as Record<string, unknown>)[first] ?? null]
  switch (`${of}.${first}`) {
    case 'things.ownerId':
      return all('owners', (to) => rows.things[at]?.ownerId === to)
    case 'things.landIds':
      return all('lands', (to) => rows.things[at]?.landIds.includes(to) === true)
    case 'owners.landId':
      return all('lands', (to) => rows.owners[at]?.landId === to)
    case 'owners.things':
      return all('things', (to) => rows.things[to]?.ownerId === at)
    case 'lands.owners':
      return all('owners', (to) => rows.owners[to]?.landId === at)
    case 'lands.things':
      return all('things', (to) => rows.things[to]?.landIds.includes(at) === true)
    default:
      throw new Error(first)
  }
}

function sees(rows: Rows, role: string, of: Of, at: number): boolean {
  if (of === 'owners') return rows.owners[at]?.gone === false && (role !== 'narrow' || rows.owners[at].rank >= 2)
  return of !== 'lands' || role !== 'narrow' || rows.lands[at]?.open === 1
}

function meets(value: unknown, operator: string, text: string): boolean {
  const low = (one: unknown) => String(one).toLowerCase()
  if (operator === '[null]') return (value === null) === (text === '1')
  if (operator === '[ne]') return value === null || String(value) !== text
  if (value === null) return false
  return operator === '' ? String(value) === text : operator === '[contains]' ? low(value).includes(text) : low(value).startsWith(text)
}

const literal = (value: unknown) => (value === null ? 'null' : typeof value === 'string' ? `'${value}'` : String(value))

function insertOf({ lands, owners, things }: Rows, sqlite: boolean): string {
  const inserts = [
    ...lands.map(({ name, size, open }, at) => `insert into lands values (${[at, name, size, open].map(literal)})`),
    ...owners.map(({ name, landId, rank, gone }, at) => {
      const day = gone ? (sqlite ? 1000 : '2020-01-01T00:00:00Z') : null
      return `insert into owners values (${[at, name, landId, rank, day].map(literal)})`
    }),
    ...things.map(({ tag, ownerId }, at) => `insert into things values (${[at, tag, ownerId].map(literal)})`),
    ...things.flatMap(({ landIds }, at) => landIds.map((land) => `insert into thing_lands values (${at}, ${land})`)),
  ]
  return ['delete from thing_lands', 'delete from things', 'delete from owners', 'delete from lands', ...inserts].join(';')
}

describe.each([
  ['SQLite', sqliteTables, true],
  ['PostgreSQL', pgTables, false],
] as const)('filters through several relations, over %s', (_, tables, sqlite) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(tables, sqlite)
  })
  afterAll(() => world?.end())

  const as = (role: string) => testPanel(world.panel).as({ id: '1', username: role, name: role, roles: [role] })
  const keys = async (of: Of, query: string, role = 'admin') => {
    const answer = await as(role).get(`/admin/resource/${of}/crud?${query}`)
    const body = answer.json<{ data?: { id: number }[]; errors?: Record<string, string[]> }>()
    return body.data ? body.data.map(({ id }) => id) : [answer.status, body.errors]
  }

  test('agree with a walk over the same rows in memory, within what the caller sees on each step', async () => {
    const property = fc.asyncProperty(
      rowsOf,
      fc.array(asked, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('admin', 'narrow'),
      async (rows, all, role) => {
        await world.query(insertOf(rows, sqlite))
        for (const { of, path, operator, value } of all) {
          const expected = [...rows[of].keys()].filter(
            (at) => sees(rows, role, of, at) && walk(rows, role, of, at, path.split('.')).some((one) => meets(one, operator, value)),
          )
          expect(await keys(of, `filter[${path}]${operator}=${encodeURIComponent(value)}`, role)).toEqual(expected)
        }
      },
    )
    await fc.assert(property, { numRuns: sqlite ? 150 : 40 })
  }, 120_000)

  const some: Rows = {
    lands: [
      { name: 'a', size: 1, open: 1 },
      { name: 'b', size: 2, open: 0 },
    ],
    owners: [
      { name: 'x', landId: 0, rank: 2, gone: false },
      { name: 'y', landId: 1, rank: 2, gone: false },
      { name: 'z', landId: 0, rank: 1, gone: false },
      { name: 'w', landId: 0, rank: 3, gone: true },
    ],
    things: [0, 1, 2, 3].map((ownerId) => ({ tag: `of ${ownerId}`, ownerId, landIds: [] })),
  }

  test('see none that is out of scope or in the trash on any step', async () => {
    await world.query(insertOf(some, sqlite))
    // Of 3, the owner is in the trash. Of 1, the land is out of scope; of 2, the owner is.
    expect(await keys('things', 'filter[ownerId.landId.size][null]=0')).toEqual([0, 1, 2])
    expect(await keys('things', 'filter[ownerId.landId.size][null]=0', 'narrow')).toEqual([0])
    expect(await keys('lands', 'filter[owners.things.tag][contains]=of')).toEqual([0, 1])
    expect(await keys('lands', 'filter[owners.things.tag]=of 3')).toEqual([])
    expect(await keys('lands', 'filter[owners.things.tag]=of 2', 'narrow')).toEqual([])
  })

  test('are unknown to who may not list a resource on the way, or not read a relation there', async () => {
    const unknown = async (of: Of, name: string, role: string) => {
      const [status, errors] = (await keys(of, `filter[${name}]=a`, role)) as [number, Record<string, string[]>]
      return [status, errors?.[`filter[${name}]`]?.[0]?.replaceAll(name, 'X')]
    }
    const cases: readonly (readonly [Of, string, string])[] = [
      // Owners are not listed by them.
      ['things', 'ownerId.landId.name', 'unlisted'],
      ['things', 'landIds.owners.name', 'unlisted'],
      ['lands', 'owners.things.tag', 'unlisted'],
      ['lands', 'things.ownerId.name', 'unlisted'],
      // The relation of the second step is hidden from them, or the field by which records belong to another one.
      ['things', 'ownerId.landId.name', 'unread'],
      ['lands', 'owners.name', 'unread'],
      ['things', 'ownerId.landId.name', 'other'],
      ['lands', 'things.ownerId.name', 'other'],
      ['owners', 'things.tag', 'other'],
    ]
    for (const [of, name, role] of cases) {
      const answer = await unknown(of, name, role)
      expect([name, role, ...answer]).toEqual([name, role, ...(await unknown(of, 'nope', role))])
      expect(answer[1]).not.toContain(name)
      const document = await as(role).html.get(`/admin/resource/${of}/crud`)
      expect(document.text).not.toContain(`filter[${name}]`)
    }
    // What leads past the hidden relation stays.
    expect(await keys('lands', 'filter[things.tag]=a', 'unlisted')).toEqual([])
  })

  const listed = async (query: string, role = 'admin') =>
    (await as(role).get(`/admin/resource/things/crud?${query}`)).json<{ data: Record<string, unknown>[] }>().data

  test('columns have what the relations lead to, and null where the caller does not see a record on the way', async () => {
    const property = fc.asyncProperty(rowsOf, fc.constantFrom('admin', 'narrow'), async (rows, role) => {
      await world.query(insertOf(rows, sqlite))
      const expected = rows.things.map((one, id) => ({
        id,
        tag: one.tag,
        ...Object.fromEntries(shown.map((path) => [path, walk(rows, role, 'things', id, path.split('.'))[0] ?? null])),
      }))
      expect(await listed('', role)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: sqlite ? 60 : 20 })
  }, 60_000)

  test('columns are not there for who may not read them on each step', async () => {
    await world.query(insertOf(some, sqlite))
    const keysFor = async (role: string) => Object.keys((await listed('', role))[0] ?? {})
    expect(await keysFor('admin')).toEqual(['id', 'tag', ...shown])
    expect(await keysFor('unread')).toEqual(['id', 'tag', 'ownerId.name'])
    for (const role of ['unlisted', 'other']) expect(await keysFor(role)).toEqual(['id', 'tag'])
    const refused = async (role: string, name: string) => {
      const answer = await as(role).get(`/admin/resource/things/crud?fields=${name}`)
      return [answer.status, answer.text.replaceAll(name, 'X').replace(/"requestId":"[^"]*"/, '')]
    }
    for (const role of ['unlisted', 'other', 'unread']) {
      expect(await refused(role, 'ownerId.landId.name')).toEqual(await refused(role, 'ownerId.nope'))
      const page = await as(role).html.get('/admin/resource/things/crud')
      expect([page.status, page.text.includes('ownerId.landId')]).toEqual([200, false])
    }
  })

  test('columns are in pages, files and fields=, and nothing sorts by them', async () => {
    await world.query(insertOf(some, sqlite))
    const page = (await as('admin').html.get('/admin/resource/things/crud')).text.replace(/&#(\d+);/g, (_, code) =>
      String.fromCodePoint(Number(code)),
    )
    const textsOf = (rows: string) => [...rows.matchAll(/<t[dh]\b.*?<\/t[dh]>/gs)].map(([cell]) => cell.replace(/<[^>]*>/g, '').trim())
    const rowOf = (text: string) => textsOf(text.slice(text.indexOf('of 1') - 300)).filter((one) => one !== '')
    for (const label of ['Owner › Name', 'Owner › Land › Name', 'Owner › Land › Size', 'Owner › Land'])
      expect(textsOf(page)).toContain(label)
    expect(rowOf(page).slice(0, 5)).toEqual(['of 1', 'y', 'b', '2', 'b'])
    const csv = await as('admin').get('/admin/resource/things/export')
    const [head, first] = csv.text.split('\r\n')
    expect(head).toContain('Owner › Land › Name')
    expect(first?.split(',').slice(0, 4)).toEqual(['of 0', 'x', 'a', '1'])
    expect(await listed('fields=ownerId.landId.size')).toEqual([1, 2, 1, null].map((size, id) => ({ id, 'ownerId.landId.size': size })))
    expect((await as('admin').get('/admin/resource/things/crud?sort=ownerId.landId.name')).status).toBe(422)
    expect(page).not.toContain('sort=ownerId')
    const row = await as('admin').html.get('/admin/component/index-page/things?_component_name=index-table-things&_key=1&_row=1')
    expect(textsOf(row.text).filter((one) => one !== '')).toEqual(rowOf(page).slice(0, 6))
  })

  test('are in the page with their whole way, in the OpenAPI document, and in a chip', async () => {
    await world.query(insertOf(some, sqlite))
    const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    const page = decoded(
      (await as('admin').html.get('/admin/resource/things/crud?filter[ownerId.landId.size][from]=2&filter[ownerId.landId]=1')).text,
    )
    expect(page).toContain('Owner › Land › Size ≥ 2')
    expect(page).toContain('Owner › Land: b')
    const lists = decoded((await as('admin').html.get('/admin/resource/lands/crud?filter[owners.things.tag][contains]=2')).text)
    expect(lists).toContain('Owners › What is theirs › Tag')
    const document = (await as('admin').get('/oag.json')).json<{
      paths: Record<string, { get: { parameters: { name: string; description: string; schema: object }[] } }>
    }>()
    const all = document.paths['/admin/resource/things/crud']?.get.parameters ?? []
    expect(all.find(({ name }) => name === 'filter[ownerId.landId.size][from]')).toMatchObject({
      description: 'Owner › Land › Size is greater than or equal to this value.',
      schema: { type: 'integer' },
    })
  })

  test('are read again when a record on the way changes', async () => {
    await world.query(insertOf(some, sqlite))
    const found = () => keys('things', 'filter[ownerId.landId.name]=a')
    const named = async () => (await listed('')).map((one) => one['ownerId.landId.name'])
    for (let i = 0; i < 4; i++)
      expect([await found(), await named()]).toEqual([
        [0, 2],
        ['a', 'b', 'a', null],
      ])
    expect((await as('admin').patch('/admin/resource/lands/crud/1', { name: 'a' })).status).toBe(200)
    expect(await found()).toEqual([0, 1, 2])
    expect((await as('admin').patch('/admin/resource/owners/crud/0', { landId: null })).status).toBe(200)
    expect([await found(), await named()]).toEqual([
      [1, 2],
      [null, 'a', 'a', null],
    ])
  })
})
