import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { date, definePanel, defineResource, id, view } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test, vi } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

test('a calendar shows which day is today, however often it was asked for the day before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-today-'))
  const file = join(folder, 'tasks.db')
  const db = new Sqlite(file)
  db.exec("create table tasks (id integer primary key, due text); insert into tasks values (1, '2026-11-10')")
  db.close()
  const Tasks = defineResource({
    model: sqliteTable('tasks', { id: integer().primaryKey(), due: text() }),
    fields: { id: id(), due: date('Due') },
    filters: ['due'],
    views: [view.calendar('due')],
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Tasks] })
  const clock = vi.spyOn(Date, 'now')
  const today = async (now: string) => {
    clock.mockReturnValue(Date.parse(now))
    const answer = await panel.fetch(new Request('http://localhost/admin/resource/tasks/crud?view=calendar&month=2026-11'))
    return /aria-current="date"[^>]*><div class="day"><time datetime="([^"]*)"/.exec(await answer.text())?.[1]
  }
  for (let i = 0; i < 4; i++) expect(await today('2026-11-10T23:59:58Z')).toBe('2026-11-10')
  expect(await today('2026-11-11T00:00:01Z')).toBe('2026-11-11')
  clock.mockRestore()
  await panel.close()
  rmSync(folder, { recursive: true })
})
