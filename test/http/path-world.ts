import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, belongsToMany, definePanel, defineResource, hasMany, id, number, type Panel, text } from 'daymark'
import { oag } from 'daymark/oag'
import * as pg from 'drizzle-orm/pg-core'
import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
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
export const sqliteTables = { lands, owners, things, thingLands }

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
export const pgTables = {
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
export const paths = {
  things: ['ownerId.landId.name', 'ownerId.landId.size', 'landIds.name', 'landIds.owners.name', 'ownerId.things.tag', 'ownerId.landId'],
  owners: ['things.tag', 'things.landIds.size', 'landId.owners.name'],
  lands: ['owners.things.tag', 'owners.things.landIds.name', 'things.tag', 'things.ownerId.name', 'owners.name'],
} as const

/** The columns of the list of things that show other records. */
export const shown = ['ownerId.name', 'ownerId.landId.name', 'ownerId.landId.size', 'ownerId.landId'] as const

function panelOver({ lands, owners, things, thingLands }: typeof sqliteTables, database: string): Panel {
  const isNarrow = (roles: readonly string[]) => roles.includes('narrow')
  const ofThings = {
    model: things,
    fields: {
      id: id(),
      tag: text('Tag').sortable(),
      ownerId: belongsTo('Owner', owners).visible(['admin', 'narrow', 'unlisted', 'unread']),
      landIds: belongsToMany('Lands', thingLands.landId).from(thingLands.thingId).to(lands),
    },
  } as const
  const Things = defineResource({
    ...ofThings,
    pages: { index: ['tag', ...shown] },
    filters: paths.things,
    sortable: shown,
    sortColumn: 'id',
    sortDirection: 'ASC',
  })
  const ByCursor = defineResource({
    ...ofThings,
    uriKey: 'by-cursor',
    pages: { index: ['tag', ...shown] },
    sortable: shown,
    sortColumn: 'ownerId.name',
    sortDirection: 'ASC',
    simplePaginate: true,
    itemsPerPage: 2,
    display: { tag: (value, row) => `${value} of ${row.ownerId}` },
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
  return definePanel({ auth: 'open', database, resources: [Things, Owners, Lands, ByCursor], plugins: [oag()] })
}

export interface World {
  readonly panel: Panel
  query(sql: string): Promise<unknown>
  end(): Promise<unknown>
}

export async function worldOf(tables: typeof sqliteTables, sqlite: boolean): Promise<World> {
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

export interface Rows {
  readonly lands: readonly { name: string | null; size: number | null; open: number }[]
  readonly owners: readonly { name: string | null; landId: number | null; rank: number; gone: boolean }[]
  readonly things: readonly { tag: string | null; ownerId: number | null; landIds: readonly number[] }[]
}
export type Of = keyof Rows

const key = fc.option(fc.nat(3))
const name = fc.option(fc.constantFrom('a', 'ab', 'b', 'É'))
export const rowsOf = fc
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
/** What each step leads to, over plain rows whose position is their key. */
export function walk(rows: Rows, role: string, of: Of, at: number, names: readonly string[]): readonly unknown[] {
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

export function sees(rows: Rows, role: string, of: Of, at: number): boolean {
  if (of === 'owners') return rows.owners[at]?.gone === false && (role !== 'narrow' || rows.owners[at].rank >= 2)
  return of !== 'lands' || role !== 'narrow' || rows.lands[at]?.open === 1
}

const literal = (value: unknown) => (value === null ? 'null' : typeof value === 'string' ? `'${value}'` : String(value))

export function insertOf({ lands, owners, things }: Rows, sqlite: boolean): string {
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
