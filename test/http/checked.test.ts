import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const columns =
  'name text, height integer check (height > 0), hidden integer check (hidden < 5), unique (name, height), unique (name, hidden)'
const fields = { id: id(), name: text('Name'), height: number('Height'), hidden: number('Hidden').visible(['keeper']).default(9) }

async function refused(panel: Panel) {
  const shelves = testPanel(panel).as({ roles: ['keeper'] })
  const given = { name: 'Top', height: '-1', hidden: '1' }
  const json = await shelves.post('/admin/resource/shelves/crud', { ...given, height: -1, hidden: 1 })
  const page = await shelves.html.post('/admin/resource/shelves/crud', new URLSearchParams(given))
  // Who may not see the field is not told of it.
  const unseen = await testPanel(panel)
    .as({ roles: ['reader'] })
    .post('/admin/resource/shelves/crud', { name: 'Top' })
  const low = { name: 'Low', height: 1, hidden: 1 }
  await shelves.post('/admin/resource/shelves/crud', low)
  const other = (await shelves.post('/admin/resource/shelves/crud', { name: 'Other', height: 5, hidden: 1 })).json() as {
    data: { id: number }
  }
  const taken = await shelves.post('/admin/resource/shelves/crud', { ...low, hidden: 2 })
  // Of what goes together, only what is seen is named.
  const half = await testPanel(panel)
    .as({ roles: ['reader'] })
    .put(`/admin/resource/shelves/crud/${other.data.id}`, { name: 'Low' })
  await panel.close()
  return {
    json: [json.status, (json.json() as { errors: object }).errors],
    page: [page.status, page.text.includes('value="Top"'), page.text.includes('Height: the database refuses this value')],
    taken: [taken.status, (taken.json() as { errors: object }).errors],
    half: [half.status, (half.json() as { errors?: object }).errors],
    unseen: [unseen.status, (unseen.json() as { errors?: object }).errors ?? null],
  }
}
const together = 'This combination of Name and Height is already taken'
const said = {
  json: [422, { height: ['Height: the database refuses this value'] }],
  page: [422, true, true],
  taken: [409, { name: [together], height: [together] }],
  half: [409, { name: ['Name is already taken'] }],
  unseen: [422, null],
}

test('over SQLite, what a check refuses is said at its field, and what was typed is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-checked-'))
  const file = join(folder, 'shelves.db')
  const db = new Sqlite(file)
  db.exec(`create table shelves (id integer primary key, ${columns})`)
  db.close()
  const model = sqliteTable('shelves', { id: integer().primaryKey(), name: varchar(), height: integer(), hidden: integer() })
  const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [defineResource({ model, fields })] })
  expect(await refused(panel)).toEqual(said)
  rmSync(folder, { recursive: true, force: true })
})

test('over PostgreSQL, too', async () => {
  const { url, query, drop } = await openDatabase()
  await query(`create table shelves (id serial primary key, ${columns})`)
  const model = pg.pgTable('shelves', { id: pg.serial().primaryKey(), name: pg.text(), height: pg.integer(), hidden: pg.integer() })
  const panel = definePanel({ auth: 'open', database: url, resources: [defineResource({ model, fields })] })
  expect(await refused(panel)).toEqual(said)
  await drop()
})
