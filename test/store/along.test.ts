import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore, type Store } from 'daymark'
import * as pg from 'drizzle-orm/pg-core'
import { blob, integer, numeric, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { always, type Condition } from '../../src/resource/condition/condition.js'
import { modelOf } from '../../src/resource/model/model.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import type { Along, Order, Position, Row } from '../../src/store/store.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const sqliteTables = {
  lands: sqliteTable('lands', {
    code: text().primaryKey(),
    name: text(),
    size: integer(),
    area: real(),
    big: blob({ mode: 'bigint' }),
    price: numeric(),
    at: integer({ mode: 'timestamp_ms' }),
    open: integer({ mode: 'boolean' }).notNull(),
  }),
  // Named as what the statement calls the records on a way.
  w0_0: sqliteTable('w0_0', { id: integer().primaryKey(), name: text(), land: text(), rank: integer().notNull() }),
  things: sqliteTable('things', { id: integer().primaryKey(), tag: text(), owner: integer(), next: integer() }),
}
const pgTables = {
  lands: pg.pgTable('lands', {
    code: pg.text().primaryKey(),
    name: pg.text(),
    size: pg.integer(),
    area: pg.doublePrecision(),
    big: pg.bigint({ mode: 'bigint' }),
    price: pg.numeric(),
    at: pg.timestamp({ withTimezone: true, precision: 3 }),
    open: pg.boolean().notNull(),
  }),
  w0_0: pg.pgTable('w0_0', { id: pg.integer().primaryKey(), name: pg.text(), land: pg.text(), rank: pg.integer().notNull() }),
  things: pg.pgTable('things', { id: pg.integer().primaryKey(), tag: pg.text(), owner: pg.integer(), next: pg.integer() }),
} as unknown as typeof sqliteTables

const schemaIn = (big: string, time: string, bool: string) => [
  `create table lands (code text primary key, name text, size integer, area double precision, big ${big}, price numeric, at ${time}, open ${bool} not null)`,
  'create table w0_0 (id integer primary key, name text, land text, rank integer not null)',
  'create table things (id integer primary key, tag text, owner integer, next integer)',
]

type Tables = typeof sqliteTables
const modelsOf = (tables: Tables) => ({ lands: modelOf(tables.lands), owners: modelOf(tables.w0_0), things: modelOf(tables.things) })
type Models = ReturnType<typeof modelsOf>

// Nothing refers by a foreign key: a key may lead to no record.
const name = fc.option(fc.constantFrom('a', 'ab', 'b'))
const key = fc.option(fc.nat(4))
const rowsOf = fc.record({
  lands: fc.array(
    fc.record({
      name,
      size: fc.option(fc.integer({ min: -1, max: 2 })),
      area: fc.option(fc.constantFrom(-0.5, 0.1, 0.1 + 0.2, 0.3)),
      big: fc.option(fc.constantFrom(9n, 10n, -(2n ** 60n))),
      price: fc.option(fc.constantFrom('9.5', '10', '-2')),
      at: fc.option(fc.constantFrom(new Date(0), new Date(-1), new Date(1.7e12))),
      open: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  owners: fc.array(fc.record({ name, land: key, rank: fc.nat(3) }), { maxLength: 5 }),
  things: fc.array(fc.record({ tag: name, owner: key, next: key }), { minLength: 1, maxLength: 7 }),
})
type Rows = typeof rowsOf extends fc.Arbitrary<infer R> ? R : never

// How each column is reached, as a query says it and as it is walked in memory.
const ofLand = ['name', 'size', 'area', 'big', 'price', 'at', 'open'] as const
const names = ['tag', 'owner', 'owner.name', 'owner.land', 'next.tag', 'next.owner.name', ...ofLand.map((one) => `owner.land.${one}`)]

/** @param narrow whether some owners and lands are out of sight */
function alongOf(path: string, { lands, owners, things }: Models, narrow: boolean): Along | undefined {
  const steps = path.split('.')
  const column = steps.pop() as string
  if (steps.length === 0) return undefined
  const where = (name: string, value: unknown): Condition => (narrow ? { op: name === 'rank' ? 'gte' : 'eq', column: name, value } : always)
  return {
    column,
    steps: steps.map((by) =>
      by === 'land'
        ? { by, of: lands, where: where('open', true) }
        : by === 'owner'
          ? { by, of: owners, where: where('rank', 2) }
          : { by, of: things, where: always },
    ),
  }
}

function alongIn(...path: Parameters<typeof alongOf>) {
  const along = alongOf(...path)
  return along && { along }
}

function walked(path: string, rows: Rows, at: number, narrow: boolean): unknown {
  let here: Record<string, unknown> | undefined = rows.things[at]
  const steps = path.split('.')
  const column = steps.pop() as string
  for (const step of steps) {
    const to = here?.[step] as number | null | undefined
    const there =
      to === null || to === undefined ? undefined : rows[({ owner: 'owners', land: 'lands', next: 'things' } as const)[step as 'owner']][to]
    const one = there as Record<string, unknown> | undefined
    const seen = !narrow || !one || step === 'next' || (step === 'owner' ? Number(one.rank) >= 2 : one.open === true)
    here = seen ? one : undefined
  }
  const value = here?.[column] ?? null
  return column === 'land' && value !== null ? `l${value}` : value
}

function compare(a: unknown, b: unknown, direction: Order['direction']): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const asNumber = (one: unknown) => (typeof one === 'string' && /^-?[\d.]+$/.test(one) ? Number(one) : one) as number
  const [left, right] = [asNumber(a), asNumber(b)]
  const sign = left < right ? -1 : left > right ? 1 : 0
  return direction === 'ASC' ? sign : -sign
}

const sorts = fc.record({
  steps: fc.uniqueArray(fc.record({ path: fc.constantFrom(...names), direction: fc.constantFrom('ASC', 'DESC') }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ path }) => path,
  }),
  last: fc.constantFrom('ASC', 'DESC'),
  narrow: fc.boolean(),
  limit: fc.integer({ min: 1, max: 4 }),
})

interface World {
  /** A new one in memory each time that it is emptied. */
  store(): Store
  readonly models: Models
  empty(): Promise<unknown>
  end(): Promise<unknown>
}

const worlds: Readonly<Record<string, () => Promise<World>>> = {
  async memory() {
    const models = modelsOf(sqliteTables)
    let store = memoryStore()
    const empty = async () => {
      store = memoryStore()
    }
    return { store: () => store, models, empty, end: () => store.close() }
  },
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-along-'))
    const client = new Sqlite(join(folder, 'x.db'))
    client.exec(schemaIn('text', 'integer', 'integer').join(';'))
    const store = openSqlStore({ database: `sqlite:${join(folder, 'x.db')}` })
    const end = async () => {
      await store.close()
      client.close()
      rmSync(folder, { recursive: true, force: true })
    }
    return { store: () => store, models: modelsOf(sqliteTables), empty: async () => client.exec(emptied), end }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    await database.query(schemaIn('bigint', 'timestamptz(3)', 'boolean').join(';'))
    const store = openSqlStore({ database: database.url })
    const end = () => store.close().then(database.drop)
    return { store: () => store, models: modelsOf(pgTables), empty: () => database.query(emptied), end }
  },
}

const emptied = 'delete from lands; delete from w0_0; delete from things'

describe.each(Object.entries(worlds))('a list sorted by what other records have, over %s', (kind, open) => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world?.end())

  async function fill({ lands, owners, things }: Rows) {
    await world.empty()
    const { models } = world
    const landOf = (land: number | null) => (land === null ? null : `l${land}`)
    await world.store().transaction(async (tx) => {
      for (const [at, land] of lands.entries()) await tx.create(models.lands, { ...land, code: `l${at}` })
      for (const [id, one] of owners.entries()) await tx.create(models.owners, { ...one, id, land: landOf(one.land) })
      for (const [id, one] of things.entries()) await tx.create(models.things, { ...one, id })
    })
  }

  test('has each record once, in the order computed in memory, by position in both directions and from either end', async () => {
    const property = fc.asyncProperty(rowsOf, sorts, async (rows, { steps, last, narrow, limit }) => {
      await fill(rows)
      const { models } = world
      const store = world.store()
      const order: Order[] = steps.map(({ path, direction }) => {
        return { column: path, direction, ...alongIn(path, models, narrow) }
      })
      order.push({ column: 'id', direction: last })
      const expected = rows.things
        .map((_, at) => [...steps.map(({ path }) => walked(path, rows, at, narrow)), at])
        .sort((a, b) => order.reduce((sign, { direction }, i) => sign || compare(a[i], b[i], direction), 0))
      const query = { columns: order.map(({ column }) => column), where: always, order }
      const list = (more: { limit: number; offset?: number; fromEnd?: boolean; position?: Position }) =>
        store.list(models.things, { ...query, ...more })
      const asStored = (all: readonly Row[]) =>
        all.map((row) => row.map((one) => (typeof one === 'string' && /^-?[\d.]+$/.test(one) ? Number(one) : one)))
      const wanted = asStored(expected)
      expect(asStored(await list({ limit: 100 }))).toEqual(wanted)
      expect(asStored(await list({ limit, offset: 1 }))).toEqual(wanted.slice(1, 1 + limit))
      const until = Math.max(0, wanted.length - 1)
      expect(asStored(await list({ limit, offset: 1, fromEnd: true }))).toEqual(wanted.slice(Math.max(0, until - limit), until))
      const forwards: Row[] = []
      for (
        let page = await list({ limit });
        page.length > 0;
        page = await list({ limit, position: { side: 'after', values: page.at(-1) as Row } })
      )
        forwards.push(...page)
      expect(asStored(forwards)).toEqual(wanted)
      const backwards: Row[] = []
      for (
        let page = await list({ limit, fromEnd: true });
        page.length > 0;
        page = await list({ limit, position: { side: 'before', values: page[0] as Row } })
      )
        backwards.unshift(...page)
      expect(asStored(backwards)).toEqual(wanted)
    })
    await fc.assert(property, { numRuns: kind === 'PostgreSQL' ? 60 : 250 })
  }, 120_000)

  test('is walked once over what was there, whatever is added and changed meanwhile', async () => {
    const property = fc.asyncProperty(rowsOf, sorts, key, async (rows, { steps, narrow, limit }, owner) => {
      await fill(rows)
      const { models } = world
      const store = world.store()
      const order: Order[] = [
        ...steps.map(({ path, direction }) => ({ column: path, direction, ...alongIn(path, models, narrow) })),
        { column: 'id', direction: 'ASC' },
      ]
      const query = { columns: order.map(({ column }) => column), where: always, order, limit }
      const seen: unknown[] = []
      let added = 1000
      for (let page = await store.list(models.things, query); page.length > 0; ) {
        seen.push(...page.map((row) => row.at(-1)))
        const id = added++
        if (id < 1005) await store.transaction((tx) => tx.create(models.things, { id, tag: 'ab', owner, next: 0 }))
        page = await store.list(models.things, { ...query, position: { side: 'after', values: page.at(-1) as Row } })
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((one) => Number(one) < 1000).sort()).toEqual(rows.things.map((_, at) => at))
    })
    await fc.assert(property, { numRuns: kind === 'PostgreSQL' ? 20 : 60 })
  }, 120_000)
})
