import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DeclarationError, definePanel, defineResource, openSqlStore } from 'daymark'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
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
