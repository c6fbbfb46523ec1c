import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, date, dateTime, defineKind, definePanel, defineResource, html, id, json, number, select, switcher, text } from 'daymark'
import { customType as customPg, integer as integerPg, pgTable } from 'drizzle-orm/pg-core'
import { blob, customType, integer, numeric, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { LogEntry } from '../../src/http/app.js'
import { testPanel } from '../../src/testing.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const isEven = (stored: unknown) => {
  if (Number(stored) % 2 !== 0) throw new RangeError('Only even numbers are read')
  return String(stored)
}
const even = customType<{ data: string; driverData: string }>({ dataType: () => 'text', fromDriver: isEven })
const evenText = defineKind<string>({
  name: 'evenText',
  columns: ['other'],
  schema: () => z.string(),
  input: (typed, field) => html`<input name="${field.key}" value="${typed}">`,
})

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  js: varchar({ mode: 'json' }).$type<{ a: number } | null>(),
  tags: varchar({ mode: 'json' }).$type<string[]>().notNull().default([]),
  secretNotes: varchar('secret_notes', { mode: 'json' }),
  big: blob({ mode: 'bigint' }),
  even: even(),
})
const openClient = () => {
  const db = new Libsql(':memory:')
  db.exec(`create table things (id integer primary key, name text not null, js text, tags text not null default '[]', secret_notes text, big blob, even text);
    insert into things (id, name, js, tags, secret_notes, big, even) values
      (1, 'fine', '{"a":1}', '["x"]', '[]', cast('5' as blob), '2'), (2, 'empty', '', '', '', cast('' as blob), ''),
      (3, 'odd', '{"a":1,}', 'nope', 'nope', cast('7x' as blob), '3'), (4, 'other', null, '[]', null, 9, '5'), (5, 'last', '{"a":5}', '[]', null, cast('6' as blob), '7')`)
  return db
}

let db: ReturnType<typeof openClient>
let log: LogEntry[]
beforeEach(() => {
  db = openClient()
  log = []
})
afterEach(() => {
  db.close()
})

const shared = {
  model: things,
  fields: {
    id: id(),
    name: text('Name'),
    js: json('Js'),
    tags: select('Tags').options(['x', 'y']).multiple(),
    secretNotes: json('Secret').visible(['boss']),
    big: number('Big').sortable(),
    even: evenText('Even').sortable(),
  },
  filters: ['js'] as const,
  pages: { index: ['name', 'js', 'tags', 'big', 'even'] as const },
}
const seen: unknown[] = []
const Things = defineResource(shared)
const Watched = defineResource({
  ...shared,
  uriKey: 'watched',
  scope: () => ({}),
  canRecord: { view: ({ record }) => record.js === null || 'a' in record.js || true, update: () => true },
  computed: { first: { label: 'First', needs: ['js'], value: ({ js }) => js?.a ?? 'none' } },
  display: { js: (value) => (value as { a: number }).a.toFixed(1) },
  table: { trAttributes: (row) => ({ class: row.js === null ? 'bare' : 'full' }) },
  hooks: {
    beforeSave: ({ before }) => {
      seen.push(before?.js, before?.even)
    },
  },
})
const Rows = defineResource({ ...shared, uriKey: 'rows', usePagination: false })
const panelOf = () =>
  definePanel({ auth: 'open', database: { $client: db }, resources: [Things, Watched, Rows], log: (entry) => log.push(entry) })
const appOf = () => testPanel(panelOf()).as({ roles: ['clerk'] })
const stored = (key: number) => db.prepare('select js, tags, secret_notes, even from things where id = ?').raw().get(key)
const path = '/admin/resource/things/crud'

test.each(['things', 'watched', 'rows'])('a stored value that cannot be read takes nothing with it: %s', async (uri) => {
  const app = appOf()
  const crud = `/admin/resource/${uri}/crud`
  for (const _ of [1, 2, 3]) {
    const { status, text: body } = await app.get(`${crud}?sort=id`)
    expect(status, body).toBe(200)
    expect(JSON.parse(body).data).toMatchObject([
      { js: { a: 1 }, tags: ['x'], big: '5', even: '2' },
      { js: null, tags: null, big: '0', even: '' },
      { js: null, tags: null, big: null, even: null },
      { js: null, tags: [], big: null, even: null },
      { js: { a: 5 }, big: '6', even: null },
    ])
  }
})

test('and is nothing on pages, in exports and for callbacks', async () => {
  const app = appOf()
  for (const uri of ['things', 'watched', 'rows'])
    for (const page of ['crud', 'crud/3', 'form-page/3', 'form-page?duplicate=3', 'export']) {
      const answer = await app.html.get(`/admin/resource/${uri}/${page}`)
      expect([answer.status, page]).toEqual([200, page])
      expect(answer.text).not.toMatch(/nope|\[object|RangeError/)
    }
  expect((await app.get('/admin/resource/watched/crud/3')).json()).toMatchObject({ data: { js: null, first: 'none' } })
  expect((await app.html.get('/admin/resource/watched/crud')).text).toContain('class="bare"')
  await app.patch('/admin/resource/watched/crud/3', { name: 'seen' })
  expect(seen.splice(0)).toEqual([null, null])
  expect(log).toEqual([])
})

test('it is kept by whoever sends back what was shown, and may be written over', async () => {
  const app = appOf()
  const before = [1, 2, 3].map(stored)
  for (const key of [1, 2, 3]) {
    const { data } = (await app.get(`${path}/${key}`)).json() as { data: object }
    expect((await app.put(`${path}/${key}`, data)).json()).toMatchObject({ data })
    const typed = new URLSearchParams({ name: String((data as { name: string }).name), js: '', tags: '', big: '', even: '' })
    if (key !== 1) expect((await app.html.put(`${path}/${key}`, typed)).status).toBe(303)
  }
  expect([1, 2, 3].map(stored)).toEqual(before)
  expect((await app.patch(`${path}/3`, { js: { b: 2 }, tags: ['y'], even: '8' })).json()).toMatchObject({
    data: { js: { b: 2 }, tags: ['y'], even: '8' },
  })
  expect(stored(3)).toEqual(['{"b":2}', '["y"]', 'nope', '8'])
})

test('its record has a version, and can be deleted', async () => {
  const app = appOf()
  const version = async () => (await app.get(`${path}/3`)).headers.get('etag')
  const before = await version()
  expect(before).toMatch(/^"[0-9a-f]{32}"$/)
  await app.patch(`${path}/3`, { js: [] })
  expect(await version()).not.toBe(before)
  expect((await app.delete(`${path}/2`)).status).toBe(200)
  expect((await app.delete(`${path}?ids[]=3&ids[]=4`)).status).toBe(200)
  expect((await app.delete('/admin/resource/watched/crud/5')).status).toBe(200)
})

test.each(['big', '-big', 'even', '-even'])('pages by cursor give each row once, in the order of the whole list: %s', async (sort) => {
  const app = appOf()
  type Page = { data: { id: number }[]; links: { next: string | null } }
  const whole = (await app.get(`${path}?sort=${sort}`)).json() as Page
  const found: number[] = []
  let next: string | null = `${path}?sort=${sort}&perPage=1&cursor=${await firstCursor()}`
  while (next !== null && found.length < 9) {
    const page = (await app.get(next)).json() as Page
    found.push(...page.data.map(({ id }) => id))
    next = page.links.next
  }
  expect(found).toEqual(whole.data.map(({ id }) => id))

  async function firstCursor() {
    const deep = (await app.get(`${path}?sort=${sort}&perPage=1&cursor=`)).json() as { links: { next: string } }
    return new URL(deep.links.next, 'http://x').searchParams.get('cursor') ?? ''
  }
})

test('a key that cannot be read is a 500 that names nothing', async () => {
  const keyed = sqliteTable('keyed', { even: even().primaryKey() })
  db.exec("create table keyed (even text primary key); insert into keyed values ('3')")
  const Keyed = defineResource({ model: keyed, fields: { even: evenText('Even') } })
  const app = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Keyed], log: (entry) => log.push(entry) }))
  const answer = await app.get('/admin/resource/keyed/crud')
  expect([answer.status, answer.text.includes('even'), answer.text.includes('Only')]).toEqual([500, false, false])
  expect(log).toMatchObject([{ message: 'Only even numbers are read' }])
})

test('so it is with PostgreSQL', async () => {
  const database = await openDatabase()
  await database.query("create table odds (id integer primary key, even text); insert into odds values (1, '3'), (2, '4'), (3, '5')")
  const odds = pgTable('odds', {
    id: integerPg().primaryKey(),
    even: customPg<{ data: string; driverData: string }>({ dataType: () => 'text', fromDriver: isEven })(),
  })
  const Odds = defineResource({ model: odds, fields: { id: id(), even: evenText('Even').sortable() } })
  const panel = definePanel({ auth: 'open', database: database.url, resources: [Odds] })
  try {
    const app = testPanel(panel)
    const crud = '/admin/resource/odds/crud'
    expect((await app.get(`${crud}?sort=even`)).json()).toMatchObject({ data: [{ even: null }, { even: '4' }, { even: null }] })
    expect((await app.put(`${crud}/1`, { id: 1, even: null })).json()).toMatchObject({ data: { even: null } })
    expect((await app.patch(`${crud}/3`, { even: '6' })).json()).toMatchObject({ data: { even: '6' } })
    expect((await app.delete(`${crud}/1`)).status).toBe(200)
    expect((await database.query('select * from odds order by id')).rows).toEqual([
      { id: 2, even: '4' },
      { id: 3, even: '6' },
    ])
  } finally {
    await panel.close()
    await database.drop()
  }
})

test('bytes in a column of texts are no text: shown as empty, kept by a form that is saved untouched, and overwritten by another value', async () => {
  const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar(), at: varchar() })
  // By its URL, since drivers differ in what they make of bytes.
  const folder = mkdtempSync(join(tmpdir(), 'daymark-bytes-'))
  const file = join(folder, 'notes.db')
  const db = new Sqlite(file)
  db.exec("create table notes (id integer primary key, name text, at text); insert into notes values (1, x'4142', x'4142'), (2, 'b', null)")
  const Notes = defineResource({
    model: notes,
    fields: { id: id(), name: text('Name').sortable().searchable(), at: date('At') },
    filters: ['name', 'at'],
    sortColumn: 'id',
    sortDirection: 'ASC',
  })
  const app = testPanel(definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Notes] }))
  const path = '/admin/resource/notes/crud'
  const list = await app.get(path)
  expect(list.json()).toMatchObject({ data: [{ id: 1, name: null, at: null }, { id: 2 }] })
  // The second time, it may be read in another way.
  for (let times = 0; times < 3; times++) expect((await app.get(`${path}?sort=name`)).json()).toMatchObject({ meta: { total: 2 } })
  for (const shown of [path, `${path}/1`, '/admin/resource/notes/form-page/1']) {
    const { status, text } = await app.html.get(shown)
    expect([shown, status, text.includes('Buffer')]).toEqual([shown, 200, false])
  }
  expect((await app.put(`${path}/1`, { name: null, at: null })).status).toBe(200)
  expect(db.prepare('select typeof(name) as type from notes where id = 1').get()).toMatchObject({ type: 'blob' })
  expect((await app.patch(`${path}/1`, { name: 'text' })).json()).toMatchObject({ data: { name: 'text', at: null } })
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

test('nor are they a number, a time or a key of another record: shown as empty, kept, and passed over by nobody who walks through the list', async () => {
  const owners = sqliteTable('owners', { id: integer().primaryKey() })
  const odds = sqliteTable('odds', {
    id: integer().primaryKey(),
    whole: integer(),
    part: real(),
    exact: numeric(),
    at: integer({ mode: 'timestamp' }),
    on: integer({ mode: 'boolean' }),
    ownerId: integer('owner_id').references(() => owners.id),
  })
  const names = ['whole', 'part', 'exact', 'at', 'on', 'ownerId'] as const
  const folder = mkdtempSync(join(tmpdir(), 'daymark-bytes-'))
  const file = join(folder, 'odds.db')
  const db = new Sqlite(file)
  db.exec(`create table owners (id integer primary key); create table odds (id integer primary key, whole integer, part real, exact numeric, at integer,
    "on" integer, owner_id integer); insert into owners values (1), (2)`)
  const odd = ["x'31'", "x'00ff'", "x''", 'null', '1', '2', "x'31'"]
  for (const one of odd) db.exec(`insert into odds (whole, part, exact, at, "on", owner_id) values (${names.map(() => one).join()})`)
  // Too large for any decimal.
  db.exec('insert into odds (exact) values (9e999), (-9e999)')
  const Odds = defineResource({
    model: odds,
    fields: {
      id: id(),
      whole: number().sortable(),
      part: number().sortable(),
      exact: number().sortable(),
      at: dateTime().sortable(),
      on: switcher(),
      ownerId: belongsTo('Owner').sortable(),
    },
    pages: { index: ['id', ...names] },
    simplePaginate: true,
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Odds, defineResource({ model: owners })] })
  const app = testPanel(panel)
  const path = '/admin/resource/odds/crud'
  const none = { whole: null, part: null, exact: null, at: null, on: null, ownerId: null }
  for (const key of [1, 2, 3, 7]) {
    expect((await app.get(`${path}/${key}`)).json()).toEqual({ data: { id: key, ...none } })
    expect((await app.put(`${path}/${key}`, { id: key, ...none })).status).toBe(200)
    for (const shown of [`${path}/${key}`, `/admin/resource/odds/form-page/${key}`]) {
      const { status, text } = await app.html.get(shown)
      expect([shown, status, text.includes('Buffer')]).toEqual([shown, 200, false])
    }
  }
  expect((await app.get(`${path}/8`)).json()).toEqual({ data: { id: 8, ...none } })
  const types = names.map((name) => `typeof(${name === 'ownerId' ? 'owner_id' : `"${name}"`}) as "${name}"`).join()
  const blobs = Object.fromEntries(names.map((name) => [name, 'blob']))
  expect(db.prepare(`select ${types} from odds where id = 1`).get()).toMatchObject(blobs)
  const walked = async (sort: string) => {
    const seen: number[] = []
    for (let next: string | null = `${path}?perPage=1&sort=${sort}`; next !== null && seen.length < 20; ) {
      const { data, links } = (await app.get(next)).json() as { data: { id: number }[]; links: { next: string | null } }
      seen.push(...data.map(({ id }) => id))
      next = links.next
    }
    return seen
  }
  for (const name of ['whole', 'part', 'exact', 'at', 'ownerId'])
    for (const sort of [name, `-${name}`]) {
      // More than once, since the rows may be read in another way then.
      for (let times = 0; times < 3; times++) {
        const { data } = (await app.get(`${path}?sort=${sort}`)).json() as { data: { id: number }[] }
        expect([sort, await walked(sort)]).toEqual([sort, data.map(({ id }) => id)])
      }
    }
  await panel.close()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
