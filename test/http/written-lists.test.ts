import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, date, dateTime, definePanel, defineResource, id, number, select, switcher, text, textarea } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeEach, expect, test } from 'vitest'

// Over libsql, SQLite writes the JSON of a page that is asked for the first time. Whatever is read twice is read as rows.
const makers = sqliteTable('makers', { id: integer('id').primaryKey(), name: varchar('name').notNull() })
const things = sqliteTable('things', {
  id: integer('id').primaryKey(),
  name: varchar('name').notNull(),
  notes: varchar('notes'),
  kind: varchar('kind'),
  views: integer('views'),
  price: real('price'),
  done: integer('done', { mode: 'boolean' }),
  at: integer('at', { mode: 'timestamp_ms' }),
  makerId: integer('maker_id').references(() => makers.id),
  secret: varchar('secret'),
  day: varchar('day'),
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
  secret: text().visible(['admin']),
  day: date().sortable(),
}
const all = ['name', 'notes', 'kind', 'views', 'price', 'done', 'at', 'makerId', 'secret', 'day'] as const
const simple = { model: things, fields, pages: { index: all }, filters: ['kind', 'views'] } as const

const folder = mkdtempSync(join(tmpdir(), 'daymark-written-'))
const client = new Libsql(join(folder, 'things.db'))
client.exec(
  'create table makers (id integer primary key, name text not null); create table things (id integer primary key, name text not null, notes text, kind text, views integer, price real, done integer, at integer, maker_id integer references makers (id), secret text, day text)',
)
const statements: string[] = []
const panel = definePanel({
  auth: 'open',
  database: { $client: client },
  resources: [
    defineResource({ model: makers, fields: { id: id(), name: text() } }),
    defineResource(simple),
    defineResource({ ...simple, uriKey: 'walked', simplePaginate: true }),
    defineResource({ ...simple, uriKey: 'capped', count: 'capped' }),
    defineResource({ ...simple, uriKey: 'long', itemsPerPage: 250, maxItemsPerPage: 300 }),
    defineResource({
      ...simple,
      uriKey: 'computed',
      computed: { twice: { label: 'Twice', needs: ['views'], value: ({ views }) => (views ?? 0) * 2 } },
    }),
    defineResource({ ...simple, uriKey: 'displayed', display: { name: (value) => String(value) } }),
  ],
  observe: (sql) => statements.push(sql),
})

beforeEach(() => {
  client.exec("delete from things; delete from makers; insert into makers values (1, 'Ada')")
  const insert = client.prepare('insert into things values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (let i = 1; i <= 60; i++) {
    const filled = i % 7 !== 0
    const rest = [
      `a "quoted" line\n${i} ä 😀`,
      i % 2 ? 'big' : 'small',
      i * 31,
      i / 4,
      i % 3 ? 1 : 0,
      1_700_000_000_000 + i * 61_007,
      1,
      'secret',
      `2026-01-${10 + (i % 20)}`,
    ]
    insert.run([i, `Thing ${i}`, ...rest.map((value) => (filled ? value : null))])
  }
  statements.length = 0
})

afterAll(async () => {
  await panel.close()
  client.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(path: string, headers: Record<string, string> = {}) {
  statements.length = 0
  const url = path.startsWith('/') ? path : `/admin/resource/${path}`
  const response = await panel.fetch(new Request(`http://localhost${url}`, { headers: { accept: 'application/json', ...headers } }))
  const body = await response.text()
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    body,
    isWritten: statements.some((sql) => sql.includes('daymark_written')),
  }
}

test.each([
  'things/crud',
  'things/crud?page=2',
  'things/crud?page=3',
  'things/crud?page=9',
  'things/crud?perPage=1&page=60',
  'things/crud?sort=-price,name&perPage=7',
  'things/crud?sort=at&filter[kind]=big',
  'things/crud?search=thing%205',
  'things/crud?fields=name,at',
  'things/crud?filter[views][gt]=100000',
  'capped/crud?page=2&perPage=8',
  'walked/crud',
  'walked/crud?page=2',
  'walked/crud?sort=-views&page=2',
  'walked/crud?sort=kind,-at&perPage=9',
])('%s: what the database writes is what we write, to the byte', async (path) => {
  const first = await ask(path)
  expect(first.status).toBe(200)
  expect(first.isWritten).toBe(true)
  const second = await ask(path)
  expect(second.isWritten).toBe(false)
  expect(second).toEqual({ ...first, isWritten: false })
  expect(await ask(path)).toEqual(second)
})

test.each(['walked/crud', 'walked/crud?sort=-price', 'walked/crud?sort=at,done'])(
  '%s: a walk by cursor, there and back, meets each record once',
  async (path) => {
    const parts = [path, 'perPage=7'].join(path.includes('?') ? '&' : '?')
    const pages: { body: string; next: string | null; prev: string | null }[] = []
    for (let at: string | null = parts; at !== null; ) {
      const { body, isWritten, status }: Awaited<ReturnType<typeof ask>> = await ask(at)
      expect([status, isWritten]).toEqual([200, true])
      const { links } = JSON.parse(body)
      pages.push({ body, next: links.next, prev: links.prev })
      at = links.next
    }
    const keys = pages.flatMap(({ body }) => JSON.parse(body).data.map((record: { id: number }) => record.id))
    expect(keys).toHaveLength(60)
    expect(new Set(keys).size).toBe(60)
    for (let i = pages.length - 1; i > 0; i--) {
      const back = await ask(pages[i]?.prev as string)
      expect(back.isWritten).toBe(true)
      expect(JSON.parse(back.body).data).toEqual(JSON.parse(pages[i - 1]?.body as string).data)
      // The rows give the same cursors as the text.
      const again = await ask(pages[i]?.prev as string)
      expect(again).toEqual({ ...back, isWritten: false })
    }
  },
)

test.each([
  ['related records', 'things/crud?include=maker'],
  ['a computed value', 'computed/crud?fields=twice'],
  ['records that are handed to a callback', 'displayed/crud'],
  ['a page', 'things/crud', 'text/html'],
])('%s: rows are read', async (_what, path, accept = 'application/json') => {
  const asked = await ask(path, { accept })
  expect(asked.status).toBe(200)
  expect(asked.isWritten).toBe(false)
})

test('no column is read but those of the fields that are asked for', async () => {
  const { body, isWritten } = await ask('things/crud?fields=name&perPage=3')
  expect(isWritten).toBe(true)
  expect(statements.some((sql) => sql.includes('"secret"'))).toBe(false)
  expect(JSON.parse(body).data[0]).toEqual({ id: 60, name: 'Thing 60' })
})

test('a value that SQLite would write otherwise: the page is read as rows, from then on at once', async () => {
  client.exec('update things set price = 0.1234567890123 where id = 60')
  const { body } = await ask('things/crud?perPage=5')
  expect(JSON.parse(body).data[0].price).toBe(0.1234567890123)
  expect((await ask('things/crud?perPage=6')).isWritten).toBe(false)
})

test('what was written is not sent again, where the browser has it', async () => {
  const { etag } = await ask('things/crud?perPage=4')
  expect(await ask('things/crud?perPage=4', { 'if-none-match': etag as string })).toMatchObject({ status: 304, body: '' })
  client.exec("update things set name = 'Other' where id = 60")
  expect(await ask('things/crud?perPage=4', { 'if-none-match': etag as string })).toMatchObject({ status: 200 })
})

test('a page that is too long to be kept is written each time', async () => {
  const insert = client.prepare('insert into things (id, name) values (?, ?)')
  for (let i = 61; i <= 260; i++) insert.run([i, `Thing ${i}`])
  for (const _ of [1, 2, 3]) expect((await ask('long/crud')).isWritten).toBe(true)
})

test('however many fields are asked for in turn, a value that cannot be written costs no second statement', async () => {
  client.exec('update things set price = 0.1234567890123 where id = 60')
  const names = all.filter((name) => name !== 'price')
  for (let i = 0; i < 300; i++) {
    const some = names.filter((_, at) => (i >> at) & 1)
    await ask(`things/crud?fields=price,${[...some, i % 2 ? 'id' : 'name'].join()}`)
  }
  for (const fields of ['at,price,notes', 'notes,price,at']) {
    const { isWritten } = await ask(`things/crud?fields=${fields}&perPage=9`)
    expect([isWritten, statements.filter((sql) => sql.includes('from "things"')).length]).toEqual([false, 1])
  }
})
