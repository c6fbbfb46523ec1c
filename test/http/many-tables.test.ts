// Statements are kept by their shape, in which tables and columns are numbers: with more than ten of each, one table's may look like another's.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const columns = Array.from({ length: 13 }, (_, number) => `c${number}`)
const tables = Array.from({ length: 13 }, (_, number) => `t${number}`)

const inSqlite = (name: string, columns: readonly string[]) =>
  sqliteTable(name, { id: integer().primaryKey(), ...Object.fromEntries(columns.map((column) => [column, varchar()])) })
const inPostgresql = ((name: string, columns: readonly string[]) =>
  pg.pgTable(name, {
    id: pg.integer().primaryKey(),
    ...Object.fromEntries(columns.map((column) => [column, pg.text()])),
  })) as unknown as typeof inSqlite

const schema = tables.map(
  (name) =>
    `create table ${name} (id integer primary key, ${columns.map((column) => `${column} text`)}); insert into ${name} (id) values (1)`,
)

interface Opened {
  readonly url: string
  readonly model: typeof inSqlite
  /** The one row of a table, as somebody else reads it. */
  row(table: string): Promise<unknown>
  close(): Promise<void>
}

const folder = mkdtempSync(join(tmpdir(), 'daymark-many-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const databases: Readonly<Record<string, () => Promise<Opened>>> = {
  async SQLite() {
    const file = join(folder, 'many.db')
    rmSync(file, { force: true })
    const db = new Sqlite(file)
    db.exec(schema.join(';'))
    return {
      url: `sqlite:${file}`,
      model: inSqlite,
      row: async (table) => db.prepare(`select * from ${table}`).all()[0],
      close: async () => void db.close(),
    }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    await database.query(schema.join(';'))
    return {
      url: database.url,
      model: inPostgresql,
      row: async (table) => (await database.query(`select * from ${table}`)).rows[0],
      close: () => database.drop(),
    }
  },
}
const each = Object.entries(databases)

const over = ({ model }: Opened, name: string, columns: readonly string[], uriKey = name) =>
  defineResource({
    model: model(name, columns),
    uriKey,
    fields: { id: id(), ...Object.fromEntries(columns.map((column) => [column, text()])) },
  })

test.each(each)(
  '%s: an update of one field changes that field of that record and nothing else, in each of many tables',
  async (_, open) => {
    const opened = await open()
    const panel = definePanel({ auth: 'open', database: opened.url, resources: tables.map((name) => over(opened, name, columns)) })
    try {
      const user = testPanel(panel)
      for (const name of tables) {
        for (const column of columns) {
          const answer = await user.put(`/admin/resource/${name}/crud/1`, { [column]: `${name}.${column}` })
          expect([answer.status, answer.json<{ data: Record<string, unknown> }>().data[column]]).toEqual([200, `${name}.${column}`])
        }
      }
      for (const name of tables)
        expect(await opened.row(name)).toEqual({ id: 1, ...Object.fromEntries(columns.map((column) => [column, `${name}.${column}`])) })
    } finally {
      await panel.close()
      await opened.close()
    }
  },
)

// Drizzle knows the names of a table's columns from the first declaration of it alone.
test.each(each)('%s: two resources over declarations of their own of one table, with other columns', async (_, open) => {
  const opened = await open()
  const panel = definePanel({
    auth: 'open',
    database: opened.url,
    resources: [over(opened, 't0', ['c0', 'c1'], 'first'), over(opened, 't0', ['c1', 'c2'], 'second')],
  })
  try {
    const user = testPanel(panel)
    const put = async (resource: string, body: object) =>
      (await user.put(`/admin/resource/${resource}/crud/1`, body)).json<{ data: unknown }>().data
    expect(await put('first', { c0: 'a', c1: 'b' })).toEqual({ id: 1, c0: 'a', c1: 'b' })
    expect(await put('second', { c2: 'c' })).toEqual({ id: 1, c1: 'b', c2: 'c' })
    expect(await put('first', { c1: 'd' })).toEqual({ id: 1, c0: 'a', c1: 'd' })
    expect(await opened.row('t0')).toMatchObject({ c0: 'a', c1: 'd', c2: 'c', c3: null })
  } finally {
    await panel.close()
    await opened.close()
  }
})
