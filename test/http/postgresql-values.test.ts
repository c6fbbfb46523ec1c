import { dateTime, definePanel, defineResource, id, json, number, type Panel, select, text } from 'daymark'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  jsonb,
  json as jsonColumn,
  numeric,
  pgEnum,
  pgTable,
  text as pgText,
  smallint,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

const mood = pgEnum('mood', ['calm', 'wild'])
const things = pgTable('things', {
  id: uuid().primaryKey().defaultRandom(),
  name: pgText().notNull(),
  price: numeric({ precision: 20, scale: 4 }),
  big: bigint({ mode: 'bigint' }),
  at: timestamp({ withTimezone: true }),
  local: timestamp({ precision: 3 }),
  day: date(),
  open: boolean(),
  plain: jsonColumn(),
  data: jsonb(),
  mood: mood(),
  tags: pgText().array(),
  sizes: integer().array(),
  moods: mood().array(),
})
const ledger = pgTable('ledger', { id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(), note: pgText() })
const readings = pgTable('readings', {
  id: integer().primaryKey(),
  name: pgText().notNull(),
  small: smallint(),
  value: doublePrecision(),
  at: timestamp({ withTimezone: true }),
  day: date(),
  data: jsonb(),
  mood: mood(),
  moods: mood().array(),
  key: uuid(),
})
const words = pgTable('words', { word: pgText().primaryKey(), n: integer() })

const Things = defineResource({
  model: things,
  fields: {
    id: id(),
    name: text('Name').required().sortable().searchable(),
    price: number('Price').sortable(),
    big: number('Big').sortable(),
    at: dateTime('At').sortable(),
    local: dateTime('Local'),
    mood: select('Mood').sortable(),
    data: json('Data'),
    plain: json('Plain'),
    tags: json('Tags'),
    sizes: json('Sizes'),
    moods: select('Moods').multiple(),
  },
  filters: ['id', 'price', 'big', 'at', 'mood', 'data', 'moods'],
  sortColumn: 'name',
  sortDirection: 'ASC',
})

let database: TestDatabase
let panel: Panel
beforeAll(async () => {
  database = await openDatabase()
  await database.query(`create type mood as enum ('calm', 'wild');
    create table things (id uuid primary key default gen_random_uuid(), name text not null, price numeric(20, 4), big bigint, at timestamptz, local timestamp(3), day date,
      open boolean, plain json, data jsonb, mood mood, tags text[], sizes integer[], moods mood[]);
    create table ledger (id bigint primary key generated always as identity, note text);
    create table readings (id integer primary key, name text not null, small smallint, value float8, at timestamptz, day date, data jsonb, mood mood, moods mood[], key uuid);
    create table words (word text primary key, n integer);
    insert into ledger (note) select 'x' from generate_series(1, 3)`)
  panel = definePanel({
    auth: 'open',
    database: database.url,
    resources: [
      Things,
      defineResource({ model: things, uriKey: 'derived' }),
      defineResource({ model: ledger }),
      defineResource({ model: readings }),
      defineResource({ model: words, pages: { form: ['word', 'n'] } }),
    ],
  })
})
beforeEach(() => database.query('truncate things'))
afterAll(async () => {
  await panel?.close()
  await database?.drop()
})

async function send(method: string, path: string, given?: unknown) {
  const response = await panel.fetch(
    new Request(`http://localhost/admin/resource/${path}`, {
      method,
      headers: { accept: 'application/json', ...(given !== undefined && { 'content-type': 'application/json' }) },
      ...(given !== undefined && { body: JSON.stringify(given) }),
    }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
  return { status: response.status, json: (await response.json()) as any }
}
const page = async (path: string) => (await panel.fetch(new Request(`http://localhost/admin/resource/${path}`))).text()

const whole = {
  name: 'Whole',
  price: '1234567890123456.7891',
  big: '9223372036854775807',
  at: '2026-03-29T01:30:00.123Z',
  local: '1899-12-31T23:59:59.000Z',
  mood: 'wild',
  data: { a: [1, 'two', null], 'ß"': { deep: true } },
  plain: 'text, as JSON',
  tags: ['a', 'b,c', '{"q"}', '', 'NULL', 'é\\'],
  sizes: [1, -2_147_483_648],
  moods: ['calm', 'wild'],
}

test('every value comes back as it went in, by JSON and by SQL', async () => {
  const made = await send('POST', 'things/crud', whole)
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const { id: key, ...rest } = made.json.data
  expect(key).toMatch(/^[0-9a-f-]{36}$/)
  expect(rest).toEqual(whole)
  expect((await send('GET', `things/crud/${key}`)).json.data).toEqual(made.json.data)
  const { rows } = await database.query(
    "select price::text, big::text, at = '2026-03-29 01:30:00.123+00' as at, jsonb_typeof(data) as data, json_typeof(plain) as plain, tags[3] as tag, array_length(tags, 1) as n, moods::text from things",
  )
  expect(rows).toEqual([
    { price: whole.price, big: whole.big, at: true, data: 'object', plain: 'string', tag: '{"q"}', n: 6, moods: '{calm,wild}' },
  ])
  // What was read can be sent back, and nothing changes.
  expect((await send('PUT', `things/crud/${key}`, rest)).json.data).toEqual(made.json.data)
})

test('a list is found by one of its values', async () => {
  await send('POST', 'things/crud', whole)
  await send('POST', 'things/crud', { ...whole, name: 'Calm alone', moods: ['calm'] })
  const found = async (query: string) => {
    const { status, json } = await send('GET', `things/crud?${query}`)
    return status === 200 ? json.data.map(({ name }: { name: string }) => name) : status
  }
  expect(await found('filter[moods][contains]=wild')).toEqual(['Whole'])
  expect(await found('filter[moods][contains]=calm')).toEqual(['Calm alone', 'Whole'])
  expect(await found('filter[moods][contains]=sad')).toBe(422)
})

test('they are shown, and a form that is saved untouched changes nothing', async () => {
  const { id: key } = (await send('POST', 'things/crud', whole)).json.data
  const detail = await page(`things/crud/${key}`)
  for (const part of ['9,223,372,036,854,775,807', 'b,c', 'Calm']) expect(detail).toContain(part)
  const form = await page(`things/form-page/${key}`)
  expect(form).toContain('value="1234567890123456.7891"')
  expect(form).toContain('value="9223372036854775807"')
  const before = (await database.query('select * from things')).rows
  const fields = new URLSearchParams({
    _method: 'PUT',
    name: 'Whole',
    price: '1234567890123456.7891',
    big: '9223372036854775807',
    mood: 'wild',
  })
  for (const one of ['', 'calm', 'wild']) fields.append('moods', one)
  const saved = await panel.fetch(
    new Request(`http://localhost/admin/resource/things/crud/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: fields,
    }),
  )
  expect(saved.status, await saved.text()).toBe(303)
  expect((await database.query('select * from things')).rows).toEqual(before)
})

test('they are filtered and sorted as what they are', async () => {
  for (const [name, price, big, mood] of [
    ['a', '9.5', '9', 'calm'],
    ['b', '10.25', '10', 'wild'],
    ['c', '-3', '-9223372036854775808', null],
  ])
    expect(
      (await send('POST', 'things/crud', { name, price, big, mood, at: `2026-01-0${'abc'.indexOf(name ?? '') + 1}T00:00:00Z` })).status,
    ).toBe(201)
  const names = async (query: string) => {
    const { status, json } = await send('GET', `things/crud?${query}`)
    return status === 200 ? json.data.map(({ name }: { name: string }) => name).join('') : status
  }
  expect(await names('sort=price')).toBe('cab')
  expect(await names('sort=-big')).toBe('bac')
  expect(await names('filter[price][gt]=9.49')).toBe('ab')
  expect(await names('filter[big]=-9223372036854775808')).toBe('c')
  expect(await names('filter[mood]=calm')).toBe('a')
  expect(await names('filter[mood][null]=1')).toBe('c')
  expect(await names('filter[at][from]=2026-01-02T00:00:00Z')).toBe('bc')
  expect(await names('filter[data][null]=1')).toBe('abc')
  expect(await names('search=B')).toBe('b')
  const [{ id: key }] = (await send('GET', 'things/crud')).json.data
  expect(await names(`filter[id]=${key}`)).toBe('a')
})

test.each<[object, string]>([
  [{ price: '12345678901234567.1' }, 'price'],
  [{ price: '1.00001' }, 'price'],
  [{ big: '9223372036854775808' }, 'big'],
  [{ big: 2 ** 53 }, 'big'],
  [{ at: '2026-02-30T00:00:00Z' }, 'at'],
  [{ mood: 'Calm' }, 'mood'],
  [{ data: { a: '\0' } }, 'data'],
  [{ tags: 'a' }, 'tags'],
  [{ tags: { a: 1 } }, 'tags'],
  [{ tags: ['a', 1] }, 'tags'],
  [{ sizes: [2_147_483_648] }, 'sizes'],
  [{ sizes: [1.5] }, 'sizes'],
  [{ moods: ['calm', 'Wild'] }, 'moods'],
])('%o is refused by name, and nothing is written', async (given, field) => {
  const { status, json } = await send('POST', 'things/crud', { name: 'x', ...given })
  expect([status, Object.keys(json.errors ?? {})], JSON.stringify(json)).toEqual([422, [field]])
  expect((await database.query('select count(*)::int from things')).rows).toEqual([{ count: 0 }])
})

test('a resource that declares no fields has them all', async () => {
  // Blank ones are none, where users make a list up.
  const tags = whole.tags.filter((one) => one !== '')
  await send('POST', 'derived/crud', { ...whole, tags, day: '2024-02-29', open: false })
  const { id: key } = (await send('GET', 'derived/crud')).json.data[0]
  expect((await send('GET', `derived/crud/${key}`)).json.data).toEqual({ id: key, ...whole, tags, day: '2024-02-29', open: false })
  expect((await send('PATCH', `derived/crud/${key}`, { tags: [''] })).json.errors).toEqual({
    tags: ['Tags “” must be one line, without blanks around it'],
  })
})

test('keys: bigint that the database makes, uuid, and text', async () => {
  const made = await send('POST', 'ledger/crud', { note: 'y' })
  expect(made).toMatchObject({ status: 201, json: { data: { id: '4', note: 'y' } } })
  expect((await send('GET', 'ledger/crud/4')).status).toBe(200)
  for (const key of ['04', '9223372036854775808', 'x']) expect((await send('GET', `ledger/crud/${key}`)).status).toBe(404)
  for (const key of ['nope', '00000000-0000-0000-0000-000000000000', '0198C0DE-0000-7000-8000-000000000000'])
    expect((await send('GET', `things/crud/${key}`)).status).toBe(404)
  expect((await send('POST', 'words/crud', { word: 'a/b' })).status).toBe(201)
  expect((await send('DELETE', 'words/crud/a%2Fb')).status).toBe(200)
})

const reading = async (set: string) => {
  await database.query(`truncate readings; insert into readings (id, name) values (1, 'one'); update readings set ${set}`)
}

test.each(['NaN', 'Infinity', '-Infinity'])('%s is shown as nothing, kept where it is sent back so, and can be changed', async (value) => {
  await reading(`value = '${value}'`)
  const { data } = (await send('GET', 'readings/crud/1')).json
  expect(data.value).toBeNull()
  expect((await send('PUT', 'readings/crud/1', { ...data, name: 'two' })).status).toBe(200)
  expect((await database.query('select value::text, name from readings')).rows).toEqual([{ value, name: 'two' }])
  const change = { field: 'value', value: 1.5, was: data.value }
  const response = await panel.fetch(
    new Request('http://localhost/admin/update-field/column/readings/1', {
      method: 'PUT',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(change),
    }),
  )
  expect(response.status).toBe(200)
  expect((await database.query('select value from readings')).rows).toEqual([{ value: 1.5 }])
})

test.each([
  ["value = 'NaN'", "value = 'Infinity'"],
  ["value = 'NaN'", 'value = null'],
  ["value = '-0'", "value = '0'"],
  ["at = '2026-01-01 00:00:00.123457+00'", "at = '2026-01-01 00:00:00.123999+00'"],
  ["at = 'infinity'", "at = '-infinity'"],
  ["at = 'infinity'", 'at = null'],
  [`data = '{"n": 12345678901234567890}'`, `data = '{"n": 12345678901234567891}'`],
])('the version tells %s from %s', async (one, other) => {
  const version = async (set: string) => {
    await reading(set)
    const { headers } = await panel.fetch(
      new Request('http://localhost/admin/resource/readings/crud/1', { headers: { accept: 'application/json' } }),
    )
    return headers.get('etag')
  }
  const first = await version(one)
  expect(first).toMatch(/^"[0-9a-f]{32}"$/)
  expect(await version(other)).not.toBe(first)
  expect(await version(one)).toBe(first)
})

test.each([
  ['filter[small]', '40000'],
  ['filter[small][gt]', '40000'],
  ['filter[id]', '2147483648'],
  ['filter[key]', 'zz'],
  ['filter[mood]', 'zz', 'calm, wild'],
  ['filter[moods][contains]', 'zz', 'calm, wild'],
  ['filter[day]', '0000-01-01'],
  ['filter[at][from]', '0000-01-01T00:00:00Z'],
])('%s=%s names the filter, and leaves the page where it is', async (name, value, ...said) => {
  const query = `readings/crud?${new URLSearchParams([[name, value]])}`
  const { status, json } = await send('GET', query)
  expect(status).toBe(422)
  expect(Object.keys(json.errors)).toEqual([name])
  for (const part of said) expect(json.errors[name][0]).toContain(part)
  const response = await panel.fetch(new Request(`http://localhost/admin/resource/${query}`))
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('class="notice')
})
