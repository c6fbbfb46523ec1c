import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  chart,
  date,
  dateTime,
  definePage,
  definePanel,
  defineResource,
  type Groups,
  groups,
  id,
  memoryStore,
  number,
  openSqlStore,
  type Panel,
  type Store,
  select,
  switcher,
  text,
} from 'daymark'
import { authenticateApi } from 'daymark/jwt'
import { type TestPanel, testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { modelOf } from '../../src/resource/model/model.js'
import { fill } from '../../src/store/contract/case.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const shops = sqliteTable('shops', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  hidden: integer({ mode: 'boolean' }).notNull(),
})
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  status: varchar({ enum: ['open', 'in_review', 'paid', 'sent', 'lost', 'back', 'new'] }),
  shopId: integer('shop_id'),
  total: real(),
  express: integer({ mode: 'boolean' }).notNull(),
  secret: varchar(),
  at: integer({ mode: 'timestamp_ms' }),
  day: varchar(),
})
const sqliteTables = { shops, orders }
const pgTables = {
  shops: pg.pgTable('shops', { id: pg.integer().primaryKey(), name: pg.text().notNull(), hidden: pg.boolean().notNull() }),
  orders: pg.pgTable('orders', {
    id: pg.integer().primaryKey(),
    status: pg.text({ enum: ['open', 'in_review', 'paid', 'sent', 'lost', 'back', 'new'] }),
    shopId: pg.integer('shop_id'),
    total: pg.doublePrecision(),
    express: pg.boolean().notNull(),
    secret: pg.text(),
    at: pg.timestamp({ withTimezone: true }),
    day: pg.date({ mode: 'string' }),
  }),
} as unknown as typeof sqliteTables

// Two days before, the clocks of Berlin have skipped an hour.
const now = Date.parse('2026-03-31T10:00:00Z')
const zone = 'Europe/Berlin'
const statuses = ['open', 'open', 'open', 'in_review', 'in_review', 'paid', 'sent', 'lost', 'back', 'new', null] as const

interface Order {
  readonly id: number
  readonly status: (typeof statuses)[number]
  readonly shopId: number | null
  readonly total: number | null
  readonly express: boolean
  readonly at: Date | null
  readonly day: string | null
}

const dayIn = (timeZone: string, at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
let seed = 42
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}
// Quarters of numbers, whose sums are exact in any order.
const rows: readonly Order[] = Array.from({ length: 600 }, (_, index) => {
  const at = index % 50 === 0 ? null : new Date(now - random(70 * 86_400_000) + 86_400_000)
  return {
    id: index + 1,
    status: statuses[random(statuses.length)] as Order['status'],
    shopId: index % 40 === 0 ? null : 1 + random(15),
    total: index % 30 === 0 ? null : random(4000) / 4,
    express: random(3) === 0,
    at,
    day: at && dayIn('UTC', at),
  }
})
const shopRows = Array.from({ length: 15 }, (_, index) => ({ id: index + 1, name: `Shop ${index + 1}`, hidden: index === 14 }))

function panelOver(tables: typeof sqliteTables, database: string | null, store: Store): Panel {
  const own = database === null ? { shops: { ...store, table: tables.shops }, orders: { ...store, table: tables.orders } } : tables
  const Shops = defineResource({
    model: own.shops,
    title: 'Shops',
    column: 'name',
    scope: ({ user: { roles } }) => (roles.includes('all') ? {} : { hidden: false }),
  })
  const Orders = defineResource({
    model: own.orders,
    title: 'Orders',
    fields: {
      id: id(),
      status: select('Status'),
      shopId: belongsTo('Shop', tables.shops),
      total: number('Total').decimals(2),
      express: switcher('Express'),
      secret: text('Secret').visible(['admin']),
      at: dateTime('At'),
      day: date('Day'),
    },
    filters: ['status', 'shopId', 'express', 'at', 'day'],
    scope: ({ user: { roles } }) => (roles.includes('express') ? { express: true } : {}),
    can: { viewAny: ['admin', 'clerk', 'express', 'all'], create: true },
  })
  const by = { at: { by: 'at', every: 'day', last: 10 } } as const
  const page = definePage({
    uri: 'charts',
    title: 'Charts',
    can: true,
    components: [
      chart({ name: 'status', label: 'By status', data: groups.count(Orders, { by: 'status' }) }),
      chart({ name: 'few', label: 'Few', data: groups.sum(Orders, 'total', { by: 'status', limit: 3 }) }),
      chart({ name: 'but-one', label: 'But one', type: 'doughnut', data: groups.count(Orders, { by: 'status', limit: 7 }) }),
      chart({ name: 'but-two', label: 'But two', type: 'doughnut', data: groups.count(Orders, { by: 'status', limit: 6 }) }),
      chart({ name: 'but-none', label: 'But none', data: groups.count(Orders, { by: 'status', limit: 7, others: false }) }),
      chart({
        name: 'but-one-part',
        label: 'But one part',
        data: groups.count(Orders, {
          by: 'express',
          split: 'status',
          where: { status: { in: ['open', 'in_review', 'paid', 'sent', 'lost', 'back'] } },
        }),
      }),
      chart({ name: 'named', label: 'Named', data: groups.count(Orders, { by: 'status', order: 'group', limit: 50 }) }),
      chart({ name: 'means', label: 'Means', data: groups.average(Orders, 'total', { by: 'status', limit: 3 }) }),
      chart({ name: 'bare', label: 'Bare', data: groups.count(Orders, { by: 'shopId', split: 'status', limit: 3, others: false }) }),
      chart({ name: 'shops', label: 'By shop', data: groups.count(Orders, { by: 'shopId', limit: 50 }) }),
      chart({ name: 'express', label: 'By express', type: 'doughnut', data: groups.count(Orders, { by: 'express' }) }),
      chart({ name: 'days', label: 'By day', data: groups.sum(Orders, 'total', by.at) }),
      chart({ name: 'civil', label: 'By civil day', data: groups.count(Orders, { by: 'day', every: 'day', last: 10 }) }),
      chart({ name: 'weeks', label: 'By week', type: 'line', data: groups.largest(Orders, 'total', { by: 'at', every: 'week', last: 4 }) }),
      chart({ name: 'parts', label: 'Parts', data: groups.count(Orders, { ...by.at, split: 'status' }) }),
      chart({ name: 'both', label: 'Both', data: groups.sum(Orders, 'total', { by: 'shopId', split: 'status', limit: 4 }) }),
      chart({
        name: 'two',
        label: 'Two',
        type: 'line',
        data: [
          { label: 'All', data: groups.count(Orders, by.at) },
          { label: 'Express', data: groups.count(Orders, { ...by.at, where: { express: true } }) },
        ],
      }),
      chart({ name: 'secrets', label: 'Secrets', data: groups.count(Orders, { by: 'secret' }) }),
      chart({ name: 'secret-parts', label: 'Secret parts', data: groups.count(Orders, { by: 'status', split: 'secret' }) }),
      chart({
        name: 'own',
        label: 'Own',
        data: async ({ user }) => ({
          groups: ['a <b>', user.name],
          series: [
            { label: 'One', values: [1, Number.NaN] },
            { label: 'Two', values: [-2] },
          ],
        }),
      }),
    ],
  })
  return definePanel({
    auth: 'open',
    ...(database !== null && { database }),
    resources: [Orders, Shops],
    pages: [page],
    timeZone: zone,
    log: () => {},
  })
}

interface Shown {
  readonly label: string
  readonly more: boolean
  readonly groups: readonly {
    readonly label: string
    readonly value?: unknown
    readonly from?: string
    readonly until?: string
    readonly others?: true
  }[]
  readonly series: readonly {
    readonly label: string
    readonly value?: unknown
    readonly others?: true
    readonly values: readonly (number | null)[]
  }[]
}

/** What a chart must show, computed from the rows. */
function oracle<K>(of: readonly Order[], keyOf: (order: Order) => K): Map<K, Order[]> {
  const found = new Map<K, Order[]>()
  for (const order of of) found.set(keyOf(order), [...(found.get(keyOf(order)) ?? []), order])
  return found
}
const sum = (of: readonly Order[]) => of.reduce((total, order) => total + (order.total ?? 0), 0)
const days = (timeZone: string) => Array.from({ length: 10 }, (_, index) => dayIn(timeZone, new Date(now - (9 - index) * 86_400_000)))

const stores = {
  memory: async () => ({ tables: sqliteTables, database: null, store: memoryStore(), end: async () => {} }),
  SQLite: async () => {
    const place = mkdtempSync(join(tmpdir(), 'daymark-charts-'))
    const client = new Sqlite(join(place, 'charts.db'))
    client.exec(`create table shops (id integer primary key, name text not null, hidden integer not null);
      create table orders (id integer primary key, status text, shop_id integer, total real, express integer not null, secret text, at integer, day text)`)
    client.close()
    const database = `sqlite:${join(place, 'charts.db')}`
    return {
      tables: sqliteTables,
      database,
      store: openSqlStore({ database }),
      end: async () => rmSync(place, { recursive: true, force: true }),
    }
  },
  PostgreSQL: async () => {
    const database = await openDatabase()
    await database.query(`create table shops (id integer primary key, name text not null, hidden boolean not null);
      create table orders (id integer primary key, status text, shop_id integer, total double precision, express boolean not null, secret text, at timestamptz, day date)`)
    return { tables: pgTables, database: database.url, store: openSqlStore({ database: database.url }), end: () => database.drop() }
  },
}

describe.each(Object.entries(stores))('charts over %s', (_, open) => {
  let world: Awaited<ReturnType<typeof open>>
  let panel: Panel
  let all: TestPanel

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    world = await open()
    panel = panelOver(world.tables, world.database, world.store)
    await fill(world.store, modelOf(world.tables.shops), shopRows)
    await fill(
      world.store,
      modelOf(world.tables.orders),
      rows.map((row) => ({ ...row, secret: row.id % 2 === 0 ? 'x' : 'y' })),
    )
    all = testPanel(panel).as({ id: '1', name: 'All', roles: ['admin', 'all'] })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await panel?.close()
    await world?.store.close()
    await world?.end()
  })

  const read = async (asked: TestPanel = all) => ((await asked.get('/admin/page/charts')).json() as { data: Record<string, Shown> }).data

  test('values form groups, the largest first, and those without a value are one, too', async () => {
    const { status, named } = await read()
    const expected = [...oracle(rows, (order) => order.status)].map(([value, of]) => ({ value, count: of.length }))
    expect(status?.series[0]?.values).toEqual(expected.map(({ count }) => count).sort((a, b) => b - a))
    const shown = status?.groups.map(({ value }, index) => ({ value, count: status.series[0]?.values[index] }))
    expect(shown).toHaveLength(expected.length)
    expect(shown).toEqual(expect.arrayContaining(expected))
    expect(status?.groups.find(({ value }) => value === 'in_review')?.label).toBe('In review')
    expect(status?.groups.find(({ value }) => value === null)?.label).toBe('None')
    expect(named?.groups.map(({ value }) => value)).toEqual(['back', 'in_review', 'lost', 'new', 'open', 'paid', 'sent', null])
  })

  test('counts and sums add up the rest; other numbers leave it out', async () => {
    const { few, means, bare } = await read()
    const sums = [...oracle(rows, (order) => order.status)].map(([value, of]) => ({ value, sum: sum(of) })).sort((a, b) => b.sum - a.sum)
    expect(few?.groups.map(({ value, others }) => (others ? 'others' : value))).toEqual([
      ...sums.slice(0, 3).map(({ value }) => value),
      'others',
    ])
    const [values] = few?.series.map((one) => one.values) ?? []
    expect(values).toEqual([
      ...sums.slice(0, 3).map((one) => one.sum),
      sum(rows) - sums.slice(0, 3).reduce((total, one) => total + one.sum, 0),
    ])
    expect(means?.groups).toHaveLength(3)
    expect(means?.groups.every(({ others }) => others === undefined)).toBe(true)
    const { text: shown } = await all.get('/admin/page/charts', { headers: { accept: 'text/html' } })
    expect(shown.match(/The first 3 are shown; there are more/g)).toHaveLength(2)
    expect([few?.more, means?.more, bare?.more]).toEqual([false, true, true])
    expect(bare?.groups).toHaveLength(3)
    expect(bare?.series).toHaveLength(5)
  })

  test('one group alone is not the others, but has its own name', async () => {
    const charts = await read()
    const { status } = charts
    const [one, two, none, part] = ['but-one', 'but-two', 'but-none', 'but-one-part'].map((name) => charts[name])
    expect([one?.groups, one?.series[0]?.values, one?.more]).toEqual([status?.groups, status?.series[0]?.values, false])
    expect(two?.groups.map(({ others }) => others === true)).toEqual([false, false, false, false, false, false, true])
    expect([none?.groups, none?.more]).toEqual([status?.groups.slice(0, 7), true])
    expect(part?.series).toHaveLength(6)
    expect(part?.series.filter(({ others }) => others)).toEqual([])
  })

  test('a relation is named by the label of its record, where the user may see it', async () => {
    const shopOf = async (asked: TestPanel) => (await read(asked)).shops?.groups.find(({ value }) => value === 15)?.label
    expect(await shopOf(all)).toBe('Shop 15')
    expect(await shopOf(testPanel(panel).as({ roles: ['clerk'] }))).toBe('15')
    expect((await read()).express?.groups.map(({ label }) => label)).toEqual(['No', 'Yes'])
  })

  test('periods are those of the time zone, also where the clocks change, and empty ones are 0', async () => {
    const { days: shown, civil, weeks } = await read()
    const byDay = oracle(
      rows.filter(({ at }) => at),
      ({ at }) => dayIn(zone, at as Date),
    )
    expect(shown?.series[0]?.values).toEqual(days(zone).map((day) => sum(byDay.get(day) ?? [])))
    expect(shown?.groups.map(({ from }) => from)).toEqual(
      ['21', '22', '23', '24', '25', '26', '27', '28']
        .map((day) => `2026-03-${day}T23:00:00.000Z`)
        .concat('2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z'),
    )
    expect(shown?.groups.at(-1)).toEqual({ label: 'Mar 31, 2026', from: '2026-03-30T22:00:00.000Z', until: '2026-03-31T22:00:00.000Z' })
    const byCivil = oracle(rows, ({ day }) => day)
    expect(civil?.series[0]?.values).toEqual(days(zone).map((day) => byCivil.get(day)?.length ?? 0))
    expect(civil?.groups[0]).toEqual({ label: 'Mar 22, 2026', from: '2026-03-22', until: '2026-03-23' })
    expect(weeks?.groups.map(({ label }) => label.replaceAll('\u2009', ' '))).toEqual([
      'Mar 9 – 15, 2026',
      'Mar 16 – 22, 2026',
      'Mar 23 – 29, 2026',
      'Mar 30 – Apr 5, 2026',
    ])
    const inWeek = rows.filter(({ at }) => at && dayIn(zone, at) >= '2026-03-09' && dayIn(zone, at) <= '2026-03-15')
    expect(weeks?.series[0]?.values[0]).toBe(Math.max(...inWeek.map(({ total }) => total ?? 0)))
  })

  test('another column forms series: the five largest, and the rest', async () => {
    const { parts, both } = await read()
    const inDays = rows.filter(({ at }) => at && days(zone).includes(dayIn(zone, at)))
    const byStatus = oracle(inDays, ({ status }) => status)
    expect(parts?.series).toHaveLength(6)
    for (const { value, others, values } of parts?.series ?? []) {
      const named = parts?.series.filter((one) => !one.others).map((one) => one.value)
      const own = others ? inDays.filter(({ status }) => !named?.includes(status)) : (byStatus.get(value as Order['status']) ?? [])
      expect(values).toEqual(days(zone).map((day) => own.filter(({ at }) => dayIn(zone, at as Date) === day).length))
    }
    const shopsShown = both?.groups.map(({ value, others }) => (others ? 'others' : value)) ?? []
    expect(shopsShown).toHaveLength(5)
    for (const { value, others, values } of both?.series ?? []) {
      const named = both?.series.filter((one) => !one.others).map((one) => one.value)
      const own = rows.filter(({ status }) => (others ? !named?.includes(status) : status === value))
      expect(values).toEqual(
        shopsShown.map((shop) => sum(own.filter(({ shopId }) => (shop === 'others' ? !shopsShown.includes(shopId) : shopId === shop)))),
      )
    }
  })

  test('several series stand side by side, each with its own condition', async () => {
    const { two } = await read()
    expect(two?.series.map(({ label }) => label)).toEqual(['All', 'Express'])
    const inDay = (day: string) => rows.filter(({ at }) => at && dayIn(zone, at) === day)
    expect(two?.series[0]?.values).toEqual(days(zone).map((day) => inDay(day).length))
    expect(two?.series[1]?.values).toEqual(days(zone).map((day) => inDay(day).filter(({ express }) => express).length))
  })

  test('each group leads to the list of just its records', async () => {
    const { text: shown } = await all.get('/admin/page/charts', { headers: { accept: 'text/html' } })
    const data = await read()
    for (const name of ['status', 'shops', 'express', 'civil', 'parts']) {
      const [, own = ''] = new RegExp(`<figure class="card chart" id="${name}"(.*?)</figure>`, 's').exec(shown) ?? []
      const links = [...own.matchAll(/<th scope="row">(?:<svg.*?<\/svg>)?(?:<a href="([^"]*)">)?/gs)].map(([, href]) =>
        href?.replaceAll('&amp;', '&'),
      )
      const { groups: all_, series } = data[name] as Shown
      expect(links).toHaveLength(all_.length)
      for (const [index, href] of links.entries()) {
        const total = series.reduce((count, { values }) => count + (values[index] ?? 0), 0)
        expect(href).toMatch(/^\/admin\/resource\/orders\/crud\?filter/)
        expect(((await all.get(href as string)).json() as { meta: { total: number } }).meta.total, `${name} ${href}`).toBe(total)
      }
    }
    const [, two = ''] = /id="two"(.*?)<\/figure>/s.exec(shown) ?? []
    // The list would show more than was counted.
    expect(two.match(/<a /g) ?? []).toHaveLength(days(zone).length * 2)
  })

  test('scope, permissions and hidden fields hold', async () => {
    const express = await read(testPanel(panel).as({ roles: ['express'] }))
    expect(express.express?.groups.map(({ value }) => value)).toEqual([true])
    expect(express.secrets).toBeUndefined()
    expect(express['secret-parts']).toBeUndefined()
    expect(Object.keys(await read())).toEqual(expect.arrayContaining(['secrets', 'secret-parts']))
    const unknown = '/admin/component/charts?_component_name=nothing'
    const { text: named } = await testPanel(panel)
      .as({ roles: ['express'] })
      .get(unknown, { headers: { accept: 'text/html' } })
    expect(named).toContain('status, few')
    expect(named).not.toContain('secret')
    const stranger = testPanel(panel).as({ roles: ['other'] })
    expect(Object.keys(await read(stranger))).toEqual(['own'])
    for (const name of ['status', 'secrets', 'nothing'])
      expect((await stranger.get(`/admin/component/charts?_component_name=${name}`, { headers: { accept: 'text/html' } })).status).toBe(404)
  })

  test('a function gives its own numbers, escaped, and what is no number is none', async () => {
    expect((await read()).own).toEqual({
      label: 'Own',
      groups: [{ label: 'a <b>' }, { label: 'All' }],
      series: [
        { label: 'One', values: [1, null] },
        { label: 'Two', values: [-2, null] },
      ],
      more: false,
    })
    const { text: shown } = await all.get('/admin/component/charts?_component_name=own', { headers: { accept: 'text/html' } })
    expect(shown).toContain('a &lt;b&gt;')
    expect(shown).not.toContain('a <b>')
  })
})

test('values that a column should not hold are among the others, and a sum of no finite number is none', async () => {
  const place = mkdtempSync(join(tmpdir(), 'daymark-charts-'))
  const client = new Sqlite(join(place, 'odd.db'))
  client.exec(`create table odd (id integer primary key, size, fine, weight);
    insert into odd values (1, 1, 1, 1), (2, 1, 1, 1), (3, 'big', 'yes', 1), (4, x'00', 0, 1e400), (5, 1.5, 0, 2), (6, null, 2, null), (7, 9007199254740993, 0, 1)`)
  client.close()
  const odd = sqliteTable('odd', { id: integer().primaryKey(), size: integer(), fine: integer({ mode: 'boolean' }), weight: real() })
  const Odd = defineResource({ model: odd, fields: { id: id(), size: number('Size'), fine: switcher('Fine') }, filters: ['size', 'fine'] })
  const Weighed = defineResource({ model: odd, uriKey: 'weighed' })
  const page = definePage({
    uri: 'odd',
    title: 'Odd',
    components: [
      chart({ name: 'size', label: 'Size', data: groups.count(Odd, { by: 'size', order: 'group' }) }),
      chart({ name: 'fine', label: 'Fine', data: groups.count(Odd, { by: 'fine' }) }),
      chart({ name: 'weight', label: 'Weight', data: groups.sum(Weighed, 'weight', { by: 'fine', split: 'size' }) }),
    ],
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(place, 'odd.db')}`, resources: [Odd, Weighed], pages: [page] })
  const { get } = testPanel(panel)
  const { size, fine, weight } = ((await get('/admin/page/odd')).json() as { data: Record<string, Shown> }).data
  expect(size?.groups.map(({ value, others }) => (others ? 'others' : value))).toEqual([1, '9007199254740993', null, 'others'])
  expect(size?.series[0]?.values).toEqual([2, 1, 1, 3])
  expect(fine?.groups.map(({ value, others }) => (others ? 'others' : value))).toEqual([false, true, 'others'])
  expect(fine?.series[0]?.values).toEqual([3, 2, 2])
  expect(weight?.series.flatMap(({ values }) => values).some((value) => value === null)).toBe(true)
  const { text: shown } = await get('/admin/page/odd', { headers: { accept: 'text/html' } })
  expect(shown).toContain('filter%5Bsize%5D=1"')
  // No filter takes it.
  expect(shown).not.toContain('filter%5Bsize%5D=9007199254740993')
  await panel.close()
  rmSync(place, { recursive: true, force: true })
})

test('series of several resources have no list to lead to', async () => {
  const store = memoryStore(orders, [{ id: 1, express: true, at: new Date() }])
  const Orders = defineResource({ model: store, uriKey: 'orders' })
  const Others = defineResource({ model: store, uriKey: 'others' })
  const by = { by: 'at', every: 'day', last: 2 } as const
  const linksOf = async (...all: Groups[]) => {
    const data = all.map((one, index) => ({ label: String(index), data: one }))
    const page = definePage({ uri: 'one', title: 'One', components: [chart({ name: 'one', label: 'One', data })] })
    const { get } = testPanel(definePanel({ auth: 'open', resources: [Orders, Others], pages: [page] }))
    const { text: shown } = await get('/admin/component/one?_component_name=one', { headers: { accept: 'text/html' } })
    return shown.match(/<a /g)?.length ?? 0
  }
  expect(await linksOf(groups.count(Orders, by), groups.count(Orders, { ...by, where: { express: true } }))).toBe(4)
  expect(await linksOf(groups.count(Orders, by), groups.count(Others, by))).toBe(0)
})

test('a chart asks once, and with parts and others a few times, whatever there is', async () => {
  const store = memoryStore(orders, rows)
  let asked = 0
  const aggregate: Store['aggregate'] = (...args) => {
    asked++
    return store.aggregate(...args)
  }
  const Orders = defineResource({ model: { ...store, aggregate } as typeof store, uriKey: 'orders' })
  const costs = async (data: Groups) => {
    asked = 0
    const page = definePage({ uri: 'one', title: 'One', components: [chart({ name: 'one', label: 'One', data })] })
    expect((await testPanel(definePanel({ auth: 'open', resources: [Orders], pages: [page] })).get('/admin/page/one')).status).toBe(200)
    return asked
  }
  const by = { by: 'at', every: 'day', last: 366 } as const
  expect(await costs(groups.count(Orders, { by: 'status' }))).toBe(1)
  expect(await costs(groups.count(Orders, { by: 'status', limit: 2 }))).toBe(2)
  expect(await costs(groups.count(Orders, by))).toBe(1)
  expect(await costs(groups.count(Orders, { ...by, split: 'express' }))).toBe(2)
  expect(await costs(groups.count(Orders, { ...by, split: 'status' }))).toBe(3)
  expect(await costs(groups.count(Orders, { by: 'shopId', split: 'status', limit: 2 }))).toBe(4)
  expect(await costs(groups.average(Orders, 'total', { by: 'shopId', split: 'status', limit: 2 }))).toBe(3)
})

test('a page has the days of its reader, JSON those of the panel', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  const Orders = defineResource({ model: memoryStore(orders, [{ id: 1, express: true, at: new Date(now) }]), uriKey: 'orders' })
  const identity = { id: 'ann', username: 'ann', name: 'Ann', roles: ['admin'] }
  const who = { timeZone: 'America/New_York' }
  const key = { name: 'key', cookies: false, identify: () => ({ identity, session: null, ambient: false, timeZone: who.timeZone }) }
  const data = groups.count(Orders, { by: 'at', every: 'day', last: 2 })
  const panel = definePanel({
    middleware: [],
    auth: { middleware: authenticateApi(), pipelines: [key] },
    database: 'sqlite::memory:',
    resources: [Orders],
    pages: [definePage({ uri: 'days', title: 'Days', components: [chart({ name: 'days', label: 'Days', data })] })],
  } as never)
  const ask = async (accept: string) => {
    const answer = await panel.fetch(new Request('http://localhost/admin/page/days', { headers: { accept } }))
    expect(answer.status).toBe(200)
    return answer.text()
  }
  const rowsIn = (shown: string) =>
    [...shown.matchAll(/<th scope="row">(?:<a [^>]*>)?([^<]*)(?:<\/a>)?<\/th><td class="number">(\d+)/g)].map(([, label, count]) => [
      label,
      count,
    ])
  expect(rowsIn(await ask('text/html'))).toEqual([
    ['Mar 30, 2026', '0'],
    ['Mar 31, 2026 (so far)', '1'],
  ])
  who.timeZone = 'Pacific/Kiritimati'
  expect(rowsIn(await ask('text/html'))).toEqual([
    ['Mar 31, 2026', '0'],
    ['Apr 1, 2026 (so far)', '1'],
  ])
  expect(JSON.parse(await ask('application/json')).data.days.groups.at(-1)).toMatchObject({ from: '2026-03-31T00:00:00.000Z' })
  await panel.close()
  vi.useRealTimers()
})
