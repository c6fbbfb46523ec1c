import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number, text } from 'daymark'
import { integer, numeric, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Sqlite from 'libsql'
import { afterAll, expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/log.js'
import { testPanel } from '../../src/testing.js'

const jobs = sqliteTable('jobs', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  owner: varchar().notNull(),
  code: varchar().notNull(),
  price: numeric(),
})
const drifted = sqliteTable('drifted', { id: integer().primaryKey(), name: varchar() })

const folder = mkdtempSync(join(tmpdir(), 'daymark-needed-'))
const database = new Sqlite(join(folder, 'x.db'))
database.exec(`
  CREATE TABLE jobs (id integer PRIMARY KEY, name text NOT NULL, owner text NOT NULL, code text NOT NULL DEFAULT 'x', price numeric);
  CREATE TABLE drifted (id integer PRIMARY KEY, name text, since text NOT NULL);
`)
const log: LogEntry[] = []
const of = (fields: object) => {
  const Jobs = defineResource({ model: jobs, fields: { id: id(), name: text('Name'), ...fields } })
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${join(folder, 'x.db')}`,
    resources: [Jobs, defineResource({ model: drifted })],
    can: { create: true },
    log: (entry) => log.push(entry),
  })
  return testPanel(panel).as({ roles: ['clerk'] })
}
afterAll(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a value that the caller may see, and not give, is named by its label', async () => {
  const clerk = of({ owner: text('Owner').editable(['admin']), code: text('Code').default('x') })
  const answer = await clerk.post('/admin/resource/jobs/crud', { name: 'a' })
  expect([answer.status, answer.json()]).toMatchObject([422, { detail: 'Owner is required', errors: { owner: ['Owner is required'] } }])
  const page = await clerk.html.post('/admin/resource/jobs/crud', new URLSearchParams({ name: 'a' }))
  expect([page.status, page.text.includes('Owner is required')]).toEqual([422, true])
  expect(log).toEqual([])
})

test('one that the caller may not see is named in the log alone', async () => {
  const clerk = of({ owner: text('Owner').visible(['admin']), code: text('Code').default('x') })
  const answer = await clerk.post('/admin/resource/jobs/crud', { name: 'a' })
  expect([answer.status, /owner/i.test(answer.text)]).toEqual([422, false])
  expect(log.splice(0).map(({ message }) => message)).toEqual(['"jobs" needs what this user may not see: owner'])
})

test('a column that the database has and the declaration lacks is a fault of ours, with its name in the log', async () => {
  const clerk = of({ owner: text('Owner'), code: text('Code').default('x') })
  const answer = await clerk.post('/admin/resource/drifted/crud', { name: 'a' })
  expect([answer.status, /since/.test(answer.text)]).toEqual([500, false])
  expect(log.splice(0).map(({ message }) => message)).toEqual([expect.stringContaining('drifted.since')])
})

test('a number that the column cannot hold is named by its label', async () => {
  const clerk = of({ owner: text('Owner'), code: text('Code').default('x'), price: number('Price') })
  const answer = await clerk.post('/admin/resource/jobs/crud', { name: 'a', owner: 'b', price: '0.12345678901234567890123' })
  expect([answer.status, answer.json()]).toMatchObject([422, { detail: 'Price has more digits than the column can hold' }])
})
