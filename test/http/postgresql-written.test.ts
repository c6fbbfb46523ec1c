import { belongsTo, date, dateTime, definePanel, defineResource, id, number, type Panel, select, switcher, text, textarea } from 'daymark'
import { boolean, date as dayColumn, doublePrecision, integer, pgTable, timestamp, text as varchar } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

// PostgreSQL writes the JSON of lists. One whose records are handed to a callback is read as rows: both must say the same.
const makers = pgTable('makers', { id: integer().primaryKey(), name: varchar().notNull() })
const things = pgTable('things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  notes: varchar(),
  kind: varchar(),
  views: integer(),
  price: doublePrecision(),
  done: boolean(),
  at: timestamp({ withTimezone: true }),
  makerId: integer('maker_id').references(() => makers.id),
  day: dayColumn(),
})
const fields = {
  id: id().sortable(),
  name: text().sortable().searchable(),
  notes: textarea(),
  kind: select().options({ big: 'Big', small: 'Small' }).sortable(),
  views: number().sortable(),
  price: number().sortable(),
  done: switcher().sortable(),
  at: dateTime().sortable(),
  makerId: belongsTo('Maker'),
  day: date().sortable(),
}
const all = ['name', 'notes', 'kind', 'views', 'price', 'done', 'at', 'makerId', 'day'] as const
const simple = { model: things, fields, pages: { index: all }, filters: ['kind', 'views'] } as const
const asRows = { display: { name: (value: unknown) => String(value) } }

let database: TestDatabase
let panel: Panel
const statements: string[] = []

beforeAll(async () => {
  database = await openDatabase()
  await database.query(`create table makers (id integer primary key, name text not null);
    create table things (id integer primary key, name text not null, notes text, kind text, views integer, price double precision, done boolean, at timestamptz,
      maker_id integer references makers (id), day date);
    insert into makers values (1, 'Ada');
    insert into things select i, 'Thing ' || i, E'a "quoted" line\\n' || i || ' ä 😀', case i % 2 when 0 then 'small' else 'big' end, i * 31, i / 4.0, i % 3 <> 0,
      timestamptz '2026-01-01T00:00:00.123456Z' + i * interval '61.007 s', 1, date '2026-01-01' + i from generate_series(1, 60) i where i % 7 <> 0;
    insert into things (id, name) select i, 'Thing ' || i from generate_series(7, 60, 7) i`)
  panel = definePanel({
    auth: 'open',
    database: database.url,
    resources: [
      defineResource({ model: makers, fields: { id: id(), name: text() } }),
      defineResource(simple),
      defineResource({ ...simple, uriKey: 'read', ...asRows }),
      defineResource({ ...simple, uriKey: 'walked', simplePaginate: true }),
      defineResource({ ...simple, uriKey: 'walked-read', simplePaginate: true, ...asRows }),
    ],
    observe: (sql) => statements.push(sql),
  })
})
afterAll(async () => {
  await panel.close()
  await database.drop()
})

async function ask(path: string) {
  statements.length = 0
  const url = path.startsWith('/') ? path : `/admin/resource/${path}`
  const response = await panel.fetch(new Request(`http://localhost${url}`, { headers: { accept: 'application/json' } }))
  return { status: response.status, body: await response.text(), isWritten: statements.some((sql) => sql.includes('daymark_written')) }
}

test.each([
  '',
  '?page=2',
  '?page=3',
  '?page=9',
  '?perPage=1&page=60',
  '?sort=-price,name&perPage=7',
  '?sort=at&filter[kind]=big',
  '?search=thing%205',
  '?fields=name,at',
  '?filter[views][gt]=100000',
])('a counted list%s is the same, to the byte', async (query) => {
  const [written, read] = [await ask(`things/crud${query}`), await ask(`read/crud${query}`)]
  expect([written.status, written.isWritten, read.isWritten]).toEqual([200, true, false])
  expect(written.body).toBe(read.body.replaceAll('/read/', '/things/'))
})

test.each([
  ['', true],
  ['?sort=-price', true],
  ['?sort=kind,done', true],
  ['?sort=-day', true],
  // Positions need the microseconds.
  ['?sort=at', false],
])('a walk by cursor%s, there and back, is the same', async (query, isWritten) => {
  const parts = `${query}${query === '' ? '?' : '&'}perPage=7`
  const walk = async (uri: string) => {
    const pages: { data: { id: number }[]; links: { next: string | null; prev: string | null } }[] = []
    for (let at: string | null = `${uri}/crud${parts}`; at !== null; at = pages.at(-1)?.links.next ?? null) {
      const asked = await ask(at)
      expect([asked.status, asked.isWritten]).toEqual([200, isWritten && uri === 'walked'])
      pages.push(JSON.parse(asked.body))
    }
    for (let at = pages.at(-1)?.links.prev ?? null; at !== null; at = pages.at(-1)?.links.prev ?? null)
      pages.push(JSON.parse((await ask(at)).body))
    return pages.map(({ data }) => data)
  }
  const written = await walk('walked')
  expect(written).toEqual(await walk('walked-read'))
  expect(written.slice(0, 9).flat()).toHaveLength(60)
  expect(written).toHaveLength(17)
})
