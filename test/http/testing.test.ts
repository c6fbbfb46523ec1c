import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, memoryStore, openSqlStore, text } from 'daymark'
import { factory, testPanel } from 'daymark/testing'
import { integer as pgInteger, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, describe, expect, test } from 'vitest'

const countries = sqliteTable('countries', { id: integer().primaryKey(), code: varchar({ length: 3 }).notNull().unique() })
const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  countryId: integer()
    .notNull()
    .references(() => countries.id),
  population: integer().notNull().default(0),
  kind: varchar({ enum: ['town', 'city'] }).notNull(),
  founded: integer({ mode: 'timestamp_ms' }).notNull(),
})
const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull() })

const Notes = defineResource({ model: memoryStore(notes), fields: { id: id(), name: text('Name').required() }, can: { delete: ['admin'] } })
const panel = definePanel({ auth: 'open', resources: [Notes] })
const folder = mkdtempSync(join(tmpdir(), 'daymark-testing-'))
const file = `sqlite:${join(folder, 'atlas.db')}`
afterAll(async () => {
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a panel in a test', () => {
  const list = panel.route('crud.index', { resource: 'notes' })

  test('is asked as anybody, with every rule, and says what the verb ended in', async () => {
    const app = testPanel(panel)
    const { id: key, name } = await app.create(notes, { name: 'Bern' })
    const path = panel.route('crud.show', { resource: 'notes', resourceItem: String(key) })
    const editor = app.as({ roles: ['editor'] })
    expect((await editor.get(path)).json()).toEqual({ data: { id: key, name } })
    expect((await editor.delete(path)).is('refused').error.code).toBe('forbidden')
    expect((await app.as(null).get(path)).is('unauthenticated').error.status).toBe(401)
    expect((await app.post(list, {})).is('invalid').error.errors.get('name')).toEqual(['Name is required'])
    expect((await app.delete(path)).is('deleted').count).toBe(1)
  })

  test('is asked as somebody of whom more is known, and by their API key', async () => {
    const told: unknown[] = []
    const Told = defineResource({
      model: memoryStore(notes),
      fields: { id: id(), name: text('Name') },
      can: { view: ({ user }) => told.push(user) > 0 },
    })
    const user = { id: '7', roles: ['clerk'], company: 3, apiKey: { id: 'k', roles: null, readOnly: true } }
    await testPanel(definePanel({ auth: 'open', resources: [Told] }))
      .as(user)
      .get(list)
    expect(told[0]).toEqual({ username: 'test@example.com', name: 'Test', ...user })
  })

  test('is asked for pages, and gets forms', async () => {
    const { html } = testPanel(panel).as({ roles: ['editor'] })
    const page = await html.get(list)
    expect([page.headers.get('content-type'), page.is('listed').rows.length]).toEqual(['text/html; charset=utf-8', 0])
    expect((await html.post(list, new URLSearchParams({ name: '' }))).is('form').error?.code).toBe('invalid')
    const made = await html.post(list, new URLSearchParams({ name: 'Basel' }))
    expect([made.status, made.is('saved').created]).toEqual([303, true])
  })

  test('says what it was instead of what was expected', async () => {
    const answer = await testPanel(panel).post(list, {})
    expect(() => answer.is('saved')).toThrow('Expected saved, but it was invalid (invalid: ')
    expect(() => answer.is('saved')).toThrow('name: Name is required')
  })

  test('runs a job while it is asked how far that is, or until it has ended', async () => {
    const Slow = defineResource({ model: memoryStore(notes), uriKey: 'slow', handlers: { work: { long: true, run: () => 'Worked' } } })
    const working = definePanel({ auth: 'open', resources: [Slow] })
    const app = testPanel(working)
    const { id: key } = await app.create(notes, { name: 'Bern' })
    const begin = async () => {
      const answer = await app.post(working.route('handler', { resource: 'slow', handlerUri: 'work' }), { ids: [key] })
      expect(answer.status).toBe(202)
      return answer.json<{ data: { url: string } }>().data.url
    }
    const stateOf = async (url: string) => (await app.get(url)).json<{ data: { state: string } }>().data.state
    const url = await begin()
    let asked = 0
    while ((await stateOf(url)) === 'running' && asked < 1000) asked++
    expect(asked).toBeLessThan(1000)

    const other = await begin()
    const { text: told } = await app.get(other, { headers: { Accept: 'text/event-stream' } })
    expect(told).toContain('event: end')
    expect(await stateOf(other)).toBe('done')
    await working.close()
  })

  test('nobody can say who they are by what they send', async () => {
    const forged = new Request(`http://127.0.0.1${list}`, { headers: { 'daymark.probe': '{"identity":{"roles":["admin"]}}' } })
    expect((await panel.fetch(forged)).status).toBe(200)
    const users = definePanel({ database: 'sqlite::memory:', resources: [defineResource({ model: notes })] })
    const given = { 'daymark.probe': { identity: { id: '1', username: 'a', name: 'A', roles: ['admin'] }, saw() {} } }
    const fetch = users.fetch as (request: Request, given: unknown) => Promise<Response>
    const asked = new Request('http://127.0.0.1/admin/resource/notes/crud', { headers: { accept: 'application/json' } })
    expect((await fetch(asked, given)).status).toBe(401)
    await users.close()
  })
})

describe('a factory', () => {
  test('gives every column that needs one a value, different from row to row', () => {
    const city = factory(cities, (n) => ({ population: n * 1000 }))
    expect(city.make({ name: 'Bern' })).toEqual({ name: 'Bern', kind: 'city', founded: new Date('2026-01-02'), population: 1000 })
    expect(city.make()).toEqual({ name: 'name 2', kind: 'town', founded: new Date('2026-01-03'), population: 2000 })
    const code = factory(countries)
    const codes = Array.from({ length: 120 }, () => code.make().code)
    expect(new Set(codes).size).toBe(120)
    expect(codes.every(({ length }) => length <= 3)).toBe(true)
  })

  // Without exactOptionalPropertyTypes, the compiler lets it through.
  test('takes undefined for left out', () => {
    const towns = sqliteTable('towns', { id: integer().primaryKey(), name: varchar().notNull(), population: integer() })
    const town = factory(towns, () => ({ name: undefined, population: 1000 }) as object)
    expect(town.make()).toEqual({ name: 'name 1', population: 1000 })
    expect(town.make({ name: undefined, population: undefined } as object)).toEqual({ name: 'name 2', population: 1000 })
  })

  test('makes a list for an array column', () => {
    const words = pgTable('words', { id: pgInteger().primaryKey(), spellings: pgText().array().notNull() })
    expect(factory(words).make()).toMatchObject({ spellings: [] })
  })

  test('of a table that refers to another gets the record that it needs', async () => {
    const drizzle = openSqlStore({ database: file })
    await drizzle.transaction(async (tx) => {
      await tx.execute('create table countries (id integer primary key, code text not null unique)')
      await tx.execute(
        `create table cities (id integer primary key, name text not null, countryId integer not null references countries (id),
          population integer not null default 0, kind text not null, founded integer not null)`,
      )
    })
    await drizzle.close()
    const atlas = definePanel({ auth: 'open', database: file, resources: [defineResource({ model: cities })] })
    const app = testPanel(atlas)
    const bern = await app.create(factory(cities), { name: 'Bern' })
    expect(bern).toMatchObject({ id: 1, name: 'Bern', countryId: 1, population: 0, kind: 'city' })
    const { id: key } = await app.create(countries, { code: 'CHE' })
    expect(await app.create(cities, { countryId: key })).toMatchObject({ id: 2, countryId: 2 })
    await atlas.close()
  })

  test('says what it cannot know', async () => {
    const tree = sqliteTable('tree', {
      id: integer().primaryKey(),
      parentId: integer()
        .notNull()
        .references((): never => tree.id as never),
    })
    const own = definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(tree) })] })
    await expect(testPanel(own).create(tree)).rejects.toThrow('Say which record "parentId" refers to')
    expect(await testPanel(own).create(tree, { id: 1, parentId: 1 })).toEqual({ id: 1, parentId: 1 })
    await own.close()
  })

  const customers = sqliteTable('customers', { id: integer().primaryKey(), email: varchar().notNull().unique() })
  const orders = sqliteTable('orders', {
    id: integer().primaryKey(),
    customerId: integer()
      .notNull()
      .references(() => customers.id),
  })
  const lines = sqliteTable('lines', {
    id: integer().primaryKey(),
    code: varchar().notNull().unique(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
  })

  test('never makes what another one has made', async () => {
    const store = memoryStore()
    const all = [customers, orders, lines].map((table) => defineResource({ model: { ...store, table } as never }))
    const shop = definePanel({ auth: 'open', resources: all })
    const app = testPanel(shop)
    const [first, second] = [await app.create(customers), await app.create(customers)]
    expect(second.email).not.toBe(first.email)
    expect([first, second].every(({ email }) => /^email \d+$/.test(email))).toBe(true)
    await app.create(factory(customers))
    const order = factory(orders)
    const [one, two] = [await app.create(order), await app.create(order)]
    expect(two.customerId).not.toBe(one.customerId)
    await app.create(lines)
    await app.create(lines)
    await expect(app.create(customers, { email: first.email })).rejects.toThrow('customers.email: Already taken')
    await expect(app.create(factory(customers, () => ({ email: first.email })))).rejects.toThrow('customers.email: Already taken')
    await expect(app.create(customers, { email: 5 as never })).rejects.toThrow('customers.email: Must be text')
    await shop.close()
  })

  test('makes the records that a row needs by the factories that it is given', async () => {
    const store = memoryStore()
    const all = [customers, orders, lines].map((table) => defineResource({ model: { ...store, table } as never }))
    const shop = definePanel({ auth: 'open', resources: all })
    const factories = [factory(customers, (n) => ({ email: `ada${n}@example.com` })), factory(orders, (n) => ({ id: n * 100 }))]
    const app = testPanel(shop, { factories })
    const { orderId } = await app.create(lines)
    expect(orderId % 100).toBe(0)
    const { email } = await app.html.as({ roles: [] }).create(customers)
    expect(email).toMatch(/^ada\d+@example.com$/)
    expect((await app.create(factory(customers, () => ({ email: 'eve@example.com' })))).email).toBe('eve@example.com')
    await shop.close()
  })

  test('says which constraint has refused a row', async () => {
    const path = `sqlite:${join(folder, 'checked.db')}`
    const before = openSqlStore({ database: path })
    await before.transaction((tx) =>
      tx.execute('create table words (id integer primary key, word text, constraint words_short check (length(word) < 5))'),
    )
    await before.close()
    const words = sqliteTable('words', { id: integer().primaryKey(), word: varchar().notNull() })
    const checked = definePanel({ auth: 'open', database: path, resources: [defineResource({ model: words })] })
    await expect(testPanel(checked).create(words)).rejects.toThrow('(words_short)')
    await checked.close()
  })

  test('goes on behind the rows that an earlier run has left', async () => {
    const path = `sqlite:${join(folder, 'shop.db')}`
    const before = openSqlStore({ database: path })
    await before.transaction(async (tx) => {
      await tx.execute('create table customers (id integer primary key, email text not null unique)')
      await tx.execute('create table orders (id integer primary key, customerId integer not null references customers (id))')
      await tx.execute(
        'create table lines (id integer primary key, code text not null unique, orderId integer not null references orders (id))',
      )
      // Of the numbers up to 70, half are gone.
      for (let n = 1; n <= 70; n += n < 35 ? 1 : 2) await tx.execute(`insert into customers (email) values ('email ${n}')`)
      for (let n = 1; n <= 70; n++) await tx.execute(`insert into orders (customerId) values (1)`)
      for (let n = 1; n <= 70; n++) await tx.execute(`insert into lines (code, orderId) values ('code ${n}', 1)`)
    })
    await before.close()
    const shop = definePanel({ auth: 'open', database: path, resources: [defineResource({ model: lines })] })
    const app = testPanel(shop)
    const made = [await app.create(lines), await app.create(lines), await app.create(lines, { orderId: 1 })]
    expect(made.map(({ orderId }) => orderId)).toEqual([71, 72, 1])
    expect(new Set(made.map(({ code }) => code)).size).toBe(3)
    expect(Number(made[2]?.code.slice('code '.length))).toBeLessThan(100)
    await shop.close()
  })

  test('stores what a row needs in the store that it is of', async () => {
    const Customers = defineResource({ model: memoryStore(customers) })
    const Orders = defineResource({
      model: memoryStore(orders),
      fields: { id: id(), customerId: belongsTo('Customer') },
    })
    const Lines = defineResource({ model: memoryStore(lines) })
    const shop = definePanel({ auth: 'open', resources: [Customers, Orders, Lines] })
    const app = testPanel(shop)
    const { orderId } = await app.create(lines)
    const path = shop.route('crud.show', { resource: 'orders', resourceItem: String(orderId) })
    expect((await app.get(`${path}?include=customer`)).json()).toMatchObject({
      data: { customer: { label: expect.stringMatching(/^email \d+$/) } },
    })
    await shop.close()
  })
})
