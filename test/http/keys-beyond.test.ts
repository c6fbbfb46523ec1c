import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, type Panel, text } from 'daymark'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

// The document says that the keys of such a table are numbers, which these alone are not.
vi.unmock('../../src/http/app.js')

const snow = sqliteTable('snow', { id: integer().primaryKey(), name: varchar().notNull() })
const kids = sqliteTable('kids', { id: integer().primaryKey(), name: varchar(), snowId: integer('snow_id').references(() => snow.id) })
const inSqlite = { snow, kids }

const bigInPg = pg.pgTable('snow', { id: pg.bigint({ mode: 'number' }).primaryKey(), name: pg.text().notNull() })
const inPostgresql = {
  snow: bigInPg,
  kids: pg.pgTable('kids', {
    id: pg.integer().primaryKey(),
    name: pg.text(),
    snowId: pg.bigint('snow_id', { mode: 'number' }).references(() => bigInPg.id),
  }),
} as unknown as typeof inSqlite

const rows = `insert into snow values (9007199254740992, 'A'), (9007199254740993, 'B'), (9223372036854775807, 'Most'), (-9007199254740993, 'Low'), (7, 'Seven');
  insert into kids values (1, 'of B', 9007199254740993), (2, 'of Seven', 7);`

const panelOver = (tables: typeof inSqlite, database: string) =>
  definePanel({
    auth: 'open',
    database,
    resources: [
      defineResource({
        model: tables.snow,
        simplePaginate: true,
        fields: { id: id(), name: text().searchable() },
        filters: ['id'],
        handlers: { touch: { run: ({ ids }) => ids.join() } },
      }),
      defineResource({
        model: tables.kids,
        simplePaginate: true,
        fields: { id: id(), name: text(), snowId: belongsTo().sortable() },
        filters: ['snowId'],
      }),
    ],
  })

interface Opened {
  readonly panel: Panel
  readonly end: () => unknown
}

const folder = mkdtempSync(join(tmpdir(), 'daymark-beyond-'))
let database: TestDatabase | undefined
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.drop()
})

const stores: Readonly<Record<string, () => Promise<Opened>>> = {
  async SQLite() {
    const file = join(folder, 'beyond.db')
    rmSync(file, { force: true })
    const client = new Sqlite(file)
    client.exec(`create table snow (id integer primary key, name text not null);
      create table kids (id integer primary key, name text, snow_id integer references snow (id)); ${rows}`)
    client.close()
    const panel = panelOver(inSqlite, `sqlite:${file}`)
    return { panel, end: () => panel.close() }
  },
  async PostgreSQL() {
    database ??= await openDatabase()
    await database.query(`drop table if exists kids, snow;
      create table snow (id bigint primary key, name text not null);
      create table kids (id integer primary key, name text, snow_id bigint references snow (id)); ${rows}`)
    const panel = panelOver(inPostgresql, database.url)
    return { panel, end: () => panel.close() }
  },
}

describe.each(Object.entries(stores))('the exact text of a key names its record, over %s', (_, open) => {
  let opened: Opened
  beforeEach(async () => {
    opened = await open()
    return () => opened.end()
  })

  async function send(method: string, path: string, given?: object) {
    const response = await opened.panel.fetch(
      new Request(`http://localhost/admin/${path.startsWith('async') ? path : `resource/${path}`}`, {
        method,
        headers: { accept: 'application/json', ...(given && { 'content-type': 'application/json' }) },
        ...(given && { body: JSON.stringify(given) }),
      }),
    )
    // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
    return { status: response.status, json: (await response.json()) as any }
  }
  const status = async (...asked: Parameters<typeof send>) => (await send(...asked)).status

  test('a whole number beyond those of JSON is text, and as good as any other', async () => {
    const [b, most] = ['9007199254740993', '9223372036854775807']
    expect((await send('GET', `snow/crud/${b}`)).json.data).toEqual({ id: b, name: 'B' })
    expect((await send('GET', 'snow/crud/9007199254740992')).json.data).toEqual({ id: '9007199254740992', name: 'A' })
    expect((await send('GET', 'snow/crud/-9007199254740993')).json.data.name).toBe('Low')
    expect((await send('PUT', `snow/crud/${b}`, { id: b, name: 'B2' })).json.data).toEqual({ id: b, name: 'B2' })
    expect((await send('GET', `snow/crud?filter[id]=${b}`)).json.data).toEqual([{ id: b, name: 'B2' }])
    expect((await send('GET', `snow/crud?filter[id][gt]=${b}`)).json.data).toEqual([{ id: most, name: 'Most' }])
    expect((await send('POST', 'snow/handler/touch', { ids: [b, most] })).json.message).toBe(`${b},${most}`)
    expect(await status('DELETE', 'snow/crud', { ids: ['9007199254740992', most] })).toBe(200)
    expect(await status('DELETE', `snow/crud/${b}`)).toBe(409)
    expect(await status('DELETE', 'snow/crud/-9007199254740993')).toBe(200)
    expect((await send('GET', 'snow/crud')).json.data).toEqual([
      { id: b, name: 'B2' },
      { id: 7, name: 'Seven' },
    ])
  })

  test('a relation leads to it, and a list walks past it', async () => {
    const b = '9007199254740993'
    expect((await send('GET', 'kids/crud/1?include=snow')).json.data).toMatchObject({ snowId: b, snow: { id: b, label: 'B' } })
    expect((await send('GET', 'async-search/kids/snowId?query=B')).json.data).toEqual([{ key: b, label: 'B' }])
    expect((await send('PATCH', 'kids/crud/2', { snowId: b })).json.data.snowId).toBe(b)
    expect((await send('PUT', 'kids/crud/1', { id: 1, name: 'k', snowId: b })).status).toBe(200)
    expect((await send('GET', `kids/crud?filter[snowId]=${b}`)).json.data).toHaveLength(2)
    expect(Object.keys((await send('PATCH', 'kids/crud/2', { snowId: '9007199254740995' })).json.errors)).toEqual(['snowId'])
    for (const [list, count] of [
      ['snow/crud', 5],
      ['kids/crud?sort=snowId', 2],
    ] as const) {
      const seen = new Set<unknown>()
      let next: string | null = `/admin/resource/${list}${list.includes('?') ? '&' : '?'}perPage=1`
      while (next !== null && seen.size < 9) {
        const page = await send('GET', next.replace('/admin/resource/', ''))
        expect(page.status, JSON.stringify(page.json)).toBe(200)
        for (const one of page.json.data) seen.add(one.id)
        next = page.json.links.next
      }
      expect(seen.size).toBe(count)
    }
  })

  test('what no column holds, or is spelled otherwise, is the key of nothing', async () => {
    for (const key of ['9223372036854775808', '-9223372036854775809', '09007199254740993', '9007199254740993.0', '+9007199254740993']) {
      expect(await status('GET', `snow/crud/${encodeURIComponent(key)}`), key).toBe(404)
      expect(await status('DELETE', 'snow/crud', { ids: [key] }), key).toBe(422)
      expect(await status('PATCH', 'kids/crud/2', { snowId: key }), key).toBe(422)
      expect(await status('GET', `kids/crud?filter[snowId]=${encodeURIComponent(key)}`), key).toBe(422)
    }
    // A number within has one spelling, and that is no text.
    expect(await status('PATCH', 'kids/crud/2', { snowId: '7' })).toBe(422)
  })
})
