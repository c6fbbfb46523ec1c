import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  date,
  dateTime,
  defineKind,
  definePanel,
  defineResource,
  email,
  html,
  id,
  number,
  type Panel,
  select,
  text as textField,
  url,
} from 'daymark'
import {
  date as day,
  doublePrecision,
  numeric,
  pgEnum,
  integer as pgInteger,
  pgTable,
  text as pgText,
  timestamp,
} from 'drizzle-orm/pg-core'
import { numeric as decimal, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

/** Shows the last two signs of a text and no more. */
const masked = defineKind<string>({
  name: 'masked',
  columns: ['text'],
  schema: () => z.string(),
  wire: (value) => `**${value.slice(-2)}`,
  input: () => html``,
})

const ask = async (panel: Panel, path: string, accept = 'application/json') => {
  const answer = await panel.fetch(new Request(`http://localhost/admin/resource/odd/${path}`, { headers: { accept } }))
  return { status: answer.status, text: await answer.text() }
}

interface Page {
  readonly data: readonly { readonly id: number }[]
  readonly meta: { readonly nextCursor: string | null; readonly prevCursor: string | null }
}

/** The keys of all records by cursor, there and back again. */
async function walk(panel: Panel, sort: string): Promise<readonly (readonly number[])[]> {
  const there: number[] = []
  const back: number[] = []
  const read = async (query: string) => {
    const { status, text } = await ask(panel, `crud?perPage=1&sort=${sort}${query}`)
    expect(status, text).toBe(200)
    return JSON.parse(text) as Page
  }
  let page = await read('')
  for (let i = 0; i < 30; i++) {
    there.push(...page.data.map((one) => one.id))
    if (page.meta.nextCursor === null) break
    page = await read(`&cursor=${page.meta.nextCursor}`)
  }
  for (let i = 0; i < 30; i++) {
    back.unshift(...page.data.map((one) => one.id))
    if (page.meta.prevCursor === null) break
    page = await read(`&cursor=${page.meta.prevCursor}`)
  }
  return [there, back]
}

/** Each once, whichever way, by cursor and in a file. */
async function expectAll(panel: Panel, column: string, count: number): Promise<void> {
  const ways: (readonly number[])[] = []
  for (const sort of [column, `-${column}`]) {
    const [there = [], back = []] = await walk(panel, sort)
    expect(
      [...there].sort((a, b) => a - b),
      sort,
    ).toEqual(Array.from({ length: count }, (_, i) => i + 1))
    expect(back, sort).toEqual(there)
    ways.push(there)
  }
  const { status, text } = await ask(panel, `export?sort=${column}`)
  expect(status).toBe(200)
  expect(text.trim().split(/\r?\n/)).toHaveLength(count + 1)
}

describe('values that their fields would not take today, or that JavaScript cannot hold, are passed by cursor: SQLite', () => {
  const odd = sqliteTable('odd', {
    id: integer().primaryKey(),
    mail: text(),
    site: text(),
    state: text(),
    day: text(),
    at: integer({ mode: 'timestamp_ms' }),
    share: real(),
    card: text(),
  })
  const folder = mkdtempSync(join(tmpdir(), 'daymark-cursors-'))
  const file = join(folder, 'odd.db')
  const db = new Sqlite(file)
  db.exec(`create table odd (id integer primary key, mail text, site text, state text, day text, at integer, share real, card text);
    insert into odd values (1, 'a@x.de', 'https://a.de', 'new', '2020-01-01', 0, 1.5, '4111-11'), (2, 'nomail', 'no', 'gone', 'n/a', 1700000000000000000, 9e999, '4111-22'),
      (3, 'z@x.de', 'https://z.de', 'done', '2021-01-01', -9e15, -9e999, '4222-11'), (4, 'zz', 'zz', 'older', 'soon', 'n/a', 0.1, '4333-33'), (6, 'y', null, null, null, 1714564800122.9927, 0.2, null), (7, 'y', null, null, null, 1714564800122, 0.3, null), (8, 'y', null, null, null, 253402300800000, 0.4, null), (5, null, null, null, null, null, null, null)`)
  db.close()
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${file}`,
    resources: [
      defineResource({
        model: odd,
        uriKey: 'odd',
        simplePaginate: true,
        fields: {
          id: id(),
          mail: email().sortable(),
          site: url().sortable(),
          state: select().options(['new', 'done']).sortable(),
          day: date().sortable(),
          at: dateTime().sortable(),
          share: number().sortable(),
          card: masked().sortable(),
        },
        filters: ['state'],
      }),
    ],
  })
  afterAll(async () => {
    await panel.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(['mail', 'site', 'state', 'day', 'at', 'share'])('%s', async (column) => {
    await expectAll(panel, column, 8)
  })

  test('a time that there is not is shown as none, and takes nothing with it', async () => {
    const { data } = JSON.parse((await ask(panel, 'crud?sort=id')).text)
    expect(data.map(({ at }: { at: unknown }) => at)).toEqual([
      '1970-01-01T00:00:00.000Z',
      null,
      null,
      null,
      null,
      '2024-05-01T12:00:00.122Z',
      '2024-05-01T12:00:00.122Z',
      null,
    ])
    expect((await ask(panel, 'crud', 'text/html')).status).toBe(200)
    expect((await ask(panel, 'crud/2')).status).toBe(200)
    expect((await ask(panel, 'crud/2', 'text/html')).status).toBe(200)
  })

  test('what a field does not show of a value, its cursors do not hold', async () => {
    const { meta } = JSON.parse((await ask(panel, 'crud?perPage=1&sort=card')).text)
    const written = Buffer.from(meta.nextCursor, 'base64url').toString()
    expect(written).toContain('**11')
    expect(written).not.toContain('4111')
  })

  test.each([
    ['a number where a text belongs', 'mail', 7],
    ['a list', 'mail', ['a']],
    ['a number that there is not', 'share', { number: 'Seven' }],
    ['a time beyond all times', 'at', { time: 1e300 }],
    ['something else', 'at', { none: {} }],
    ['an endless integer', 'at', { whole: '9'.repeat(400) }],
    ['an integer beyond all that SQLite has', 'at', { none: { whole: '9223372036854775808' } }],
  ])('a cursor into which somebody has written %s is refused', async (_, column, value) => {
    const { meta } = JSON.parse((await ask(panel, `crud?perPage=1&sort=${column}`)).text)
    const written = JSON.parse(Buffer.from(meta.nextCursor, 'base64url').toString())
    written.p[0] = value
    const cursor = Buffer.from(JSON.stringify(written)).toString('base64url')
    const { status, text } = await ask(panel, `crud?perPage=1&sort=${column}&cursor=${cursor}`)
    expect([status, Object.keys(JSON.parse(text).errors)]).toEqual([422, ['cursor']])
  })
})

describe('values of other types than their columns, as SQLite lets them stand there, are passed by cursor', () => {
  const owners = sqliteTable('owners', { id: integer().primaryKey() })
  const odd = sqliteTable('odd', {
    id: integer().primaryKey(),
    count: integer(),
    share: real(),
    price: decimal(),
    owner: integer().references(() => owners.id),
  })
  const words = sqliteTable('words', { word: text().primaryKey(), note: text() })
  const folder = mkdtempSync(join(tmpdir(), 'daymark-cursors-'))
  const file = join(folder, 'odd.db')
  const db = new Sqlite(file)
  db.exec(`create table owners (id integer primary key);
    create table odd (id integer primary key, count integer, share real, price numeric, owner integer);
    create table words (word text primary key, note text);
    insert into odd values (1, 1, 1.5, 1.5, 1), (2, 1.5, 'text', 'text', 'abc'), (3, 1e30, '', 1e30, 1.5), (4, '', 2, '', ''), (5, 'abc', 9e999, 3, 1e30),
      (6, 9007199254740993, 3, 9007199254740993, 9007199254740993), (7, 9e999, 'b', 9.5, 'b'), (8, null, null, null, null);
    insert into words values ('', 'a'), ('a', 'a'), ('b', null)`)
  db.close()
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${file}`,
    resources: [
      defineResource({ model: owners }),
      defineResource({
        model: odd,
        simplePaginate: true,
        pages: { index: ['id'] },
        fields: {
          id: id(),
          count: number().sortable(),
          share: number().sortable(),
          price: number().sortable(),
          owner: belongsTo().sortable(),
        },
      }),
      defineResource({ model: words, simplePaginate: true, fields: { word: id(), note: textField().sortable() } }),
    ],
  })
  afterAll(async () => {
    await panel.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(['count', 'share', 'price', 'owner'])('%s', async (column) => {
    await expectAll(panel, column, 8)
  })

  test.each(['', '?sort=word', '?sort=-note'])('a key that is no text at all: words%s', async (query) => {
    const seen: string[] = []
    let next: string | null = `/admin/resource/words/crud${query}${query === '' ? '?' : '&'}perPage=1`
    while (next !== null && seen.length < 9) {
      const answer: Response = await panel.fetch(new Request(`http://localhost${next}`, { headers: { accept: 'application/json' } }))
      expect(answer.status).toBe(200)
      const page = (await answer.json()) as { data: { word: string }[]; links: { next: string | null } }
      seen.push(...page.data.map(({ word }) => word))
      next = page.links.next
    }
    expect(seen.sort()).toEqual(['', 'a', 'b'])
  })

  test.each([
    ['count', 'a\0b'],
    ['count', { whole: '9223372036854775808' }],
    ['owner', { time: 'soon' }],
    ['owner', { number: 'NaN' }],
    ['share', ['a']],
    ['price', '\ud800'],
  ])('what cannot be asked of a database is refused: %s', async (column, value) => {
    const { meta } = JSON.parse((await ask(panel, `crud?perPage=1&sort=${column}`)).text)
    const written = JSON.parse(Buffer.from(meta.nextCursor, 'base64url').toString())
    for (const at of [0, 1]) {
      const p = written.p.with(at, value)
      const cursor = Buffer.from(JSON.stringify({ ...written, p })).toString('base64url')
      const { status, text } = await ask(panel, `crud?perPage=1&sort=${column}&cursor=${cursor}`)
      expect([status, Object.keys(JSON.parse(text).errors)]).toEqual([422, ['cursor']])
    }
  })
})

describe('values that their fields would not take today, or that JavaScript cannot hold, are passed by cursor: PostgreSQL', () => {
  // The database has one more.
  const mood = pgEnum('odd_mood', ['calm', 'wild'])
  const odd = pgTable('odd', {
    id: pgInteger().primaryKey(),
    mail: pgText(),
    at: timestamp({ withTimezone: true }),
    written: timestamp({ mode: 'string' }),
    share: doublePrecision(),
    price: numeric({ mode: 'number' }),
    exact: numeric(),
    day: day({ mode: 'date' }),
    plain: day(),
    told: timestamp({ mode: 'string', withTimezone: true }),
    mood: mood(),
    whole: numeric({ mode: 'bigint' }),
  })
  let database: TestDatabase
  let panel: Panel
  beforeAll(async () => {
    database = await openDatabase()
    await database.query(`create type odd_mood as enum ('calm', 'older', 'wild');
      create table odd (id integer primary key, mail text, at timestamptz, written timestamp, share double precision, price numeric, exact numeric, day date, plain date, told timestamptz, mood odd_mood, whole numeric);
      insert into odd (id, mail, at, written, share, price, exact, day) values (1, 'a@x.de', 'infinity', 'infinity', 'NaN', 'NaN', 'NaN', 'infinity'), (2, 'nomail', '-infinity', '-infinity', 'Infinity', 1 / 3.0, 1 / 3.0, '-infinity'),
        (3, 'z@x.de', '0001-01-01 00:00:00+00', '2020-01-01 00:00:00.123456', '-Infinity', 2 / 3.0, 12345678901234567890.5, '0001-01-01'), (4, 'zz', '0044-03-15 00:00:00+00 BC', '2020-01-01 00:00:00.123457', 1e308, 12345678901234567890, 1.10, '0044-03-15 BC'),
        (5, null, null, null, null, null, null, null), (6, 'y', '12000-01-01 00:00:00+00', '2020-01-01 00:00:00.123999', -0.0, 12345678901234567891, 1.1, '12000-01-01');
      update odd set plain = day, told = case when id <> 4 then at end, mood = (array['calm', 'older', 'wild', 'older', null, 'wild'])[id]::odd_mood,
        whole = (array[1, 9223372036854775808, -9223372036854775809, 12345678901234567890123, null, 9223372036854775808])[id]`)
    const fields = {
      id: id(),
      mail: email().sortable(),
      at: dateTime().sortable(),
      written: dateTime().sortable(),
      share: number().sortable(),
      price: number().sortable(),
      exact: number().sortable(),
      day: date().sortable(),
      plain: date().sortable(),
      told: dateTime().sortable(),
      mood: select().sortable(),
      whole: number().sortable(),
    }
    panel = definePanel({
      auth: 'open',
      database: database.url,
      resources: [defineResource({ model: odd, uriKey: 'odd', simplePaginate: true, fields, filters: ['written'] })],
    })
  })
  afterAll(async () => {
    await panel.close()
    await database.drop()
  })

  test.each(['mail', 'at', 'written', 'share', 'price', 'exact', 'day', 'plain', 'told', 'mood', 'whole'])('%s', async (column) => {
    await expectAll(panel, column, 6)
  })

  test('a time in a column of texts is found by what is shown of it, whatever its microseconds', async () => {
    const found = async (filter: string) => (JSON.parse((await ask(panel, `crud?sort=id&${filter}`)).text) as Page).data.map(({ id }) => id)
    const shown = '2020-01-01T00:00:00.123Z'
    expect(await found(`filter[written][from]=${shown}&filter[written][to]=${shown}`)).toEqual([3, 4, 6])
    expect(await found(`filter[written][gt]=${shown}`)).toEqual([1])
    expect(await found(`filter[written][lt]=${shown}`)).toEqual([2])
    expect(await found(`filter[written]=${shown}`)).toEqual([3, 4, 6])
    expect(await found(`filter[written][]=${shown}&filter[written][]=2021-01-01T00:00:00Z`)).toEqual([3, 4, 6])
    expect(await found('filter[written]=2020-01-01T00:00:00.122Z')).toEqual([])
    expect(await found(`filter[written][ne]=${shown}`)).toEqual([1, 2, 5])
    expect(await found('filter[written][null]=1')).toEqual([5])
    expect(await found('filter[written][null]=0')).toEqual([1, 2, 3, 4, 6])
  })

  test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B14:00'])(
    'a filter by %s, which such a column has not, is named',
    async (time) => {
      const { status, text } = await ask(panel, `crud?filter[written][to]=${time}`)
      expect([status, Object.keys(JSON.parse(text).errors ?? {})]).toEqual([422, ['filter[written][to]']])
      expect((await ask(panel, `crud?filter[written][to]=${time}`, 'text/html')).status).toBe(200)
    },
  )

  test('a zero below nothing, which JSON does not have, is changed like any other', async () => {
    const answer = await panel.fetch(
      new Request('http://localhost/admin/update-field/column/odd/6', {
        method: 'PUT',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ field: 'share', value: 0, was: 0 }),
      }),
    )
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
  })

  test('a year is the one that is stored; a time that there is not is shown as none', async () => {
    const { data } = JSON.parse((await ask(panel, 'crud?sort=id&fields=at,day,plain,told')).text)
    expect(data.map(({ at }: { at: unknown }) => at)).toEqual([null, null, '0001-01-01T00:00:00.000Z', null, null, null])
    for (const name of ['day', 'plain'])
      expect(data.map((one: Record<string, unknown>) => one[name])).toEqual([null, null, '0001-01-01', null, null, null])
    expect(data.map(({ told }: { told: unknown }) => told)).toEqual([null, null, '0001-01-01T00:00:00.000Z', null, null, null])
    expect((await ask(panel, 'crud', 'text/html')).status).toBe(200)
    expect((await ask(panel, 'crud/1', 'text/html')).status).toBe(200)
  })

  test.each([
    ['written', 'never'],
    ['exact', 'all of it'],
    ['at', { none: "'; drop table odd" }],
  ])('a cursor into which somebody has written another %s is refused', async (column, value) => {
    const { meta } = JSON.parse((await ask(panel, `crud?perPage=1&sort=${column}`)).text)
    const written = JSON.parse(Buffer.from(meta.nextCursor, 'base64url').toString())
    written.p[0] = value
    const cursor = Buffer.from(JSON.stringify(written)).toString('base64url')
    expect((await ask(panel, `crud?perPage=1&sort=${column}&cursor=${cursor}`)).status).toBe(422)
  })
})
