import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, type Panel, text } from 'daymark'
import * as pg from 'drizzle-orm/pg-core'
import { integer, numeric, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const nums = sqliteTable('nums', { id: numeric().primaryKey(), name: varchar() })
const tags = sqliteTable('tags', { slug: varchar().primaryKey(), name: varchar() })
const posts = sqliteTable('posts', { id: integer().primaryKey(), tagSlug: varchar('tag_slug').references(() => tags.slug) })
const inSqlite = { nums, tags, posts }
const tagsInPg = pg.pgTable('tags', { slug: pg.text().primaryKey(), name: pg.text() })
const inPostgresql = {
  nums: pg.pgTable('nums', { id: pg.numeric().primaryKey(), name: pg.text() }),
  tags: tagsInPg,
  posts: pg.pgTable('posts', { id: pg.integer().primaryKey(), tagSlug: pg.text('tag_slug').references(() => tagsInPg.slug) }),
} as unknown as typeof inSqlite

const rows = `insert into nums values (7, 'Seven'), (8, 'Eight'); insert into tags values ('abc', 'Letters'); insert into posts values (1, null);`

const panelOver = (tables: typeof inSqlite, database: string) =>
  definePanel({
    auth: 'open',
    database,
    resources: [
      defineResource({ model: tables.nums, fields: { id: id(), name: text() }, handlers: { touch: { run: ({ ids }) => ids.join() } } }),
      defineResource({ model: tables.tags, fields: { slug: id(), name: text() }, handlers: { touch: { run: ({ ids }) => ids.join() } } }),
      defineResource({ model: tables.posts, fields: { id: id(), tagSlug: belongsTo().as('tag') } }),
    ],
  })

const folder = mkdtempSync(join(tmpdir(), 'daymark-exact-'))
let database: TestDatabase | undefined
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.drop()
})

// A column that takes no notice of case, as each of them has it.
const stores: Readonly<Record<string, () => Promise<Panel>>> = {
  async SQLite() {
    const file = join(folder, 'exact.db')
    rmSync(file, { force: true })
    const client = new Sqlite(file)
    client.exec(`create table nums (id numeric primary key, name text); create table tags (slug text primary key collate nocase, name text);
      create table posts (id integer primary key, tag_slug text references tags (slug)); ${rows}`)
    client.close()
    return panelOver(inSqlite, `sqlite:${file}`)
  },
  async PostgreSQL() {
    database ??= await openDatabase()
    await database.query(`drop table if exists nums, posts, tags; drop collation if exists nocase;
      create collation nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create table nums (id numeric primary key, name text); create table tags (slug text collate nocase primary key, name text);
      create table posts (id integer primary key, tag_slug text collate nocase references tags (slug)); ${rows}`)
    return panelOver(inPostgresql, database.url)
  },
}

describe.each(Object.entries(stores))('a key is its exact text, over %s', (_, open) => {
  let panel: Panel
  beforeEach(async () => {
    panel = await open()
    return () => panel.close()
  })

  async function status(method: string, path: string, given?: object) {
    const response = await panel.fetch(
      new Request(`http://localhost/admin/${path}`, {
        method,
        headers: { accept: 'application/json', ...(given && { 'content-type': 'application/json' }) },
        ...(given && { body: JSON.stringify(given) }),
      }),
    )
    return response.status
  }

  const others = (['7.0', '7.00', '007', '+7', ' 7', '7e0', '7.', '0x7', 'abc', '7.00000000000000000001'] as const).map((key) => [
    'nums',
    key,
  ])
  test.each([...others, ['tags', 'ABC'], ['tags', 'Abc'], ['tags', 'abc ']])('%s has no record of the key "%s"', async (table, text) => {
    const key = encodeURIComponent(text as string)
    const record = `resource/${table}/crud/${key}`
    expect(await status('GET', record)).toBe(404)
    expect(await status('PATCH', record, { name: 'x' })).toBe(404)
    expect(await status('DELETE', record)).toBe(404)
    expect(await status('GET', `resource/${table}/form-page/${key}`)).toBe(404)
    expect(await status('POST', `resource/${table}/validate/${key}`, { name: 'x' })).toBe(404)
    expect(await status('PUT', `update-field/column/${table}/${key}`, { field: 'name', value: 'x', was: 'Seven' })).toBe(404)
    // Whether another one is meant for it, only its record could say: else it is malformed.
    expect([404, 422]).toContain(await status('DELETE', `resource/${table}/crud`, { ids: [text] }))
    expect([404, 422]).toContain(await status('POST', `resource/${table}/handler/touch`, { ids: [text] }))
  })

  test('a text that a number never has is malformed in ids', async () => {
    for (const key of ['007', '+7', ' 7', '7e0', '7.', 'abc'])
      expect(await status('DELETE', 'resource/nums/crud', { ids: [key] }), key).toBe(422)
    expect(await status('DELETE', 'resource/nums/crud', { ids: ['7.0'] })).toBe(404)
  })

  test('a relation is written by the key that its record has', async () => {
    expect(await status('PATCH', 'resource/posts/crud/1', { tagSlug: 'ABC' })).toBe(422)
    expect(await status('PATCH', 'resource/posts/crud/1', { tagSlug: 'abc' })).toBe(200)
    expect(await status('POST', 'resource/posts/validate/1', { tagSlug: 'Abc' })).toBe(422)
    expect(await status('DELETE', 'resource/tags/crud/abc')).toBe(409)
  })

  test('the very key finds, changes and deletes', async () => {
    expect(await status('GET', 'resource/nums/crud/7')).toBe(200)
    expect(await status('PATCH', 'resource/nums/crud/7', { name: 'x' })).toBe(200)
    expect(await status('DELETE', 'resource/nums/crud/7')).toBe(200)
    expect(await status('DELETE', 'resource/nums/crud', { ids: ['8'] })).toBe(200)
    expect(await status('PATCH', 'resource/tags/crud/abc', { name: 'x' })).toBe(200)
    expect(await status('DELETE', 'resource/tags/crud/abc')).toBe(200)
  })
})
