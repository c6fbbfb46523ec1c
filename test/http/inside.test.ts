import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, type Panel, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/app.js'
import { Sqlite } from '../support/sqlite.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: varchar().notNull() })
const folder = mkdtempSync(join(tmpdir(), 'daymark-inside-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const post = (panel: Panel, path: string, body: object) =>
  panel.fetch(
    new Request(`http://localhost/admin/resource/notes/${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

// It would wait for its own transaction to end, and everybody else with it.
test.each([
  ['a handler of a resource without hooks', {}, 'handler/touch'],
  ['a handler of one with a hook', { hooks: { afterSave: () => {} } }, 'handler/touch'],
  ['a hook', { hooks: { beforeSave: () => nested('crud') } }, 'crud'],
])('%s that asks its own panel to write is told so at once', async (name, more, path) => {
  const file = join(folder, `${name}.db`)
  const db = new Sqlite(file)
  db.exec("create table notes (id integer primary key, title text not null); insert into notes values (1, 'one')")
  db.close()
  const log: LogEntry[] = []
  const handlers = { touch: { label: 'Touch', run: () => nested('crud').then(() => ({ message: 'Done' })) } }
  const Notes = defineResource({ model: notes, fields: { id: id(), title: text() }, handlers, ...more } as never)
  const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Notes], log: (entry) => log.push(entry) })
  let deep = 0
  nested = async (path) => {
    if (deep++ > 0) return
    expect((await post(panel as Panel, path, { title: 'within' })).status).toBe(500)
  }
  try {
    expect((await post(panel as Panel, path, path === 'crud' ? { title: 'two' } : { ids: ['1'] })).status).toBeLessThan(300)
    expect(log.map(({ message }) => message)).toEqual([expect.stringContaining('Inside a transaction')])
  } finally {
    await panel.close()
  }
})
let nested: (path: string) => Promise<void> = async () => {}
