import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, json, type Panel } from 'daymark'
import { jsonb, integer as pgInteger, json as pgJson, pgTable } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

// JSON may hold numbers that JavaScript has not, and is written whole: what stands beside a change must not become another number.
const inSqlite = sqliteTable('things', { id: integer().primaryKey(), data: text({ mode: 'json' }) })
const inPg = pgTable('things', { id: pgInteger().primaryKey(), data: jsonb() })
const inPgText = pgTable('things', { id: pgInteger().primaryKey(), data: pgJson() })
const stored = '{"amount": 0.123456789012345678901, "big": 1e400, "b": 1}'
const fill = `insert into things values (1, '${stored}')`

async function postgresql(type: string, model: unknown) {
  const database = await openDatabase()
  await database.query(`create table things (id integer primary key, data ${type}); ${fill}`)
  const text = async () => (await database.query('select data::text from things')).rows[0].data as string
  return { url: database.url, model, text, end: () => database.drop() }
}

const databases = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-finer-'))
    const client = new Sqlite(join(folder, 'finer.db'))
    client.exec(`create table things (id integer primary key, data text); ${fill}`)
    const text = async () => (client.prepare('select data from things').raw().get() as [string])[0]
    const end = async () => {
      client.close()
      rmSync(folder, { recursive: true })
    }
    return { url: `sqlite:${join(folder, 'finer.db')}`, model: inSqlite as unknown, text, end }
  },
  'PostgreSQL jsonb': () => postgresql('jsonb', inPg),
  'PostgreSQL json': () => postgresql('json', inPgText),
}

for (const [name, open] of Object.entries(databases))
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof open>>
    let panel: Panel
    let before: string
    const path = '/admin/resource/things/crud/1'
    beforeAll(async () => {
      opened = await open()
      before = await opened.text()
      const Things = defineResource({ model: opened.model, fields: { id: id(), data: json('Data') } } as never)
      panel = definePanel({ auth: 'open', database: opened.url, resources: [Things] })
    })
    afterAll(async () => {
      await panel?.close()
      await opened?.end()
    })

    test('a change beside such a number is refused, in a form and in JSON', async () => {
      const app = testPanel(panel)
      const { data } = (await app.get(path)).json() as { data: { data: Record<string, unknown> } }
      expect(data.data).toEqual({ amount: 0.12345678901234568, big: null, b: 1 })
      const changed = { ...data.data, b: 2 }
      const says = { errors: { data: [expect.stringMatching(/^Data contains the number (?:0\.123456789012345678901|10+…|1e400), /)] } }
      const byForm = await app.put(path, new URLSearchParams({ data: JSON.stringify(changed) }))
      expect([byForm.status, byForm.json()]).toMatchObject([422, says])
      const byJson = await app.patch(path, { data: changed })
      expect([byJson.status, byJson.json()]).toMatchObject([422, says])
      expect(await opened.text()).toBe(before)
    })

    test('what was not changed is left alone, and another number is meant', async () => {
      const app = testPanel(panel)
      const { data } = (await app.get(path)).json() as { data: object }
      expect((await app.patch(path, data)).status).toBe(200)
      expect(await opened.text()).toBe(before)
      expect((await app.patch(path, { data: { amount: 0.125, big: 7, b: 2 } })).status).toBe(200)
      expect(JSON.parse(await opened.text())).toEqual({ amount: 0.125, big: 7, b: 2 })
    })
  })
