import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  DeclarationError,
  definePanel,
  defineResource,
  memoryStore,
  openSqlStore,
  type PanelSpec,
  type Problem,
  usersResource,
} from 'daymark'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text, integer as whole } from 'drizzle-orm/pg-core'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey() })
const folder = mkdtempSync(join(tmpdir(), 'daymark-urls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['mysql://root:hunter2@db/x', '"mysql://…@db/x"'],
  ['libsql://db.turso.io?authToken=hunter2', '"libsql://db.turso.io?…"'],
  ['mysql://root:hunter/2@hun@db/x?password=hunter2', '"mysql://…@db/x?…"'],
  ['mysql:root:hunter2@db/x', '"mysql:…@db/x"'],
  ['', '""'],
  ['clinic.db', '"clinic.db"'],
  ['sqlite:', '"sqlite:"'],
  ['file:clinic.db?mode=ro', '"file:clinic.db?…"'],
])('what is no database here is a mistake of the declaration, and no password is said: %j', (database, shown) => {
  const faults: unknown[] = []
  for (const spec of [
    { database, resources: [defineResource({ model: notes })] },
    { database: 'sqlite::memory:', resources: [defineResource({ model: notes, database })] },
  ])
    try {
      definePanel(spec)
    } catch (thrown) {
      faults.push(thrown)
    }
  const text = expect.stringMatching(/names no database that this can speak to: sqlite:PATH, .*Drizzle database$/)
  expect(faults).toMatchObject([
    { problems: [{ id: 'database', where: 'database', text }] },
    { problems: [{ id: 'database', where: 'notes.database', text }] },
  ])
  for (const fault of faults) {
    expect(fault).toBeInstanceOf(DeclarationError)
    expect((fault as Error).message).toContain(shown)
    expect((fault as Error).message).not.toMatch(/hunter/)
  }
  expect(() => openSqlStore({ database })).toThrow(shown)
})

test.each<[what: string, url: (path: string) => string]>([
  ['a path', (path) => `file:${path}`],
  ['a URL', (path) => pathToFileURL(path).href],
])('file: is SQLite, too: %s', async (what, urlOf) => {
  const path = join(folder, `${what.replace(' ', '')}.db`)
  const panel = definePanel({ auth: 'open', database: urlOf(path), resources: [defineResource({ model: notes })] })
  expect((await testPanel(panel).get('/admin/resource/notes/crud')).status).toBe(500)
  expect(existsSync(path)).toBe(true)
  await panel.close()
})

const files = pgTable('files', { id: whole().primaryKey(), name: text().notNull() })
const [sqlite, postgresql] = ['sqlite::memory:', 'postgres://localhost/none']
const drizzled = drizzle({ client: new Pool({ connectionString: postgresql }) })
const columns = { username: 'name', password: 'name', roles: 'name' } as const

test.each<[what: string, spec: Partial<PanelSpec>, problems: readonly string[]]>([
  ['a pgTable over SQLite', { database: sqlite, resources: [defineResource({ model: files })] }, ['files.model: "files" … sqliteTable']],
  [
    'a sqliteTable over PostgreSQL',
    { database: postgresql, resources: [defineResource({ model: notes })] },
    ['notes.model: "notes" … pgTable'],
  ],
  ['the same by Drizzle', { database: drizzled, resources: [defineResource({ model: notes })] }, ['notes.model: "notes" … pgTable']],
  [
    'databases of resources',
    {
      database: sqlite,
      resources: [defineResource({ model: notes, database: postgresql }), defineResource({ model: files, database: drizzled })],
    },
    ['notes.model: "notes" … pgTable'],
  ],
  ['users', { database: sqlite, auth: undefined as never, users: { model: files, columns } }, ['users.model: "files" … sqliteTable']],
  ["the panel's own table", { database: postgresql, auth: undefined as never, resources: [usersResource()] }, []],
  ['a store of its own', { database: sqlite, resources: [defineResource({ model: memoryStore(files) })] }, []],
])('a table made for another database stops the start: %s', (_, spec, problems) => {
  const found: Problem[] = []
  try {
    definePanel({ auth: 'open', resources: [], ...spec } as PanelSpec)
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown
    found.push(...thrown.problems)
  }
  expect(found.map(({ id, where, text }) => `${id} ${where}: ${text}`)).toEqual(
    problems.map((one) => `table-database ${one.replace('…', 'is not made with')}, which its database needs`),
  )
})
