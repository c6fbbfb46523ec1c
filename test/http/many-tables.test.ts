// Statements are kept by their shape, in which tables and columns are numbers: with more than ten of each, one table's may look like another's.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const numbers = Array.from({ length: 13 }, (_, number) => number)
const columns = numbers.map((number) => `c${number}`)
const tables = numbers.map((number) => `t${number}`)
const resources = tables.map((name) =>
  defineResource({
    model: sqliteTable(name, { id: integer().primaryKey(), ...Object.fromEntries(columns.map((column) => [column, varchar()])) }),
    fields: { id: id(), ...Object.fromEntries(columns.map((column) => [column, text()])) },
  }),
)

test('an update of one field changes that field of that record and nothing else, in each of many tables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
  const file = join(folder, 'many.db')
  const db = new Sqlite(file)
  for (const name of tables)
    db.exec(
      `create table ${name} (id integer primary key, ${columns.map((column) => `${column} text`)}); insert into ${name} (id) values (1)`,
    )
  const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources })
  try {
    const user = testPanel(panel)
    for (const name of tables) {
      for (const column of columns) {
        const path = `/admin/resource/${name}/crud/1`
        const answer = await user.put(path, { [column]: `${name}.${column}` })
        expect([answer.status, answer.json<{ data: Record<string, unknown> }>().data[column]]).toEqual([200, `${name}.${column}`])
      }
    }
    for (const name of tables)
      expect(db.prepare(`select * from ${name}`).all()).toEqual([
        { id: 1, ...Object.fromEntries(columns.map((column) => [column, `${name}.${column}`])) },
      ])
  } finally {
    await panel.close()
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
