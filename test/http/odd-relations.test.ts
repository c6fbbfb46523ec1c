import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, expect, test, vi } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

// The document says what the columns hold, and not what SQLite lets stand in them.
vi.unmock('../../src/http/app.js')

const groups = sqliteTable('groups', { id: integer().primaryKey(), name: varchar() })
const things = sqliteTable('things', { id: integer().primaryKey(), groupId: integer('group_id').references(() => groups.id) })
const folder = mkdtempSync(join(tmpdir(), 'daymark-relations-'))
const client = new Sqlite(join(folder, 'odd.db'))
client.exec(`create table groups (id integer primary key, name text);
  create table things (id integer primary key, group_id integer);
  insert into groups values (1, 'One');
  insert into things values (1, 1), (2, ''), (3, 'abc'), (4, 1.5), (5, 1e30), (6, x'31'), (7, null)`)
client.close()
const panel = definePanel({
  auth: 'open',
  database: `sqlite:${join(folder, 'odd.db')}`,
  resources: [
    defineResource({ model: groups, fields: { id: id(), name: text() } }),
    defineResource({ model: things, fields: { id: id(), groupId: belongsTo().sortable() }, filters: ['groupId'] }),
  ],
})
afterAll(async () => {
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(path: string, accept = 'application/json') {
  const response = await panel.fetch(new Request(`http://localhost/admin/resource/things/${path}`, { headers: { accept } }))
  return { status: response.status, text: await response.text() }
}

test('a relation that holds what is not a key leads to no record, and takes nothing with it', async () => {
  const { status, text } = await ask('crud?include=group&sort=id')
  expect(status, text).toBe(200)
  expect(JSON.parse(text).data.map((one: { group: { label: string } | null }) => one.group?.label ?? null)).toEqual([
    'One',
    null,
    null,
    null,
    null,
    null,
    null,
  ])
  for (const path of ['crud', 'export', ...[1, 2, 3, 4, 5, 6, 7].flatMap((key) => [`crud/${key}`, `form-page/${key}`])])
    expect((await ask(path, 'text/html')).status, path).toBe(200)
  expect(JSON.parse((await ask('crud/3?include=group')).text).data).toEqual({ id: 3, groupId: 'abc', group: null })
})
