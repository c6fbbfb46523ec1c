import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countOf, definePanel, defineResource, id, largestOf, type Panel, text, valuesOf } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

// Named as the parts of the statements that read the numbers.
const related = sqliteTable('Related', { id: integer().primaryKey(), name: varchar().notNull(), parent: integer() })
const parts = sqliteTable('parts', { id: integer().primaryKey(), k: integer(), c0: varchar().notNull(), o0: integer() })
const other = sqliteTable('other', { id: integer().primaryKey(), k: integer(), c0: varchar().notNull() })
const sqliteTables = { related, parts, other }

const pgTables = {
  related: pg.pgTable('related', { id: pg.integer().primaryKey(), name: pg.text().notNull(), parent: pg.integer() }),
  parts: pg.pgTable('parts', { id: pg.integer().primaryKey(), k: pg.integer(), c0: pg.text().notNull(), o0: pg.integer() }),
  other: pg.pgTable('other', { id: pg.integer().primaryKey(), k: pg.integer(), c0: pg.text().notNull() }),
} as unknown as typeof sqliteTables

const statements = `create table related (id integer primary key, name text not null, parent integer);
  create table parts (id integer primary key, k integer, c0 text not null, o0 integer);
  create table other (id integer primary key, k integer, c0 text not null);
  insert into related values (1, 'Ada', null), (2, 'Bob', 1), (3, 'Cleo', 1);
  insert into parts values (1, 1, 'x', 5), (2, 1, 'y', 6), (3, 2, 'x', 7), (4, null, 'x', 8);
  insert into other values (1, 1, 'x'), (2, 1, 'x')`

function panelOver({ related, parts, other }: typeof sqliteTables, database: string): Panel {
  const Related = defineResource({
    model: related,
    uriKey: 'related',
    fields: {
      id: id(),
      name: text(),
      all: countOf('All', parts, 'k').sortable(),
      some: countOf('Some', parts, 'k').where({ c0: 'x' }).sortable(),
      top: largestOf('Top', parts, 'k', 'o0').sortable(),
      children: countOf('Children', related, 'parent').sortable(),
      busy: countOf('Busy', related, 'parent').where({ id: { in: valuesOf(parts, 'k', { c0: 'x' }) } }),
    },
    filters: ['some', 'children'],
  })
  const Parts = defineResource({ model: parts, fields: { id: id(), of: countOf('Of', other, 'k') } })
  return definePanel({ auth: 'open', database, resources: [Related, Parts] })
}

describe.each([
  ['SQLite', sqliteTables, true],
  ['PostgreSQL', pgTables, false],
] as const)('numbers of related records, whatever tables and columns are named, over %s', (_, tables, sqlite) => {
  let panel: Panel
  let end: () => Promise<unknown>
  beforeAll(async () => {
    if (!sqlite) {
      const database = await openDatabase()
      await database.query(statements)
      panel = panelOver(tables, database.url)
      end = () => panel.close().then(database.drop)
      return
    }
    const folder = mkdtempSync(join(tmpdir(), 'daymark-names-'))
    const client = new Sqlite(join(folder, 'names.db'))
    client.exec(statements)
    client.close()
    panel = panelOver(tables, `sqlite:${join(folder, 'names.db')}`)
    end = () => panel.close().then(() => rmSync(folder, { recursive: true, force: true }))
  })
  afterAll(() => end?.())

  const asked = async (path: string) => (await testPanel(panel).get(`/admin/resource/${path}`)).json<{ data: unknown }>().data
  const ada = { id: 1, name: 'Ada', all: 2, some: 1, top: 6, children: 2, busy: 1 }
  const bob = { id: 2, name: 'Bob', all: 1, some: 1, top: 7, children: 0, busy: 0 }
  const cleo = { id: 3, name: 'Cleo', all: 0, some: 0, top: null, children: 0, busy: 0 }

  test('are those of each record, in lists and alone', async () => {
    expect(await asked('related/crud?sort=id')).toEqual([ada, bob, cleo])
    expect(await asked('related/crud/1')).toEqual(ada)
    expect(await asked('parts/crud?sort=id')).toEqual([2, 0, 0, 0].map((of, at) => ({ id: at + 1, of })))
  })

  test('sort and filter', async () => {
    expect(await asked('related/crud?sort=-top')).toEqual([bob, ada, cleo])
    expect(await asked('related/crud?sort=-children,-some,id')).toEqual([ada, bob, cleo])
    expect(await asked('related/crud?sort=-all&filter[some]=1')).toEqual([ada, bob])
    expect(await asked('related/crud?filter[children]=2')).toEqual([ada])
  })
})
